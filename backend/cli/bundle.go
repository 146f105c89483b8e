package cli

import (
	"context"
	"errors"
	"fmt"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
	"turnwatch/backend/redact"
	"turnwatch/backend/view"
)

// bundle is one incident, fit to be given to somebody else: what happened when,
// and not what was said. It names no folder, no account, no session of a provider
// and no address. With its texts it also has prompts, answers and titles, each
// sanitised and cut to redact.Limit bytes. Times are RFC 3339 in UTC.
type bundle struct {
	Type      string          `json:"type"` // incident
	Turnwatch string          `json:"turnwatch"`
	Task      agent.TaskID    `json:"task"`
	Title     string          `json:"title,omitempty"` // only with texts
	State     agent.TaskState `json:"state"`
	CreatedAt string          `json:"created_at"`
	Sessions  []bundleSession `json:"sessions"`
}

type (
	bundleSession struct {
		ID      agent.SessionID    `json:"id"`
		Agent   string             `json:"agent"`
		Version string             `json:"version,omitempty"`
		State   agent.SessionState `json:"state"`
		Queued  int                `json:"queued,omitempty"`
		Turns   []bundleTurn       `json:"turns"`
	}
	bundleTurn struct {
		Generation agent.Generation   `json:"generation"`
		StartedAt  string             `json:"started_at"`
		EndedAt    string             `json:"ended_at,omitempty"`
		Outcome    agent.Outcome      `json:"outcome,omitempty"` // none while it is open
		Stop       agent.StopReason   `json:"stop,omitempty"`
		Failure    *view.FailureShown `json:"failure,omitempty"`
		Cancel     []bundleMark       `json:"cancel,omitempty"`
		Notices    []bundleMark       `json:"notices,omitempty"`
		Parts      []bundlePart       `json:"parts,omitempty"`
	}
	bundleMark struct {
		At   string `json:"at"`
		What string `json:"what"` // step of a cancel, kind of a notice
	}
	bundlePart struct {
		At     string           `json:"at"`
		Kind   agent.PartKind   `json:"kind"`
		Tool   string           `json:"tool,omitempty"`   // its kind
		Status agent.ToolStatus `json:"status,omitempty"` // of a tool
		Bytes  int              `json:"bytes,omitempty"`  // of its text, before anything was taken out
		Text   string           `json:"text,omitempty"`   // only with texts
	}
)

// longestWord bounds the name of an agent, a version, a provider, a model.
const longestWord = 128

// bundleOf collects the incident of a task, or of the one session that an id
// names. history.ErrNotFound where there is neither.
func (a *app) bundleOf(ctx context.Context, store *history.Store, id string, texts bool) (bundle, error) {
	task, err := store.Task(ctx, agent.TaskID(id))
	var only agent.SessionID
	if errors.Is(err, history.ErrNotFound) {
		only = agent.SessionID(id)
		var s history.Session
		if s, err = store.Session(ctx, only); err == nil {
			task, err = store.Task(ctx, s.Task)
		}
	}
	if err != nil {
		return bundle{}, err
	}
	gone, err := abandoned(ctx, store)
	if err != nil {
		return bundle{}, err
	}
	gone.task(&task)
	b := bundle{
		Type: "incident", Turnwatch: version(), Task: task.ID, State: task.State, CreatedAt: utc(task.CreatedAt),
		Sessions: []bundleSession{},
	}
	if texts {
		title, err := a.titleOf(ctx, store, task)
		if err != nil {
			return bundle{}, err
		}
		b.Title = redact.Text(title)
	}
	sessions, err := store.Sessions(ctx, task.ID)
	if err != nil {
		return bundle{}, fmt.Errorf("read sessions: %w", err)
	}
	for _, s := range sessions {
		if only != "" && s.ID != only {
			continue
		}
		gone.session(&s)
		one, err := bundleOfSession(ctx, store, s, gone, texts)
		if err != nil {
			return bundle{}, err
		}
		b.Sessions = append(b.Sessions, one)
	}
	return b, nil
}

func bundleOfSession(ctx context.Context, store *history.Store, s history.Session, gone lost, texts bool) (bundleSession, error) {
	out := bundleSession{
		ID: s.ID, Agent: redact.Line(string(s.Kind), longestWord), Version: redact.Line(s.Info.Version, longestWord),
		State: s.State, Turns: []bundleTurn{},
	}
	queue, err := store.Queue(ctx, s.ID)
	if err != nil {
		return out, fmt.Errorf("read queue: %w", err)
	}
	out.Queued = len(queue)
	notices, err := store.Notices(ctx, s.ID)
	if err != nil {
		return out, fmt.Errorf("read notices: %w", err)
	}
	turns, err := allTurns(ctx, store, s.ID)
	if err != nil {
		return out, err
	}
	at := map[agent.Generation]int{}
	for _, t := range turns {
		gone.turn(&t)
		at[t.Generation] = len(out.Turns)
		out.Turns = append(out.Turns, bundleOfTurn(t))
	}
	for _, n := range notices {
		if i, ok := at[n.Generation]; ok {
			out.Turns[i].Notices = append(out.Turns[i].Notices, bundleMark{At: utc(n.At), What: n.Notice.Kind})
		}
	}
	return out, eachPart(ctx, store, s.ID, func(p agent.Part) {
		if i, ok := at[p.Generation]; ok {
			out.Turns[i].Parts = append(out.Turns[i].Parts, bundleOfPart(p, texts))
		}
	})
}

// eachPart gives the transcript of a session, page by page.
func eachPart(ctx context.Context, store *history.Store, id agent.SessionID, take func(agent.Part)) error {
	const page = 200
	for from := uint64(0); ; {
		parts, err := store.Parts(ctx, history.PartQuery{Session: id, From: from, Limit: page})
		if err != nil {
			return fmt.Errorf("read transcript: %w", err)
		}
		for _, p := range parts {
			take(p)
			from = p.Seq + 1
		}
		if len(parts) < page {
			return nil
		}
	}
}

func bundleOfTurn(t history.Turn) bundleTurn {
	out := bundleTurn{Generation: t.Generation, StartedAt: utc(t.StartedAt)}
	for _, c := range t.Cancel {
		out.Cancel = append(out.Cancel, bundleMark{At: utc(c.At), What: string(c.Step)})
	}
	if e := t.End; e != nil {
		out.EndedAt, out.Outcome, out.Stop, out.Failure = utc(e.At), e.Outcome, e.Stop, bundleOfFailure(e.Failure)
	}
	return out
}

// bundleOfFailure is a failure without its link, and sanitised once more: whoever
// wrote the file may not have been this program.
func bundleOfFailure(f *agent.Failure) *view.FailureShown {
	out := view.Show(f)
	if out == nil {
		return nil
	}
	out.Link = nil
	out.Message = redact.Text(out.Message)
	out.Provider, out.Model = redact.Line(out.Provider, longestWord), redact.Line(out.Model, longestWord)
	args := map[string]string{}
	for k, v := range out.Args {
		args[k] = redact.Text(v)
	}
	out.Args = args
	return out
}

func bundleOfPart(p agent.Part, texts bool) bundlePart {
	out := bundlePart{At: utc(p.At), Kind: p.Kind, Bytes: len(p.Text)}
	if p.Kind == agent.PartTool {
		out.Tool, out.Status = redact.Line(p.Tool.Kind, longestWord), p.Tool.Status
	}
	if texts && p.Kind != agent.PartTool {
		out.Text = redact.Text(p.Text)
	}
	return out
}

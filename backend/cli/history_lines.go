package cli

import (
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
	"turnwatch/backend/view"
)

// The objects of tw history --json. Each has a type; times are RFC 3339 in UTC.
type (
	taskLine struct {
		Type      string          `json:"type"` // task
		ID        agent.TaskID    `json:"id"`
		Title     string          `json:"title"`
		Agent     agent.Kind      `json:"agent"`
		Dir       string          `json:"dir"`
		State     agent.TaskState `json:"state"`
		CreatedAt string          `json:"created_at"`
		UpdatedAt string          `json:"updated_at"`
	}
	sessionLine struct {
		Type    string             `json:"type"` // session
		ID      agent.SessionID    `json:"id"`
		Agent   agent.Kind         `json:"agent"`
		Command []string           `json:"command,omitempty"`
		State   agent.SessionState `json:"state"`
		Held    bool               `json:"held,omitempty"`
		Queued  int                `json:"queued,omitempty"`
	}
	turnLine struct {
		Type       string             `json:"type"` // turn
		Session    agent.SessionID    `json:"session"`
		Generation agent.Generation   `json:"generation"`
		StartedAt  string             `json:"started_at"`
		EndedAt    string             `json:"ended_at,omitempty"`
		Outcome    agent.Outcome      `json:"outcome,omitempty"` // none while it is open
		Stop       agent.StopReason   `json:"stop,omitempty"`
		ByAgent    bool               `json:"by_agent,omitempty"`
		Failure    *view.FailureShown `json:"failure"`
		Cancel     []agent.CancelStep `json:"cancel,omitempty"`
	}
	partLine struct {
		Type       string            `json:"type"` // part
		Session    agent.SessionID   `json:"session"`
		Generation agent.Generation  `json:"generation"`
		Part       uint64            `json:"part"`
		Kind       agent.PartKind    `json:"kind"`
		At         string            `json:"at"`
		Text       string            `json:"text,omitempty"`
		Blocks     []agent.Block     `json:"blocks,omitempty"`
		Tool       *toolShown        `json:"tool,omitempty"`
		Plan       []agent.PlanEntry `json:"plan,omitempty"`
		Late       bool              `json:"late,omitempty"`
		Marked     bool              `json:"marked,omitempty"`
	}
	askLine struct {
		Type       string           `json:"type"` // ask
		Session    agent.SessionID  `json:"session"`
		Generation agent.Generation `json:"generation"`
		ID         agent.AskID      `json:"id"`
		Kind       agent.AskKind    `json:"kind"`
		Tool       string           `json:"tool,omitempty"` // the title of its call
		Decision   *decisionShown   `json:"decision"`       // null while it is open
	}
	hitLine struct {
		Type       string           `json:"type"` // hit
		Task       agent.TaskID     `json:"task"`
		Title      string           `json:"title"`
		Session    agent.SessionID  `json:"session"`
		Generation agent.Generation `json:"generation"`
		Part       uint64           `json:"part"`
		Kind       agent.PartKind   `json:"kind"`
		At         string           `json:"at"`
		Snippet    []spanShown      `json:"snippet"`
	}
	toolShown struct {
		ID      string              `json:"id"`
		Kind    string              `json:"kind,omitempty"`
		Title   string              `json:"title,omitempty"`
		Status  agent.ToolStatus    `json:"status,omitempty"`
		Parent  string              `json:"parent,omitempty"`
		Content []agent.ToolContent `json:"content,omitempty"`
	}
	decisionShown struct {
		Option string           `json:"option,omitempty"`
		By     agent.DecisionBy `json:"by"`
	}
	spanShown struct {
		Text  string `json:"text"`
		Match bool   `json:"match,omitempty"`
	}
)

func taskLineOf(t history.Task) taskLine {
	title := t.Title
	if title == "" {
		title = t.AgentTitle
	}
	return taskLine{
		Type: "task", ID: t.ID, Title: title, Agent: t.Kind, Dir: t.Dir, State: t.State,
		CreatedAt: utc(t.CreatedAt), UpdatedAt: utc(t.UpdatedAt),
	}
}

func sessionLineOf(s history.Session, queued int) sessionLine {
	return sessionLine{
		Type: "session", ID: s.ID, Agent: s.Kind, Command: s.Command,
		State: s.State, Held: s.Held, Queued: queued,
	}
}

func turnLineOf(t history.Turn) turnLine {
	l := turnLine{Type: "turn", Session: t.Session, Generation: t.Generation, StartedAt: utc(t.StartedAt)}
	for _, c := range t.Cancel {
		l.Cancel = append(l.Cancel, c.Step)
	}
	if e := t.End; e != nil {
		l.EndedAt, l.Outcome, l.Stop, l.ByAgent = utc(e.At), e.Outcome, e.Stop, e.ByAgent
		l.Failure = view.Show(e.Failure)
	}
	return l
}

func partLineOf(s agent.SessionID, p agent.Part) partLine {
	l := partLine{
		Type: "part", Session: s, Generation: p.Generation, Part: p.Seq, Kind: p.Kind, At: utc(p.At),
		Text: p.Text, Blocks: p.Blocks, Plan: p.Plan, Late: p.Late, Marked: p.Marked,
	}
	if p.Kind == agent.PartTool {
		l.Tool = &toolShown{
			ID: p.Tool.ID, Kind: p.Tool.Kind, Title: p.Tool.Title, Status: p.Tool.Status,
			Parent: p.Tool.Parent, Content: p.Tool.Content,
		}
	}
	return l
}

func askLineOf(a history.Ask) askLine {
	l := askLine{
		Type: "ask", Session: a.Session, Generation: a.Generation,
		ID: a.Ask.ID, Kind: a.Ask.Kind, Tool: a.Ask.Tool.Title,
	}
	if a.Decision != nil {
		l.Decision = &decisionShown{Option: a.Decision.Option, By: a.Decision.By}
	}
	return l
}

func hitLineOf(h history.Hit) hitLine {
	l := hitLine{
		Type: "hit", Task: h.Task, Title: h.Title, Session: h.Session, Generation: h.Generation,
		Part: h.Seq, Kind: h.Kind, At: utc(h.At),
	}
	for _, s := range h.Snippet {
		l.Snippet = append(l.Snippet, spanShown(s))
	}
	return l
}

func utc(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

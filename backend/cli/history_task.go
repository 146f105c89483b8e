package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/history"
	"turnwatch/backend/locale"
)

// teller tells a task as it was recorded.
type teller interface {
	task(history.Task, string)
	session(s history.Session, queued int)
	turn(history.Turn) // before its parts
	part(agent.SessionID, agent.Part)
	over(history.Turn, []history.Ask) // after its parts
	err() error
}

// showTask tells one task: its sessions, their turns in order, and what was said
// in each. A part that came late stands in the turn during which it came.
func (a *app) showTask(ctx context.Context, store *history.Store, id agent.TaskID, asJSON bool) error {
	task, err := store.Task(ctx, id)
	if errors.Is(err, history.ErrNotFound) {
		return errors.New(a.words.Say("history.no_task", locale.Args{"id": terminal.OneLine(string(id))}))
	}
	if err != nil {
		return fmt.Errorf("read task: %w", err)
	}
	lost, err := abandoned(ctx, store)
	if err != nil {
		return err
	}
	lost.task(&task)
	title, err := a.titleOf(ctx, store, task)
	if err != nil {
		return err
	}
	var out teller = &jsonTeller{out: jsonl{w: a.env.Out}}
	if !asJSON {
		out = newTextTeller(a)
	}
	out.task(task, title)
	sessions, err := store.Sessions(ctx, id)
	if err != nil {
		return fmt.Errorf("read sessions: %w", err)
	}
	for _, s := range sessions {
		queue, err := store.Queue(ctx, s.ID)
		if err != nil {
			return fmt.Errorf("read queue: %w", err)
		}
		lost.session(&s)
		out.session(s, len(queue))
		if err := tellTurns(ctx, store, s.ID, lost, out); err != nil {
			return err
		}
	}
	return out.err()
}

// tellTurns tells the turns of a session. The transcript is read page by page.
func tellTurns(ctx context.Context, store *history.Store, id agent.SessionID, lost lost, out teller) error {
	turns, err := allTurns(ctx, store, id)
	if err != nil {
		return err
	}
	for i := range turns {
		lost.turn(&turns[i])
	}
	asks, err := store.Asks(ctx, id)
	if err != nil {
		return fmt.Errorf("read requests: %w", err)
	}
	at := -1 // the turn in hand
	next := func() {
		if at >= 0 {
			g := turns[at].Generation
			out.over(turns[at], slices.DeleteFunc(slices.Clone(asks), func(x history.Ask) bool { return x.Generation != g }))
		}
		if at++; at < len(turns) {
			out.turn(turns[at])
		}
	}
	const page = 200
	for from := uint64(0); ; {
		parts, err := store.Parts(ctx, history.PartQuery{Session: id, From: from, Limit: page})
		if err != nil {
			return fmt.Errorf("read transcript: %w", err)
		}
		for _, p := range parts {
			for at+1 < len(turns) && p.Generation >= turns[at+1].Generation {
				next()
			}
			out.part(id, p)
			from = p.Seq + 1
		}
		if len(parts) < page || out.err() != nil {
			break
		}
	}
	for at < len(turns) {
		next()
	}
	return out.err()
}

// allTurns reads every turn of a session, oldest first.
func allTurns(ctx context.Context, store *history.Store, id agent.SessionID) ([]history.Turn, error) {
	const page = 500
	var all []history.Turn
	for before := agent.Generation(0); ; {
		turns, err := store.Turns(ctx, id, before, page)
		if err != nil {
			return nil, fmt.Errorf("read turns: %w", err)
		}
		all = append(all, turns...)
		if len(turns) < page {
			slices.Reverse(all)
			return all, nil
		}
		before = turns[len(turns)-1].Generation
	}
}

// jsonTeller writes one object a line.
type jsonTeller struct{ out jsonl }

func (t *jsonTeller) task(x history.Task, title string) {
	l := taskLineOf(x)
	l.Title = title
	t.out.put(l)
}

func (t *jsonTeller) session(s history.Session, queued int) { t.out.put(sessionLineOf(s, queued)) }

func (t *jsonTeller) turn(x history.Turn) { t.out.put(turnLineOf(x)) }

func (t *jsonTeller) part(s agent.SessionID, p agent.Part) { t.out.put(partLineOf(s, p)) }

func (t *jsonTeller) over(_ history.Turn, asks []history.Ask) {
	for _, a := range asks {
		t.out.put(askLineOf(a))
	}
}

func (t *jsonTeller) err() error { return t.out.err }

// textTeller draws for a person, with the same page as a run.
type textTeller struct {
	a    *app
	look terminal.Look
	list *terminal.List
	page *terminal.Printer
}

func newTextTeller(a *app) *textTeller {
	look := terminal.LookOf(a.env.Out, a.env.Getenv)
	look.Live = false
	return &textTeller{a: a, look: look, list: terminal.NewList(a.env.Out, look), page: terminal.NewPrinter(a.env.Out, look, a.words)}
}

func (t *textTeller) task(x history.Task, title string) {
	style, mark := taskMark(x.State)
	t.list.Entry(style, mark, title, dotted(t.a.words.Say("task."+string(x.State), nil),
		terminal.OneLine(string(x.Kind)), shortTime(x.CreatedAt), terminal.OneLine(x.Dir)))
}

func (t *textTeller) session(_ history.Session, queued int) {
	if queued > 0 {
		t.list.Text("  ", terminal.Dim, t.a.words.Count("history.queued", queued, nil))
	}
}

func (t *textTeller) turn(x history.Turn) {
	t.list.Blank()
	t.page = terminal.NewPrinter(t.a.env.Out, t.look, t.a.words)
	t.page.Entries([]agent.Entry{{At: x.StartedAt, Generation: x.Generation, Fact: agent.TurnStarted{Generation: x.Generation, Prompt: x.Prompt}}})
}

func (t *textTeller) part(_ agent.SessionID, p agent.Part) {
	if p.Kind == agent.PartPrompt {
		t.page.Prompt(p.Text)
		return
	}
	// Without a time: when a tool call ended is not recorded.
	t.page.Entries([]agent.Entry{{Generation: p.Generation, Fact: agent.PartSet{Part: p}}})
}

func (t *textTeller) over(x history.Turn, _ []history.Ask) {
	if x.End == nil {
		t.page.Remark("history.open_turn", nil)
		return
	}
	if x.End.At.IsZero() { // when it was cut off is not known
		t.page.Remark("history.lost_turn", nil)
		return
	}
	t.page.Entries([]agent.Entry{{At: x.End.At, Generation: x.Generation, Fact: agent.TurnSettled{
		Outcome: x.End.Outcome, Stop: x.End.Stop, ByAgent: x.End.ByAgent, Failure: x.End.Failure, Usage: x.End.Usage,
	}}})
	t.page.Ending(x.End.Outcome, x.End.At.Sub(x.StartedAt))
	t.page.Card(x.End.Failure)
}

func (t *textTeller) err() error { return errors.Join(t.list.Err(), t.page.Err()) }

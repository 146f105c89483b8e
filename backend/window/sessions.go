package window

import (
	"context"
	"maps"
	"path/filepath"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/history"
	"turnwatch/backend/local"
	"turnwatch/backend/redact"
	"turnwatch/backend/view"
)

// session makes everything about a session but its transcript. The lock is held.
func (d *desk) session(ctx context.Context, id agent.SessionID) (Session, error) {
	store := d.room.core.History()
	past, err := store.Restore(ctx, id)
	if err != nil {
		return Session{}, err
	}
	glance, err := store.Glance(ctx, past.Session.Task)
	if err != nil {
		return Session{}, err
	}
	turns, err := store.Turns(ctx, id, 0, 1)
	if err != nil {
		return Session{}, err
	}
	notices, err := store.Notices(ctx, id)
	if err != nil {
		return Session{}, err
	}
	troubles, err := store.Troubles(ctx, id)
	if err != nil {
		return Session{}, err
	}
	l := d.lives[id]
	info := l.told(past.Session.Info)
	s := Session{
		Row: d.row(of(glance, past, turns)), Options: options(info.Options),
		Commands: commands(info.Commands), Queue: queued(past.Queue), Held: past.Session.Held,
		Usage: usage(past.Session.Usage), Takes: takesOf(info),
	}
	if l != nil && l.turn.Usage != (agent.Usage{}) {
		s.Usage = usage(l.turn.Usage)
	}
	if len(turns) > 0 {
		s.Turn = turnOf(turns[0], l)
		s.Notice = notice(turns[0], notices)
	}
	for _, a := range past.Asks {
		s.Asks = append(s.Asks, askOf(a.Ask, past.Session.Dir, s.Row.Name))
	}
	if s.Auto, err = d.auto(ctx, id, past.Session.Generation); err != nil {
		return Session{}, err
	}
	for _, t := range troubles {
		s.Cards = append(s.Cards, cardOf(t, past.Session.Kind, info))
	}
	return s, nil
}

func takesOf(i agent.SessionInfo) Takes {
	return Takes{Known: i.ID != "", Images: i.Images, Embeds: i.Embeds}
}

// of is a task at a glance as one of its sessions sees it, which need not be the
// newest.
func of(g history.Glance, past history.Snapshot, turns []history.Turn) history.Glance {
	if g.Session == past.Session.ID {
		return g
	}
	g.Session, g.Kind, g.Held, g.Queued = past.Session.ID, past.Session.Kind, past.Session.Held, len(past.Queue)
	g.Turn, g.Outcome, g.Code, g.Again = 0, "", "", nil
	if len(turns) > 0 {
		g.Turn, g.Started = turns[0].Generation, turns[0].StartedAt
		if end := turns[0].End; end != nil {
			g.Outcome = end.Outcome
		}
	}
	return g
}

func turnOf(t history.Turn, l *live) Turn {
	out := Turn{Generation: uint64(t.Generation), Started: ms(t.StartedAt)}
	if l != nil && l.turn.Generation == t.Generation {
		out.First = ms(l.first)
	}
	if t.End != nil {
		out.Ended, out.Outcome, out.Stop = ms(t.End.At), string(t.End.Outcome), string(t.End.Stop)
	}
	for _, c := range t.Cancel {
		out.Cancel = append(out.Cancel, Step{Step: string(c.Step), At: ms(c.At)})
	}
	return out
}

// notice is the newest remark about a turn. Silence and loops are told of a turn
// that is waited for: they are over when it is. That the agent has not stopped is
// over when its call came back after all.
func notice(t history.Turn, all []history.Notice) *Notice {
	for i := len(all) - 1; i >= 0; i-- {
		n := all[i]
		if n.Generation != t.Generation {
			continue
		}
		if n.Notice.Kind == string(agent.CancelNotStopped) && returned(t) {
			return nil
		}
		waited := n.Notice.Kind == agent.NoticeQuiet || n.Notice.Kind == agent.NoticeLooping
		if waited && t.End != nil {
			continue
		}
		return &Notice{
			Kind: n.Notice.Kind, Phrase: noticePhrase(n.Notice),
			At: ms(n.At), Cancel: t.End == nil,
		}
	}
	return nil
}

// noticePhrase says a notice; a tool without a public name is named by one of the
// kinds that have a word.
func noticePhrase(n agent.Notice) Phrase {
	p := Phrase{Key: "notice." + n.Kind, Args: n.Args}
	if kind, ok := n.Args["kind"]; ok {
		p.Args = maps.Clone(n.Args)
		p.Args["kind"] = kindOf(kind)
	}
	return p
}

func returned(t history.Turn) bool {
	for _, c := range t.Cancel {
		if c.Step == agent.CancelReturned {
			return true
		}
	}
	return false
}

func askOf(a agent.Ask, dir, name string) Ask {
	out := Ask{ID: string(a.ID), Tool: *toolOf(a.Tool, -1, onScreen()), Inside: allInside(dir, a.Tool)}
	out.Heading = Phrase{Key: "ask.about_" + kindOf(a.Tool.Kind), Args: map[string]string{"agent": name}}
	if a.Kind == agent.AskQuestion {
		out.Heading.Key = "ask.about_question"
	}
	for _, o := range a.Options {
		out.Options = append(out.Options, AskOption(o))
	}
	return out
}

// allInside tells whether every file that a call names is inside the folder.
func allInside(dir string, t agent.ToolCall) bool {
	for _, l := range t.Locations {
		if !inside(dir, filepath.FromSlash(l.Path)) {
			return false
		}
	}
	for _, c := range t.Content {
		if c.Diff != nil && !inside(dir, filepath.FromSlash(c.Diff.Path)) {
			return false
		}
	}
	return true
}

func cardOf(t history.Trouble, kind agent.Kind, info agent.SessionInfo) Card {
	link := t.Failure != nil && redact.Remediation(t.Failure.Link)
	c := view.CardOf(view.Ill{
		At: t.At, Outcome: t.Outcome, Failure: t.Failure, Agent: core.NameOf(kind), Resumes: info.Resumes, Models: models(info.Options), Link: link,
		Login: local.Quoted(core.LoginOf(kind)),
		Again: againOf(t.Again),
	})
	out := Card{
		ID: t.ID, Turn: uint64(t.Turn), Code: string(c.Code), Tone: string(c.Tone), Heading: phrase(c.Heading), Guidance: phrase(c.Guidance),
		Later: phrase(c.Later), Note: phrase(c.Note), Why: phrase(c.Why), LinkHost: c.LinkHost, Login: c.Login, At: ms(c.At), Reset: ms(c.Reset),
	}
	if c.Again != nil {
		out.Again = &Again{At: ms(c.Again.At), Try: c.Again.Try, Most: c.Again.Most}
	}
	for _, d := range c.Details {
		out.Details = append(out.Details, Detail{Label: phrase(d.Label), Text: d.Text})
	}
	for _, a := range c.Actions {
		out.Actions = append(out.Actions, string(a))
	}
	return out
}

// models reports whether an agent offers more than one model.
func models(all []agent.Option) bool {
	for _, o := range all {
		if o.Category == "model" && len(o.Choices) > 1 {
			return true
		}
	}
	return false
}

func phrase(p view.Phrase) Phrase { return Phrase{Key: p.Key, Args: p.Args} }

func options(in []agent.Option) []Option {
	out := make([]Option, 0, len(in))
	for _, o := range in {
		v := Option{ID: o.ID, Category: o.Category, Name: o.Name, Current: o.Current}
		for _, c := range o.Choices {
			v.Choices = append(v.Choices, Choice(c))
		}
		out = append(out, v)
	}
	return out
}

func commands(in []agent.Command) []Command {
	out := make([]Command, 0, len(in))
	for _, c := range in {
		out = append(out, Command(c))
	}
	return out
}

func queued(in []agent.Prompt) []Queued {
	out := make([]Queued, 0, len(in))
	for _, p := range in {
		q := Queued{ID: string(p.ID)}
		for _, b := range p.Blocks {
			if b.Kind == agent.BlockText && q.Text == "" {
				q.Text = b.Text
			} else {
				q.More++
			}
		}
		out = append(out, q)
	}
	return out
}

func usage(u agent.Usage) Usage {
	return Usage{Used: u.Used, Size: u.Size, Cost: u.Cost, Currency: u.Currency}
}

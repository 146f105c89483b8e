package view

import (
	"slices"
	"time"

	"turnwatch/backend/agent"
)

// Script writes the facts of one session as lines of the replay vocabulary. It
// holds the model of the turn beside it, so that a text is told as what is new
// in it. It belongs to one goroutine.
type Script struct {
	Origin  time.Time // t counts from here
	Session string    // put into every line where it is not empty
	Turn    Turn

	last    int64 // t of the line before
	session agent.SessionState
	task    agent.TaskState
	shown   []string // notices, by kind
}

// Lines folds entries, in order, into lines. Acts of the machine that fall into
// one millisecond stand in the order log, notice, cancel, settled, session,
// task, whatever order their facts came in. A decision comes when it is on disk,
// often after words that were said later: t never falls, such a line has the t of
// the line before.
func (s *Script) Lines(entries []agent.Entry) []Line {
	var lines []Line
	for _, e := range entries {
		for _, l := range s.line(e) {
			h := l.head()
			s.last = max(s.last, e.At.Sub(s.Origin).Milliseconds())
			h.T, h.S = s.last, s.Session
			lines = append(lines, l)
		}
	}
	Order(lines)
	return lines
}

// line gives the lines of one entry: none, one or two.
func (s *Script) line(e agent.Entry) []Line {
	change := s.Turn.Apply(e)
	if change.Piece != nil {
		return s.piece(change)
	}
	switch f := e.Fact.(type) {
	case agent.SessionReady:
		return one(&ReadyLine{Head: act("ready"), Agent: f.Info.Agent, Version: f.Info.Version, Options: f.Info.Options})
	case agent.TurnStarted:
		return append(s.hide(), &TurnLine{Head: act("turn"), Generation: f.Generation})
	case agent.AskOpened:
		return one(asked(f.Ask))
	case agent.AskClosed:
		return one(&AnswerLine{Head: act("ask.close"), ID: f.ID, Option: f.Decision.Option, By: f.Decision.By})
	case agent.UsageSet:
		return one(&UsageLine{Head: act("usage"), Usage: f.Usage})
	case agent.TitleSet:
		return one(&TitleLine{Head: act("title"), Title: f.Title})
	case agent.CancelStepped:
		return one(&CancelLine{Head: act("cancel"), Step: f.Step})
	case agent.Noticed:
		s.shown = append(s.shown, f.Notice.Kind)
		return one(&NoticeLine{Head: act("notice"), Kind: f.Notice.Kind, Tool: f.Notice.Args["tool"]})
	case agent.RetryAnnounced:
		return one(&RetryLine{Head: act("retry"), Attempt: f.Attempt, At: s.ms(f.Next), Code: f.Code, Message: f.Message})
	case agent.TurnSettled, agent.OpenRefused:
		return append(one(s.settled()), s.hide()...)
	case agent.StateSet:
		return s.states(f)
	}
	return nil
}

// piece tells a change of the transcript. The prompt is the caller's own and is
// not told back; a part of unknown kind has no line.
func (s *Script) piece(c Change) []Line {
	p := c.Piece.Part
	switch p.Kind {
	case agent.PartText, agent.PartThought:
		if c.Added == "" && !c.Replaced {
			return nil
		}
		return one(&TextLine{
			Head: act(string(p.Kind)), Part: p.Seq, Text: c.Added,
			Replace: c.Replaced, Marked: p.Marked, Late: p.Late,
		})
	case agent.PartTool:
		l := &ToolLine{
			Head: act("tool"), Part: p.Seq, ID: p.Tool.ID, Kind: p.Tool.Kind,
			Title: p.Tool.Title, Status: p.Tool.Status, Parent: p.Tool.Parent,
		}
		if took, over := c.Piece.Took(); over {
			ms := took.Milliseconds()
			l.TookMS = &ms
		}
		if !p.Tool.Status.Open() {
			l.Content = p.Tool.Content
		}
		return one(l)
	case agent.PartPlan:
		return one(&PlanLine{Head: act("plan"), Part: p.Seq, Entries: p.Plan})
	}
	return nil
}

func asked(a agent.Ask) *AskLine {
	return &AskLine{
		Head: act("ask.open"), ID: a.ID, Kind: a.Kind, Options: a.Options,
		Tool: ToolAsked{ID: a.Tool.ID, Kind: a.Tool.Kind, Title: a.Tool.Title, Content: a.Tool.Content},
	}
}

// hide takes back every notice that is shown.
func (s *Script) hide() []Line {
	var lines []Line
	for _, kind := range s.shown {
		lines = append(lines, &HideLine{Head: act("notice.hide"), Kind: kind})
	}
	s.shown = nil
	return lines
}

func (s *Script) settled() *SettledLine {
	end := s.Turn.End
	l := &SettledLine{Head: act("settled"), Outcome: end.Outcome}
	if end.Failure != nil {
		l.Code, l.ResetAt = end.Failure.Code, s.ms(end.Failure.ResetAt)
	}
	return l
}

// states tells what of the state is new. Opening is not of the vocabulary.
func (s *Script) states(f agent.StateSet) []Line {
	var lines []Line
	if f.Session != s.session && f.Session != "" && f.Session != agent.SessionOpening {
		s.session = f.Session
		lines = append(lines, &StateLine{Head: act("session"), State: string(f.Session)})
	}
	if f.Task != s.task && f.Task != "" {
		s.task = f.Task
		lines = append(lines, &StateLine{Head: act("task"), State: string(f.Task)})
	}
	return lines
}

func (s *Script) ms(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	ms := t.Sub(s.Origin).Milliseconds()
	return &ms
}

func act(name string) Head { return Head{Act: name} }

func one(l Line) []Line { return []Line{l} }

// Order sorts each run of machine acts within one millisecond: log, notice,
// cancel, settled, session, task, notice.hide.
func Order(lines []Line) {
	for from := 0; from < len(lines); {
		to := from
		for to < len(lines) && rank(lines[to]) > 0 && lines[to].head().T == lines[from].head().T {
			to++
		}
		slices.SortStableFunc(lines[from:to], func(a, b Line) int { return rank(a) - rank(b) })
		from = max(to, from+1)
	}
}

// rank is the place of a machine act within its millisecond; 0 for any other.
func rank(l Line) int {
	switch l.head().Act {
	case "log":
		return 1
	case "notice":
		return 2
	case "cancel":
		return 3
	case "settled":
		return 4
	case "session":
		return 5
	case "task":
		return 6
	case "notice.hide":
		return 7
	}
	return 0
}

package view

import (
	"slices"
	"strings"
	"time"

	"turnwatch/backend/agent"
)

// Turn is the model of the turn in hand of one session, folded from its facts in
// order. The zero value is ready. It belongs to one goroutine.
type Turn struct {
	Info       agent.SessionInfo
	Generation agent.Generation
	Started    time.Time // zero while no turn was started
	Usage      agent.Usage
	Title      string // the agent's own title for the session
	Asks       []agent.Ask
	Again      *agent.RetryPlanned   // the failed prompt waits to be sent again by Turnwatch
	Retry      *agent.RetryAnnounced // the latest announcement, until the agent goes on
	Quiet      *agent.Notice         // the notice of silence, until the agent goes on
	Notices    []agent.Notice        // that were shown, by kind; they stay until the turn settles
	Auto       Auto
	Cancel     []CancelMark
	End        *End

	pieces []*Piece // by sequence number
}

// CancelMark is one stage of a cancel with its time.
type CancelMark struct {
	Step agent.CancelStep
	At   time.Time
}

// End is how the turn settled, or how its agent could not be started.
type End struct {
	agent.TurnSettled
	At      time.Time
	Refused bool // the agent never came up: no turn was open
}

// Phase is a rung of the evidence ladder, for a turn that runs.
type Phase string

// Phases. Idle means that no turn is open.
const (
	Idle     Phase = "idle"
	Working  Phase = "working"
	Asking   Phase = "asks"
	Retrying Phase = "retrying"
	Quiet    Phase = "quiet"
	Stopping Phase = "cancelling"
)

// Phase tells where the turn stands. A cancel in hand outranks a question, which
// outranks the rest.
func (t *Turn) Phase() Phase {
	switch {
	case t.Started.IsZero() || t.End != nil:
		return Idle
	case len(t.Cancel) > 0:
		return Stopping
	case len(t.Asks) > 0:
		return Asking
	case t.Retry != nil:
		return Retrying
	case t.Quiet != nil:
		return Quiet
	}
	return Working
}

// Change is what an entry did to the transcript. It is the zero value for an
// entry that did nothing to it.
type Change struct {
	Piece    *Piece // the piece after the change, owned by the turn
	Added    string // of a text: what is new at its end, or all of it when Replaced
	Fresh    bool   // the piece was not there before
	Replaced bool   // an earlier text was taken back
}

// Apply folds one entry into the turn.
func (t *Turn) Apply(e agent.Entry) Change {
	switch f := e.Fact.(type) {
	case agent.TurnStarted:
		*t = Turn{Info: t.Info, Usage: t.Usage, Title: t.Title, Generation: f.Generation, Started: e.At}
	case agent.PartSet:
		t.moves(f.Part)
		return t.set(f.Part)
	case agent.PartAppended:
		t.Retry, t.Quiet = nil, nil
		return t.extend(f)
	case agent.TurnSettled:
		t.settle(End{TurnSettled: f, At: e.At})
	case agent.OpenRefused:
		failure := f.Failure
		t.settle(End{
			TurnSettled: agent.TurnSettled{Outcome: agent.Failed, Failure: &failure},
			At:          e.At, Refused: true,
		})
	default:
		t.note(e)
	}
	return Change{}
}

// note folds the facts that touch neither the transcript nor the end.
func (t *Turn) note(e agent.Entry) {
	switch f := e.Fact.(type) {
	case agent.SessionReady:
		t.Info = f.Info
	case agent.OptionsSet:
		t.Info.Options = f.Options
	case agent.CommandsSet:
		t.Info.Commands = f.Commands
	case agent.AskOpened:
		t.Asks = append(t.Asks, f.Ask)
	case agent.AskClosed:
		t.Asks = slices.DeleteFunc(t.Asks, func(a agent.Ask) bool { return a.ID == f.ID })
	case agent.UsageSet:
		t.Usage = f.Usage
	case agent.TitleSet:
		t.Title = f.Title
	case agent.CancelStepped:
		t.Cancel = append(t.Cancel, CancelMark{Step: f.Step, At: e.At})
	case agent.AutoStepped:
		t.Auto.Apply(f.Step)
	case agent.RetryAnnounced:
		t.Retry = &f
	case agent.RetryPlanned:
		t.Again = &f
	case agent.RetryDropped:
		t.Again = nil
	case agent.NoticeChanged:
		t.Notices = slices.DeleteFunc(t.Notices, func(n agent.Notice) bool { return n.Kind == f.Notice.Kind })
		t.Notices = append(t.Notices, f.Notice)
	case agent.Noticed:
		t.Notices = append(t.Notices, f.Notice)
		if f.Notice.Kind == string(Quiet) {
			t.Quiet = &f.Notice
		}
	}
}

func (t *Turn) settle(end End) {
	t.End = &end
	t.Asks, t.Retry, t.Quiet = nil, nil, nil
}

// moves takes back what only silence or a retry had said. A prompt of our own,
// a part that came late, a notice and what nobody can read say nothing about it.
func (t *Turn) moves(p agent.Part) {
	switch {
	case p.Late, p.Kind == agent.PartPrompt, p.Kind == agent.PartOther, p.Notice():
	default:
		t.Retry, t.Quiet = nil, nil
	}
}

// Plan is the newest plan of the turn, or nil.
func (t *Turn) Plan() []agent.PlanEntry {
	for i := len(t.pieces) - 1; i >= 0; i-- {
		if t.pieces[i].Part.Kind == agent.PartPlan {
			return t.pieces[i].Part.Plan
		}
	}
	return nil
}

// OpenTools lists the tool calls that may still be at work, in order.
func (t *Turn) OpenTools() []*Piece {
	var open []*Piece
	for _, p := range t.pieces {
		if p.Part.Kind == agent.PartTool && p.Part.Tool.Status.Open() {
			open = append(open, p)
		}
	}
	return open
}

// Text is everything that the agent said in the turn, its own error forms aside.
func (t *Turn) Text() string {
	var b strings.Builder
	for _, p := range t.pieces {
		if p.Part.Kind == agent.PartText && !p.Part.Marked {
			b.WriteString(p.Text())
		}
	}
	return b.String()
}

// Pieces lists what was said and done since the turn started, in order: the
// turn's own parts, and parts of earlier turns that came or changed meanwhile.
// The slice is the turn's own and is only to be read.
func (t *Turn) Pieces() []*Piece { return t.pieces }

// Forget drops the pieces; what is on disk need not be held twice.
func (t *Turn) Forget() { t.pieces = nil }

package view

import (
	"strings"
	"time"
	"unicode"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

// Brief is where one task stands, in the words of what is shown beside the window:
// the tray and the notifications. It holds nothing of the transcript.
type Brief struct {
	Task    agent.TaskID
	Session agent.SessionID // the newest
	Title   string          // as the agent or the user wrote it: see Tidy
	Agent   string          // its name for people
	State   agent.TaskState
	Phase   string // idle, opening, working, asks, retrying, quiet, cancelling
	Detail  Phrase // the one phrase beside the task
	Turn    agent.Generation
	Ask     agent.AskID // the request that waits for an answer; "" for none
	Ended   Ending      // of the last turn; zero while one is open
}

// Ending is how the last turn of a task ended.
type Ending struct {
	Outcome agent.Outcome
	Code    agent.Code
	Reset   time.Time // zero where it is not known
}

// Summary is where all tasks stand that are not put away, the latest change first.
type Summary struct {
	Tasks      []Brief
	Automation bool // something may be done by itself, and can be stopped
}

// Need is what a task wants of the user, or has to tell.
type Need string

// Needs. A task has at most one.
const (
	NeedNothing  Need = ""
	NeedAnswer   Need = "asks"          // the agent waits for an answer
	NeedCapacity Need = "limited"       // a limit stopped it
	NeedStart    Need = "never_started" // nothing came of the prompt
	NeedLook     Need = "failed"        // it failed, or ended oddly
	NeedRead     Need = "finished"      // it is done
)

// Need tells what a task wants.
func (b Brief) Need() Need {
	switch {
	case b.Ask != "":
		return NeedAnswer
	case b.Open():
		return NeedNothing
	case b.Ended.Code == failure.QuotaLimited:
		return NeedCapacity
	case b.Ended.Outcome == agent.NeverStarted:
		return NeedStart
	case b.State == agent.TaskNeedsYou, b.State == agent.TaskFailed:
		return NeedLook
	case b.State == agent.TaskDone && b.Ended.Outcome == agent.Completed:
		return NeedRead
	}
	return NeedNothing
}

// Open reports whether a turn is in hand.
func (b Brief) Open() bool { return b.Phase != string(Idle) && b.Phase != "" }

// Tidy makes a text that anybody may have written fit for a menu or a
// notification: one line without control, bidi or markup characters, of at most so
// many characters.
func Tidy(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == '<':
			return '‹'
		case r == '>':
			return '›'
		case r == '&':
			return '+'
		case !unicode.IsPrint(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		s = strings.TrimSpace(string(r[:most-1])) + "…"
	}
	return s
}

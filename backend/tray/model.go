package tray

import (
	"strconv"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/view"
)

// State is what the icon tells.
type State string

// States, what outranks the others last.
const (
	Idle    State = "idle"
	Limited State = "limited" // an agent waits for capacity, and nothing else goes on
	Running State = "running"
	Needs   State = "needs" // something needs the user
)

// Model is what the tray shows: a line in words, and three lists that may be empty.
type Model struct {
	State State
	Tip   []view.Phrase // how things stand, what matters most first; never empty

	Needs    []Entry // what needs the user: a click opens the task
	Running  []Entry // open turns: Open and Cancel turn
	Capacity []Entry // what waits for capacity: a click opens the task
	More     int     // tasks that the lists leave out

	Automation bool // there is automation that can be stopped
}

// Entry is one task in the menu.
type Entry struct {
	Task    agent.TaskID
	Session agent.SessionID
	Title   string // fit for a menu; "" where there is none
	Detail  view.Phrase
}

// Bounds of a menu.
const (
	mostEntries  = 8 // of a list
	longestTitle = 48
)

// Of makes the model of where all tasks stand.
func Of(s view.Summary, now time.Time) Model {
	m := Model{State: Idle, Automation: s.Automation}
	var needs, running, limited int
	put := func(list *[]Entry, n *int, e Entry) {
		if *n++; *n > mostEntries {
			m.More++
			return
		}
		*list = append(*list, e)
	}
	for _, b := range s.Tasks {
		e := Entry{Task: b.Task, Session: b.Session, Title: view.Tidy(b.Title, longestTitle), Detail: b.Detail}
		switch need := b.Need(); {
		case need == view.NeedCapacity && !b.Ended.Reset.IsZero() && !b.Ended.Reset.After(now):
			e.Detail = view.Phrase{Key: "notify.capacity_back", Args: map[string]string{"agent": b.Agent}}
			put(&m.Needs, &needs, e)
		case need == view.NeedCapacity:
			put(&m.Capacity, &limited, e)
		case need == view.NeedAnswer, need == view.NeedStart, need == view.NeedLook:
			put(&m.Needs, &needs, e)
		case b.Open():
			put(&m.Running, &running, e)
		}
	}
	for _, x := range []struct {
		n     int
		state State
		key   string
	}{{needs, Needs, "tray.needs"}, {running, Running, "tray.running"}, {limited, Limited, "tray.limited"}} {
		if x.n == 0 {
			continue
		}
		if m.State == Idle {
			m.State = x.state
		}
		m.Tip = append(m.Tip, view.Phrase{Key: x.key, Args: map[string]string{"Count": strconv.Itoa(x.n)}})
	}
	if m.State == Idle {
		m.Tip = []view.Phrase{{Key: "tray.idle"}}
	}
	return m
}

// Next is when a model of the same tasks will be another: a limit ends. Zero where
// time alone changes nothing.
func Next(s view.Summary, now time.Time) time.Time {
	var next time.Time
	for _, b := range s.Tasks {
		if r := b.Ended.Reset; b.Need() == view.NeedCapacity && r.After(now) && (next.IsZero() || r.Before(next)) {
			next = r
		}
	}
	return next
}

// Action is what the user asked for in the menu.
type Action struct {
	Do      Verb
	Task    agent.TaskID    // of Open; "" for the window alone
	Session agent.SessionID // of Cancel
}

// Verb is the kind of an Action.
type Verb string

// Verbs.
const (
	Open   Verb = "open"
	Cancel Verb = "cancel"
	Stop   Verb = "stop" // all automation
	Quit   Verb = "quit"
)

// Leave is what closing the window does.
type Leave string

// Ways to leave.
const (
	Hide Leave = "hide" // into the tray
	Ask  Leave = "ask"  // whether open turns may be ended, then quit
	Go   Leave = "go"   // quit
)

// Leaving says what closing the window does. asked is that the user wants to quit
// and not only to close it; host that somebody shows the icon; wished that closing
// should hide; running counts the open turns.
func Leaving(asked, host, wished bool, running int) Leave {
	switch {
	case !asked && host && wished:
		return Hide
	case running > 0:
		return Ask
	}
	return Go
}

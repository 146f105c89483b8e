package turn

import (
	"strings"
	"time"

	"turnwatch/backend/agent"
)

// An agent whose provider stream was cut asks again and sends the same text once
// more, in new chunks under the same message id. Appended, the reader would see
// it twice. These bounds tell such an echo from an author who repeats himself:
// the echo begins after a pause, at the very start of the message.
const (
	echoPause = time.Second // every agent measured waits 2 s or more before it asks again
	echoHead  = 64 << 10    // how much of a message is kept to compare with
	echoLeast = 16          // bytes that a first full repetition must have
)

// echo watches one message for repetitions of itself.
type echo struct {
	head    string // the first part of what is shown
	size    int    // bytes shown in all
	held    string // a repetition in the making; not shown, because it says nothing new
	doubt   string // repetitions that broke off before one was proved
	heard   bool   // one full repetition was seen: this message does get repeated
	lastAt  time.Time
	compare bool // a repetition is in the making
}

// first takes the text that began the message.
func (e *echo) first(s string, at time.Time) { e.grow(s); e.lastAt = at }

// take adds a chunk and returns what has changed: nothing while it only repeats
// what is shown, the part anew where a repetition went on to say more.
func (e *echo) take(s string, at time.Time, part agent.Part) []agent.Fact {
	pause := at.Sub(e.lastAt)
	e.lastAt = at
	if pause >= echoPause && e.size <= echoHead && strings.HasPrefix(e.head, s) {
		e.doubt += e.held // an earlier repetition broke off here
		e.held, e.compare = "", true
	}
	if !e.compare {
		return e.show(part, s)
	}
	e.held += s
	if len(e.held) == e.size && e.held == e.head && e.size >= echoLeast {
		e.heard = true
	}
	switch {
	case strings.HasPrefix(e.head, e.held):
		return nil
	case e.heard && strings.HasPrefix(e.held, e.head):
		return e.show(part, e.held[e.size:]) // it went on to say more
	default:
		return e.show(part, e.unproved())
	}
}

// end settles what is still held back when the message can't grow any more.
func (e *echo) end(part agent.Part) []agent.Fact { return e.show(part, e.unproved()) }

// unproved is what was held back and has to be shown after all: everything, as
// long as this message was never repeated whole; then only a text that differs.
func (e *echo) unproved() string {
	if e.heard && strings.HasPrefix(e.head, e.held) {
		return ""
	}
	if e.heard {
		return e.held
	}
	return e.doubt + e.held
}

func (e *echo) show(part agent.Part, s string) []agent.Fact {
	e.compare, e.held, e.doubt = false, "", ""
	if s == "" {
		return nil
	}
	fact := agent.PartAppended{Seq: part.Seq, Offset: e.size, Text: s}
	e.grow(s)
	return []agent.Fact{fact}
}

func (e *echo) grow(s string) {
	if room := echoHead - len(e.head); room > 0 {
		e.head += s[:min(room, len(s))]
	}
	e.size += len(s)
}

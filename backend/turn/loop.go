package turn

import (
	"strconv"

	"turnwatch/backend/agent"
)

// loopLeast is from how many steps without output on a turn is said to loop.
const loopLeast = 3

// loop counts the steps of the turn in hand that added nothing: messages with new
// ids whose text equals the one before, with no tool call between.
type loop struct {
	id    string // of the message that is being said
	text  digest // of what it has said so far
	prev  digest // of the message before it
	ids   int    // messages since the last tool call
	equal int    // of them in a row, the one that is being said not counted
	said  bool   // the notice was given
}

// heard lets a genuine update of the turn in hand count for the loop.
func (t *step) heard(u agent.Update) {
	l := &t.turn.loop
	switch u.Kind {
	case agent.ToolCalled, agent.ToolChanged, agent.PlanChanged:
		*l = loop{said: l.said}
	case agent.MessageChunk, agent.ThoughtChunk:
		if u.MessageID == "" {
			return
		}
		if u.MessageID != l.id {
			t.nextStep(u.MessageID)
		}
		l.text = l.text.add(u.Kind, u.Block.Text)
	}
}

// nextStep closes the message before and counts it if it said nothing new.
func (t *step) nextStep(id string) {
	l := &t.turn.loop
	if l.ids > 0 {
		switch {
		case l.ids > 1 && l.text == l.prev:
			l.equal++
		default:
			l.equal = 1
		}
		l.prev = l.text
	}
	l.id, l.text, l.ids = id, 0, l.ids+1
	t.looping()
}

// stepped takes the agent's own word that a step had no output.
func (t *step) stepped(e agent.Stepped) {
	if !t.turn.open() || e.Stamp.Generation != t.turn.gen || t.turn.phase == cancelling {
		return
	}
	t.turn.loop.equal++
	t.looping()
}

// looping says, once for a turn, that the agent asks its model without getting
// anywhere, and counts on from there.
func (t *step) looping() {
	l := &t.turn.loop
	if l.equal < loopLeast {
		return
	}
	n := agent.Notice{Kind: agent.NoticeLooping, Args: map[string]string{"steps": strconv.Itoa(l.equal)}}
	if l.said {
		t.note(t.turn.gen, agent.NoticeChanged{Notice: n})
		return
	}
	l.said = true
	t.note(t.turn.gen, agent.Noticed{Notice: n})
}

// digest is a running FNV-1a sum of what a message says.
type digest uint64

func (d digest) add(kind agent.UpdateKind, s string) digest {
	const offset, prime = 14695981039346656037, 1099511628211
	if s == "" {
		return d
	}
	if d == 0 {
		d = offset
	}
	if kind == agent.ThoughtChunk {
		d = (d ^ 1) * prime
	}
	for i := range len(s) {
		d = (d ^ digest(s[i])) * prime
	}
	return d
}

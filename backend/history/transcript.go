package history

import (
	"fmt"
	"strings"

	"turnwatch/backend/agent"
)

// sealing is whether a part's text may still grow, and whether it is in the
// index of words. The numbers are those of the column parts.state.
type sealing int

const (
	partOpen     sealing = 0 // the newest part of its session, streaming
	partIndexed  sealing = 1 // sealed, and can be found by its words
	partReopened sealing = 2 // grew after a later part had begun; sealed at the end of its turn
	partSealed   sealing = 3 // sealed, not in the index yet
	partAsStored sealing = -1
)

// maxSeq bounds a part's number, because a row id is made from it.
const maxSeq = 1<<32 - 1

// change is what one group does to one part: it is replaced by set, or, where
// set is nil, its text goes on with tail.
type change struct {
	seq   uint64
	set   *agent.Part
	isNew bool
	tail  strings.Builder
	state sealing
}

// text is the whole text of a part that is set.
func (c *change) text() string {
	if c.tail.Len() == 0 {
		return c.set.Text
	}
	return c.set.Text + c.tail.String()
}

// transcript gathers what one group does to the parts of one session, so that
// however often a part is touched it is written once. It is pure: the rows are
// written from it when the group ends.
type transcript struct {
	last    uint64 // the highest number, as stored and in this group
	changes map[uint64]*change
	order   []*change
	loose   []*change // those that the next new part seals
	grown   bool      // a part was added: open ones before it are sealed
	settled bool      // a turn ended: all are sealed
}

// set adds a part or replaces it whole.
func (t *transcript) set(p agent.Part) error {
	if p.Seq == 0 || p.Seq > maxSeq {
		return fmt.Errorf("%w: part number %d", ErrRefused, p.Seq)
	}
	added := p.Seq > t.last
	if added {
		t.seal()
	}
	c := t.change(p.Seq)
	switch {
	case added:
		t.last, t.grown, c.isNew = p.Seq, true, true
		c.state = partSealed
		if streams(p.Kind) {
			c.state = partOpen
		}
	case !streams(p.Kind):
		c.state = partSealed
	case c.state != partOpen:
		c.state = partReopened
	}
	c.set = &p
	c.tail.Reset()
	return nil
}

// extend adds text to the end of a part.
func (t *transcript) extend(seq uint64, text string) error {
	if seq == 0 || seq > t.last {
		return fmt.Errorf("%w: text for part %d, which is not there", ErrRefused, seq)
	}
	c := t.change(seq)
	if c.state == partSealed {
		c.state = partReopened
	}
	c.tail.WriteString(text)
	return nil
}

// settle seals all that was said in the turn.
func (t *transcript) settle() {
	t.loose, t.settled = nil, true
	for _, c := range t.order {
		c.state = partSealed
	}
}

func (t *transcript) seal() {
	for _, c := range t.loose {
		if c.state != partReopened {
			c.state = partSealed
		}
	}
	t.loose = t.loose[:0]
}

func (t *transcript) change(seq uint64) *change {
	if c, ok := t.changes[seq]; ok {
		return c
	}
	if t.changes == nil {
		t.changes = map[uint64]*change{}
	}
	c := &change{seq: seq, state: partAsStored}
	t.changes[seq] = c
	t.order = append(t.order, c)
	t.loose = append(t.loose, c)
	return c
}

// streams reports whether parts of a kind grow by PartAppended.
func streams(k agent.PartKind) bool { return k == agent.PartText || k == agent.PartThought }

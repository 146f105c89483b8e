package view

import (
	"slices"
	"strings"
	"time"

	"turnwatch/backend/agent"
)

// Piece is one part of the transcript as it stands. Its text grows cheaply; read
// it by Text, never from the part.
type Piece struct {
	Part agent.Part

	text strings.Builder
}

// Text is the whole text of a prompt, message or thought.
func (p *Piece) Text() string { return p.text.String() }

// Took is how long a tool call was open, and false while it is or where the
// times make no sense.
func Took(p agent.Part) (time.Duration, bool) {
	if p.Ended.IsZero() || p.At.IsZero() || p.Ended.Before(p.At) {
		return 0, false
	}
	return p.Ended.Sub(p.At), true
}

// Took is Took of the part.
func (p *Piece) Took() (time.Duration, bool) { return Took(p.Part) }

// find gives the place of a sequence number and whether it is taken.
func (t *Turn) find(seq uint64) (int, bool) {
	return slices.BinarySearchFunc(t.pieces, seq, func(p *Piece, seq uint64) int {
		switch {
		case p.Part.Seq < seq:
			return -1
		case p.Part.Seq > seq:
			return 1
		}
		return 0
	})
}

// set puts a part in its place, whole.
func (t *Turn) set(part agent.Part) Change {
	i, there := t.find(part.Seq)
	if !there {
		p := &Piece{Part: part}
		p.text.WriteString(part.Text)
		t.pieces = slices.Insert(t.pieces, i, p)
		return Change{Piece: p, Added: part.Text, Fresh: true}
	}
	p := t.pieces[i]
	before := p.text.String()
	p.Part = part
	if rest, grew := strings.CutPrefix(part.Text, before); grew {
		p.text.WriteString(rest)
		return Change{Piece: p, Added: rest}
	}
	p.text.Reset()
	p.text.WriteString(part.Text)
	return Change{Piece: p, Added: part.Text, Replaced: true}
}

// extend adds to a text. One for a part that was never set is dropped: there is
// nothing to say whose it is.
func (t *Turn) extend(f agent.PartAppended) Change {
	i, there := t.find(f.Seq)
	if !there {
		return Change{}
	}
	t.pieces[i].text.WriteString(f.Text)
	return Change{Piece: t.pieces[i], Added: f.Text}
}

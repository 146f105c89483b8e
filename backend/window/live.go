package window

import (
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/view"
)

// live is what is known of a session by its facts, from when this window began:
// the turn in hand, with the parts that may not be on disk yet.
type live struct {
	turn       view.Turn
	first      time.Time          // of the first genuine event of the turn
	info       *agent.SessionInfo // what the agent offers, which may not be on disk yet; nil where it was not heard
	connecting bool               // the user asked for the agent without a prompt
	tails      []tail             // text added to parts that are on disk only
}

// tail is text that was added to a part of an earlier turn.
type tail struct {
	seq    uint64
	offset int
	text   string
}

// most tails are kept; what is older is on disk by far.
const mostTails = 256

// take folds a fact in and gives the change to the transcript.
func (l *live) take(e agent.Entry) view.Change {
	c := l.turn.Apply(e)
	switch f := e.Fact.(type) {
	case agent.TurnStarted:
		l.first, l.tails = time.Time{}, nil
	case agent.SessionReady:
		l.connecting, l.info = false, &f.Info
	case agent.OpenRefused:
		l.connecting = false
	case agent.OptionsSet:
		l.offers(func(i *agent.SessionInfo) { i.Options = f.Options })
	case agent.CommandsSet:
		l.offers(func(i *agent.SessionInfo) { i.Commands = f.Commands })
	case agent.TurnSettled:
		// Everything that came before it is on disk: it is told after its commit.
		l.turn.Forget()
	case agent.PartSet:
		if l.first.IsZero() && f.Part.Kind != agent.PartPrompt && !f.Part.Late && f.Part.Generation == l.turn.Generation {
			l.first = e.At
		}
	case agent.PartAppended:
		if c.Piece == nil && len(l.tails) < mostTails {
			l.tails = append(l.tails, tail{f.Seq, f.Offset, f.Text})
		}
	}
	return c
}

// offers changes what the agent offers, in a copy: what was heard is not ours.
func (l *live) offers(change func(*agent.SessionInfo)) {
	if l.info != nil {
		i := *l.info
		change(&i)
		l.info = &i
	}
}

// told is what an agent offers by what was heard of it, else by the history. It
// may be asked of nil.
func (l *live) told(stored agent.SessionInfo) agent.SessionInfo {
	if l == nil || l.info == nil {
		return stored
	}
	return *l.info
}

// over puts what may not be on disk yet over a page that was read, oldest first.
// A page that is not the newest gets no new parts.
func (l *live) over(page []held, newest bool) []held {
	at := map[uint64]int{}
	for i, h := range page {
		at[h.Seq] = i
	}
	for _, p := range l.turn.Pieces() {
		h := heldOf(p)
		i, there := at[h.Seq]
		switch {
		case there:
			page[i] = h
		case newest && (len(page) == 0 || h.Seq > page[len(page)-1].Seq):
			page = append(page, h)
		}
	}
	for _, t := range l.tails {
		if i, there := at[t.seq]; there && t.offset <= len(page[i].Text) && t.offset+len(t.text) > len(page[i].Text) {
			page[i].Text = page[i].Text[:t.offset] + t.text
		}
	}
	return page
}

// held is a part as it stands, with its text whole.
type held struct{ agent.Part }

func heldOf(p *view.Piece) held {
	h := held{Part: p.Part}
	h.Text = p.Text()
	return h
}

// took is how long a tool call was open, in ms; -1 where that is not known.
func (h held) took() int64 {
	if took, over := view.Took(h.Part); over {
		return took.Milliseconds()
	}
	return -1
}

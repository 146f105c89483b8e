package window

import (
	"context"
	"slices"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// pageSize is how many parts a page holds.
const pageSize = 200

// page reads the parts before a seq, or the newest where it is 0, with what may
// not be on disk yet. The lock is held.
func (d *desk) page(ctx context.Context, id agent.SessionID, before uint64) (Page, error) {
	if before == 1 {
		return Page{First: true}, nil
	}
	query := history.PartQuery{Session: id, Backwards: true, Limit: pageSize + 1} // one more tells whether there is more
	if before > 0 {
		query.From = before - 1
	}
	parts, err := d.room.core.History().Parts(ctx, query)
	if err != nil {
		return Page{}, err
	}
	first := len(parts) <= pageSize
	parts = parts[:min(len(parts), pageSize)]
	slices.Reverse(parts)
	list := make([]held, len(parts))
	for i, p := range parts {
		list[i] = held{Part: p}
	}
	if l := d.lives[id]; l != nil {
		list = l.over(list, before == 0)
	}
	page := Page{First: first}
	for _, h := range list {
		page.Parts = append(page.Parts, partOf(h, onScreen()))
	}
	return page, nil
}

// part reads one part as it stands. The lock is held.
func (d *desk) part(ctx context.Context, id agent.SessionID, seq uint64) (held, error) {
	parts, err := d.room.core.History().Parts(ctx, history.PartQuery{Session: id, From: seq, Limit: 1})
	if err != nil {
		return held{}, err
	}
	var list []held
	if len(parts) == 1 && parts[0].Seq == seq {
		list = []held{{Part: parts[0]}}
	}
	if l := d.lives[id]; l != nil {
		list = l.over(list, true)
	}
	for _, h := range list {
		if h.Seq == seq {
			return h, nil
		}
	}
	return held{}, history.ErrNotFound
}

// show opens a session for the page: from here on it gets the changes of its
// transcript.
func (d *desk) show(ctx context.Context, id agent.SessionID) (Opened, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drain()
	sessions, err := d.siblings(ctx, id)
	if err != nil {
		return Opened{}, err
	}
	s, err := d.session(ctx, id)
	if err != nil {
		return Opened{}, err
	}
	p, err := d.page(ctx, id, 0)
	if err != nil {
		return Opened{}, err
	}
	d.open = opened{id: id}
	if s.Turn.First == 0 {
		s.Turn.First = firstOf(p, s.Turn.Generation)
	}
	return Opened{Session: s, Sessions: sessions, Page: p, Batch: d.n}, nil
}

// firstOf is the time of the first thing that the agent did in a turn, where the
// page goes back to its prompt.
func firstOf(p Page, turn uint64) int64 {
	asked := false
	for _, part := range p.Parts {
		switch {
		case part.Turn != turn:
		case part.Kind == string(agent.PartPrompt):
			asked = true
		case asked && !part.Late:
			return part.At
		}
	}
	return 0
}

// siblings lists the sessions of the task of a session, newest first.
func (d *desk) siblings(ctx context.Context, id agent.SessionID) ([]Earlier, error) {
	store := d.room.core.History()
	s, err := store.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	all, err := store.Sessions(ctx, s.Task)
	if err != nil {
		return nil, err
	}
	out := make([]Earlier, 0, len(all))
	for _, s := range slices.Backward(all) {
		out = append(out, Earlier{
			Session: string(s.ID), Title: firstLine(s.Title, longestTitle), Started: ms(s.CreatedAt), Turns: int(s.Generation),
		})
	}
	return out, nil
}

// leave closes the open session.
func (d *desk) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open = opened{}
}

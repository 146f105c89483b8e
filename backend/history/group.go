package history

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"turnwatch/backend/agent"
)

// group is what goes into one commit. Facts are written as they come, but for
// the transcript: parts are gathered and written once, at the end.
type group struct {
	place
	pen      *pen
	known    map[agent.SessionID]known // as of the last commit
	now      time.Time
	sessions map[agent.SessionID]*session
	order    []*session
}

// session is a session that a group writes to.
type session struct {
	id    agent.SessionID
	num   int64
	task  string
	at    time.Time // of the latest entry
	words transcript
}

// low and high are the ends of the range of part ids of a session.
func low(num int64) int64                { return num << 32 }
func high(num int64) int64               { return num<<32 + maxSeq }
func partID(num int64, seq uint64) int64 { return num<<32 + int64(seq) }

// apply writes a batch. After an error the whole group has to be rolled back.
func (g *group) apply(entries []agent.Entry) error {
	for _, e := range entries {
		s, err := g.session(e.Session)
		if err != nil {
			return err
		}
		if e.At.IsZero() {
			e.At = g.now
		}
		if e.At.After(s.at) {
			s.at = e.At
		}
		if err := g.fact(s, e); err != nil {
			return fmt.Errorf("store %T: %w", e.Fact, err)
		}
	}
	return nil
}

// session finds a session and makes sure that no other living program owns it.
func (g *group) session(id agent.SessionID) (*session, error) {
	if s, ok := g.sessions[id]; ok {
		return s, nil
	}
	k, ok := g.known[id]
	if !ok {
		var err error
		if k, err = claim(g.pen, g.place, id, g.now); err != nil {
			return nil, err
		}
	}
	s := &session{id: id, num: k.num, task: k.task}
	s.words.last = k.last
	if g.sessions == nil {
		g.sessions = map[agent.SessionID]*session{}
	}
	g.sessions[id] = s
	g.order = append(g.order, s)
	return s, nil
}

// write writes the transcripts and brings the sessions up to date.
func (g *group) write() error {
	for _, s := range g.order {
		if err := writeTranscript(g.pen, s.num, &s.words); err != nil {
			return fmt.Errorf("store transcript: %w", err)
		}
		_, err := g.pen.exec(`UPDATE sessions SET last_seq = max(last_seq, ?),
			updated_at = max(updated_at, ?), pruned_at = CASE WHEN ? THEN NULL ELSE pruned_at END
			WHERE num = ?`, int64(s.words.last), millis(s.at), s.words.grown, s.num)
		if err != nil {
			return fmt.Errorf("store session: %w", err)
		}
	}
	return nil
}

// remember keeps, after the commit, what the next group needs to know.
func (g *group) remember() {
	for _, s := range g.order {
		g.known[s.id] = known{s.num, s.task, s.words.last}
	}
}

// claim makes sure that this program owns a session. A turn that a dead owner
// left open becomes interrupted first.
func claim(p *pen, at place, id agent.SessionID, now time.Time) (known, error) {
	var k known
	var owner sql.NullString
	var last int64
	err := p.row("SELECT num, task, last_seq, owner FROM sessions WHERE id = ?", []any{string(id)},
		&k.num, &k.task, &last, &owner)
	if errors.Is(err, sql.ErrNoRows) {
		return k, fmt.Errorf("find session %s: %w", id, ErrNotFound)
	}
	if err != nil {
		return k, fmt.Errorf("find session: %w", err)
	}
	k.last = uint64(last)
	if owner.String == at.owner {
		return k, nil
	}
	if owner.Valid && at.folder.alive(owner.String) {
		busy := &BusyError{Session: id}
		err := p.row("SELECT pid FROM owners WHERE id = ?", []any{owner.String}, &busy.PID)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return k, fmt.Errorf("find owner: %w", err)
		}
		return k, busy
	}
	if _, err := interrupt(p, k, id, now); err != nil {
		return k, err
	}
	if _, err := p.exec("UPDATE sessions SET owner = ? WHERE num = ?", at.owner, k.num); err != nil {
		return k, fmt.Errorf("claim session: %w", err)
	}
	return k, nil
}

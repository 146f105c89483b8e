package history

import (
	"fmt"

	"turnwatch/backend/agent"
)

// planned writes that a failed prompt is sent again. One that waits already gets
// another time; one that is over stays so.
func (g *group) planned(s *session, e agent.Entry, f agent.RetryPlanned) error {
	n, err := g.pen.exec(`INSERT INTO retries (session, generation, try, most, planned_at, retry_at)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (session, generation) DO UPDATE SET retry_at = excluded.retry_at
		WHERE ended_at IS NULL`,
		s.num, int64(e.Generation), f.Try, f.Most, millis(e.At), millis(f.At))
	if err == nil && n == 0 {
		g.log.Warn("history: a retry that is over was planned again", "session", s.id, "generation", e.Generation)
	}
	return err
}

// dropped writes that a failed prompt is not sent again, planned or not. The first
// reason stands.
func (g *group) dropped(s *session, e agent.Entry, f agent.RetryDropped) error {
	_, err := g.pen.exec(`INSERT INTO retries (session, generation, try, planned_at, ended_at, why)
		VALUES (?1, ?2, ?3, ?4, ?4, ?5) ON CONFLICT (session, generation) DO UPDATE SET ended_at = ?4, why = ?5
		WHERE ended_at IS NULL`,
		s.num, int64(e.Generation), f.Try, millis(e.At), string(f.Why))
	return err
}

// sentAgain takes a retry as sent, in the commit that holds its start. One that
// does not wait any more is refused: nothing is sent twice for one failure. A
// prompt of the user ends whatever waits.
func (g *group) sentAgain(s *session, e agent.Entry, f agent.TurnStarted) error {
	if f.Again == 0 {
		return dropRetries(g.pen, "session = ?3", agent.DropPrompt, millis(e.At), s.num)
	}
	n, err := g.pen.exec(`UPDATE retries SET ended_at = ?, sent_as = ?
		WHERE session = ? AND generation = ? AND ended_at IS NULL`,
		millis(e.At), int64(f.Generation), s.num, int64(f.Again))
	if err == nil && n == 0 {
		return fmt.Errorf("%w: the retry of turn %d does not wait any more", ErrRefused, f.Again)
	}
	return err
}

// dropRetries ends the retries that wait in some sessions, as the term tells; its
// argument is ?3.
func dropRetries(p *pen, term string, why agent.RetryDrop, now, arg any) error {
	_, err := p.exec("UPDATE retries SET ended_at = ?1, why = ?2 WHERE ended_at IS NULL AND "+term, now, string(why), arg)
	if err != nil {
		return fmt.Errorf("drop retries: %w", err)
	}
	return nil
}

// ofTask is the term for the sessions of a task.
const ofTask = "session IN (SELECT num FROM sessions WHERE task = ?3)"

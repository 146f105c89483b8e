package history

import (
	"database/sql"
	"fmt"
	"time"

	"turnwatch/backend/agent"
)

// recoverDead makes the open turns of dead owners interrupted, gives their
// sessions back and forgets the owners. Rows of living owners are not touched.
func recoverDead(p *pen, f folder, now time.Time) ([]Recovered, error) {
	type held struct {
		known
		id    agent.SessionID
		owner string
	}
	var all []held
	err := p.rows(`SELECT s.num, s.id, s.task, coalesce(s.owner, t.owner)
		FROM sessions s LEFT JOIN turns t ON t.session = s.num AND t.outcome IS NULL
		WHERE s.num IN (SELECT num FROM sessions WHERE owner IS NOT NULL
			UNION SELECT session FROM turns WHERE outcome IS NULL)
		GROUP BY s.num ORDER BY s.num`, nil, func(r *sql.Rows) error {
		var h held
		err := r.Scan(&h.num, (*string)(&h.id), &h.task, &h.owner)
		all = append(all, h)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find turns of dead owners: %w", err)
	}
	alive := map[string]bool{}
	var out []Recovered
	for _, h := range all {
		lives, asked := alive[h.owner]
		if !asked {
			lives = f.alive(h.owner)
			alive[h.owner] = lives
		}
		if lives {
			continue
		}
		found, err := interrupt(p, h.known, h.id, now)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
		if _, err := p.exec("UPDATE sessions SET owner = NULL WHERE num = ?", h.num); err != nil {
			return nil, fmt.Errorf("give session back: %w", err)
		}
	}
	return out, forgetDead(p, f)
}

func forgetDead(p *pen, f folder) error {
	var ids []string
	err := p.rows("SELECT id FROM owners", nil, func(r *sql.Rows) error {
		var id string
		err := r.Scan(&id)
		ids = append(ids, id)
		return err
	})
	for _, id := range ids {
		if err == nil && !f.alive(id) {
			_, err = p.exec("DELETE FROM owners WHERE id = ?", id)
		}
	}
	if err != nil {
		return fmt.Errorf("forget dead owners: %w", err)
	}
	return nil
}

// interrupt ends the open turns of a session whose owner is gone and leaves the
// session as a person can go on with it. It does nothing to one that was left in
// order.
func interrupt(p *pen, k known, id agent.SessionID, now time.Time) ([]Recovered, error) {
	var out []Recovered
	err := p.rows("SELECT generation FROM turns WHERE session = ? AND outcome IS NULL ORDER BY generation",
		[]any{k.num}, func(r *sql.Rows) error {
			var g int64
			err := r.Scan(&g)
			out = append(out, Recovered{agent.TaskID(k.task), id, agent.Generation(g)})
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("find open turns: %w", err)
	}
	if err := tidy(p, k.num, len(out) > 0, now); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, nil
	}
	for _, q := range []string{
		"UPDATE turns SET outcome = 'interrupted', ended_at = ?2 WHERE session = ?1 AND outcome IS NULL",
		`UPDATE sessions SET state = 'waiting_for_input', updated_at = max(updated_at, ?2),
			held = EXISTS (SELECT 1 FROM prompts WHERE session = ?1) WHERE num = ?1`,
		`UPDATE tasks SET state = 'needs_you', updated_at = max(updated_at, ?2)
			WHERE id = (SELECT task FROM sessions WHERE num = ?1)`,
		`UPDATE asks SET closed_at = ?2, option = '', decided_by = 'end'
			WHERE session = ?1 AND closed_at IS NULL`,
	} {
		if _, err := p.exec(q, k.num, millis(now)); err != nil {
			return nil, fmt.Errorf("interrupt turn: %w", err)
		}
	}
	return out, nil
}

// tidy seals the parts of a session that nobody writes to any more. Where its
// turn was cut off, tools that were at work are marked as cancelled.
func tidy(p *pen, num int64, cut bool, now time.Time) error {
	if err := sealAll(p, num); err != nil {
		return err
	}
	if !cut {
		_, err := p.exec(`UPDATE sessions SET state = 'waiting_for_input'
			WHERE num = ? AND state IN ('running', 'opening')`, num)
		return err
	}
	_, err := p.exec(`UPDATE parts SET tool_open = 0, body_json = json_set(body_json, '$.tool.status', ?)
		WHERE tool_open = 1 AND id BETWEEN ? AND ?`, string(agent.ToolCancelled), low(num), high(num))
	if err != nil {
		return fmt.Errorf("cancel open tools: %w", err)
	}
	return nil
}

// giveBack lets go of all sessions of an owner, and of the owner.
func giveBack(p *pen, owner string) error {
	var nums []int64
	err := p.rows("SELECT num FROM sessions WHERE owner = ?", []any{owner}, func(r *sql.Rows) error {
		var n int64
		err := r.Scan(&n)
		nums = append(nums, n)
		return err
	})
	for _, n := range nums {
		if err == nil {
			err = letGo(p, n)
		}
	}
	if err == nil {
		_, err = p.exec("DELETE FROM owners WHERE id = ?", owner)
	}
	if err != nil {
		return fmt.Errorf("give sessions back: %w", err)
	}
	return nil
}

// letGo seals what is open and takes the owner's name off. A turn that is still
// open keeps its owner's name, and the next program to look makes it interrupted.
func letGo(p *pen, num int64) error {
	err := sealAll(p, num)
	if err == nil {
		_, err = p.exec("UPDATE sessions SET owner = NULL WHERE num = ?", num)
	}
	return err
}

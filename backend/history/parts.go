package history

import (
	"database/sql"
	"errors"
	"fmt"

	"turnwatch/backend/agent"
)

// writeTranscript writes what a group did to the parts of a session.
func writeTranscript(p *pen, num int64, t *transcript) error {
	if t.grown || t.settled {
		if err := sealStored(p, num, t); err != nil {
			return err
		}
	}
	for _, c := range t.order {
		var err error
		if c.set != nil {
			err = writePart(p, num, c)
		} else {
			err = writeTail(p, num, c, t.settled)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sealStored seals the parts of earlier groups that are open and that this group
// does not touch.
func sealStored(p *pen, num int64, t *transcript) error {
	ids, err := unsealed(p, num, t.settled)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, touched := t.changes[uint64(id-low(num))]; touched {
			continue
		}
		if err := seal(p, id); err != nil {
			return err
		}
	}
	return nil
}

// unsealed lists the parts of a session that are open and, where again is set,
// those that were opened again.
func unsealed(p *pen, num int64, again bool) ([]int64, error) {
	var ids []int64
	err := p.rows("SELECT id FROM parts WHERE state IN (0, 2) AND (state = 0 OR ?) AND id BETWEEN ? AND ?",
		[]any{again, low(num), high(num)}, func(r *sql.Rows) error {
			var id int64
			err := r.Scan(&id)
			ids = append(ids, id)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("find open parts: %w", err)
	}
	return ids, nil
}

// sealAll seals whatever is open in a session.
func sealAll(p *pen, num int64) error {
	ids, err := unsealed(p, num, true)
	for _, id := range ids {
		if err == nil {
			err = seal(p, id)
		}
	}
	return err
}

// seal folds what was appended to a part into its row.
func seal(p *pen, id int64) error {
	_, err := p.exec(`UPDATE parts SET state = 3, text = text || coalesce(
		(SELECT group_concat(t.text, '' ORDER BY t.n) FROM tails t WHERE t.part = parts.id), '')
		WHERE id = ?`, id)
	if err == nil {
		_, err = p.exec("DELETE FROM tails WHERE part = ?", id)
	}
	if err != nil {
		return fmt.Errorf("seal part: %w", err)
	}
	return nil
}

const insertPart = `INSERT INTO parts (id, state, tool_open, generation, kind, key, at, late, marked,
	title, text, body_json, raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const replacePart = insertPart + ` ON CONFLICT (id) DO UPDATE SET state = excluded.state,
	tool_open = excluded.tool_open, generation = excluded.generation, kind = excluded.kind,
	key = excluded.key, at = excluded.at, late = excluded.late, marked = excluded.marked,
	title = excluded.title, text = excluded.text, body_json = excluded.body_json, raw = excluded.raw`

// writePart writes a part whole.
func writePart(p *pen, num int64, c *change) error {
	part := *c.set
	body, err := bodyOut(part)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	var bodyCell, rawCell any
	if body != "" {
		bodyCell = body
	}
	if len(part.Raw) > 0 {
		rawCell = part.Raw
	}
	title, toolOpen := "", false
	if part.Kind == agent.PartTool {
		title, toolOpen = part.Tool.Title, part.Tool.Status.Open()
	}
	id := partID(num, c.seq)
	query := insertPart
	if !c.isNew {
		if _, err := p.exec("DELETE FROM tails WHERE part = ?", id); err != nil {
			return err
		}
		query = replacePart
	}
	_, err = p.exec(query, id, int(c.state), toolOpen, int64(part.Generation), string(part.Kind), part.Key,
		millis(part.At), part.Late, part.Marked, title, c.text(), bodyCell, rawCell)
	return err
}

// writeTail writes what was appended to a part of an earlier group.
func writeTail(p *pen, num int64, c *change, settled bool) error {
	id := partID(num, c.seq)
	var stored int
	err := p.row("SELECT state FROM parts WHERE id = ?", []any{id}, &stored)
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("%w: text for part %d, which is not there", ErrRefused, c.seq)
	}
	if err != nil {
		return err
	}
	if c.tail.Len() > 0 {
		if _, err := p.exec("INSERT INTO tails (part, text) VALUES (?, ?)", id, c.tail.String()); err != nil {
			return err
		}
	}
	now := sealing(stored)
	switch {
	case c.state == partSealed && (settled || now == partOpen):
		return seal(p, id)
	case now == partSealed || now == partIndexed || now == partOpen && c.state == partReopened:
		now = partReopened
	}
	if now == sealing(stored) {
		return nil
	}
	_, err = p.exec("UPDATE parts SET state = ? WHERE id = ?", int(now), id)
	return err
}

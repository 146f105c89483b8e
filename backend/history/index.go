package history

import "fmt"

// indexStep is how many parts are indexed in one transaction: so few that what
// arrives meanwhile waits some milliseconds at most.
const indexStep = 128

// index puts some sealed parts into the index of words. It may lag behind what
// is stored, and loses nothing by failing: the next commit has it tried again.
func (w *writer) index() {
	n := 0
	err := w.pen.begin()
	if err == nil {
		if n, err = indexSome(w.pen, indexStep); err == nil {
			err = w.pen.commit()
		}
		if err != nil {
			w.pen.rollback()
		}
	}
	if err != nil {
		w.log.Warn("history cannot be indexed now", "err", err)
	}
	w.behind = err == nil && n == indexStep
}

// indexSome puts up to n sealed parts into the index of words and tells how many
// there were. The triggers on parts do the work.
func indexSome(p *pen, n int) (int, error) {
	done, err := p.exec("UPDATE parts SET state = 1 WHERE id IN (SELECT id FROM parts WHERE state = 3 LIMIT ?)", n)
	if err != nil {
		return 0, fmt.Errorf("index parts: %w", err)
	}
	return int(done), nil
}

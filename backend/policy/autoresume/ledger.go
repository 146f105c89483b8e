package autoresume

import "time"

// Row is one line of the ledger: what was done, on which evidence, and what came
// of it. Rows of one Engine have rising ids.
type Row struct {
	ID      uint64
	At      time.Duration
	Session string
	Act     Act
	Kind    Kind
	Reason  Reason
	Count   int
	Why     Evidence
	Result  Result // of a Prompt: what came of it; of a Reply: the answer; "withdrawn" of an announcement
}

// Withdrawn is the result of an announcement that was taken back.
const Withdrawn Result = "withdrawn"

// Ledger keeps the last rows. Its zero value is ready; it is not safe for several
// goroutines. What is older than Most rows is dropped: who wants all stores each
// action as it comes.
type Ledger struct {
	Most int // 0: 500
	rows []Row
}

// Note enters actions: a row for each, and for Outcome and Withdraw the result of
// the row that they mean.
func (l *Ledger) Note(actions ...Action) {
	for _, a := range actions {
		if a.Act == Outcome || a.Act == Withdraw {
			l.settle(a)
			continue
		}
		l.rows = append(l.rows, Row{
			ID: a.ID, At: a.At, Session: a.Session, Act: a.Act, Kind: a.Kind, Reason: a.Reason, Count: a.Count, Why: a.Why, Result: a.Result,
		})
	}
	most := l.Most
	if most <= 0 {
		most = 500
	}
	if over := len(l.rows) - most; over > 0 {
		l.rows = append(l.rows[:0], l.rows[over:]...)
	}
}

func (l *Ledger) settle(a Action) {
	for i := len(l.rows) - 1; i >= 0; i-- {
		if l.rows[i].ID == a.ID {
			l.rows[i].Result = a.Result
			if a.Act == Withdraw {
				l.rows[i].Result = Withdrawn
			}
			return
		}
	}
}

// Rows are those that are kept, the oldest first.
func (l *Ledger) Rows() []Row { return append([]Row(nil), l.rows...) }

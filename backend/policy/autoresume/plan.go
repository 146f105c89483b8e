package autoresume

// plan is what the agent means to do. Most is the most entries that were ever
// complete since the user spoke: only more than that refills the reminders, so
// that a plan that goes to and fro does not.
type plan struct {
	entries []Entry
	most    int
}

func (p plan) completed() int {
	n := 0
	for _, e := range p.entries {
		if e.Status == "completed" {
			n++
		}
	}
	return n
}

// open counts the entries that are neither done nor given up.
func (p plan) open() int {
	n := 0
	for _, e := range p.entries {
		if e.Status != "completed" && e.Status != "cancelled" {
			n++
		}
	}
	return n
}

func (p plan) finished() bool { return len(p.entries) > 0 && p.open() == 0 }

func (s *session) planned(entries []Entry) {
	s.plan.entries = append([]Entry(nil), entries[:min(len(entries), mostEntries)]...)
	for i := range s.plan.entries {
		s.plan.entries[i].Content = "" // nobody asks for it
	}
	if n := s.plan.completed(); n > s.plan.most {
		s.plan.most = n
		s.spent.reminders = 0
	}
}

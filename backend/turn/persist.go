package turn

import (
	"slices"

	"turnwatch/backend/agent"
)

// persisted goes on with what waited for a record. A refused record is as if it
// had never been.
func (t *step) persisted(e agent.Persisted) {
	var due []wait
	t.waiting = slices.DeleteFunc(t.waiting, func(w wait) bool {
		hit := w.seq == e.Seq || (e.Err == nil && w.seq < e.Seq)
		if hit {
			due = append(due, w)
		}
		return hit
	})
	for _, w := range due {
		if e.Err == nil {
			t.stored(w)
		} else {
			t.notStored(w)
		}
	}
}

func (t *step) stored(w wait) {
	switch {
	case w.start && t.turn.phase == recording:
		t.started()
	case w.notice != 0:
		t.noticeStored(w.notice)
	case w.retry != 0:
		t.countDown(w.retry)
	case w.ask != "":
		t.send(agent.Decided{Ask: w.ask, Decision: w.decision})
	}
}

func (t *step) notStored(w wait) {
	switch {
	case w.start && t.turn.phase == recording:
		t.notStarted()
	case w.notice != 0:
		t.noticeRefused(w.notice)
	case w.queued != "":
		if i := t.queue.find(w.queued); i >= 0 {
			t.queue.prompts = slices.Delete(t.queue.prompts, i, i+1)
		}
	}
}

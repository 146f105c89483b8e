package history

import (
	"errors"
	"sync"
	"time"
)

// health is how the writer fares, as others may see it.
type health struct {
	tell func(Health) // may be nil
	mu   sync.Mutex
	now  Health
}

func (h *health) get() Health {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

// fell notes a failure and reports whether it is news.
func (h *health) fell(err *Error, at time.Time, waiting int) bool {
	h.mu.Lock()
	since, news := at, true
	if h.now.Err != nil {
		since, news = h.now.Since, !errors.Is(h.now.Err, err.Kind)
	}
	now := Health{Err: err, Since: since, Waiting: waiting}
	h.now = now
	h.mu.Unlock()
	if news && h.tell != nil {
		h.tell(now)
	}
	return news
}

// rose notes that writing works and reports whether that is news.
func (h *health) rose() bool {
	h.mu.Lock()
	news := h.now.Err != nil
	h.now = Health{}
	h.mu.Unlock()
	if news && h.tell != nil {
		h.tell(Health{})
	}
	return news
}

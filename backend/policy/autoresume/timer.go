package autoresume

import (
	"container/heap"
	"time"
)

// timerKind names a timer of a session; each session has one of a kind at most.
type timerKind int

const (
	intentTimer  timerKind = iota // the early look for an intent
	passTimer                     // the pass over what a turn ended with
	pendingTimer                  // an action that waits for its delay, its countdown or a poll
	gapTimer                      // between an own cancel and the prompt
	awaitTimer                    // a prompt is sent; its turn should begin
	timerKinds
)

// timer is an entry of the heap; one that was replaced or stopped is stale.
type timer struct {
	at   time.Duration
	seq  uint64
	s    *session
	what timerKind
}

// timers are those of all sessions, the soonest first, those of one moment in the
// order in which they were set.
type timers struct {
	heap timerHeap
	seq  uint64
}

func (t *timers) pop() timer { return heap.Pop(&t.heap).(timer) }

// arm sets a timer anew, stop stops it.
func (e *Engine) arm(s *session, what timerKind, at time.Duration) {
	e.timers.seq++
	s.timers[what] = e.timers.seq
	heap.Push(&e.timers.heap, timer{at, e.timers.seq, s, what})
}

func (s *session) stop(what ...timerKind) {
	for _, w := range what {
		s.timers[w] = 0
	}
}

type timerHeap []timer

func (h timerHeap) Len() int      { return len(h) }
func (h timerHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *timerHeap) Push(x any)   { *h = append(*h, x.(timer)) }
func (h timerHeap) Less(i, j int) bool {
	if h[i].at != h[j].at {
		return h[i].at < h[j].at
	}
	return h[i].seq < h[j].seq
}

func (h *timerHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = timer{}
	*h = old[:len(old)-1]
	return last
}

package supervise

import "turnwatch/backend/agent"

// sink is where one connection puts what it reads. Each process has its own, so
// that what a process says after we let go of it can be told apart.
type sink struct {
	s    *Session
	conn int
	gone chan struct{} // closed when the connection is let go of
}

func (k *sink) Stamp() agent.Stamp {
	return agent.Stamp{Generation: k.s.count.Current(), At: k.s.o.Clock.Now()}
}

func (k *sink) Deliver(ev agent.Event) {
	k.s.box.deliver(letter{event: ev, conn: k.conn}, k.gone)
}

// Offer checks session and generation before it queues: the session by being the
// session's own sink, the generation against the one in force.
func (k *sink) Offer(ev agent.Event) bool {
	if f, ok := ev.(agent.FailureSeen); ok && f.Stamp.Generation != k.s.count.Current() {
		return false
	}
	return k.s.box.offer(letter{event: ev, conn: k.conn})
}

package managed

import (
	"strconv"
	"sync"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
)

// asks holds the permission requests that the agent waits for. Nothing here
// chooses an answer. Safe for several goroutines; never blocks.
type asks struct {
	mu   sync.Mutex
	last uint64
	open map[agent.AskID]*acp.Request
}

// add names a request. The name is unique within the process.
func (a *asks) add(r *acp.Request) agent.AskID {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open == nil {
		a.open = map[agent.AskID]*acp.Request{}
	}
	a.last++
	id := agent.AskID("ask-" + strconv.FormatUint(a.last, 10))
	a.open[id] = r
	return id
}

// answer answers a request; one that is not open any more is nothing.
func (a *asks) answer(id agent.AskID, d agent.Decision) error {
	a.mu.Lock()
	r := a.open[id]
	delete(a.open, id)
	a.mu.Unlock()
	if r == nil {
		return nil
	}
	return r.Respond(acp.AskAnswer(d))
}

// cancel answers every open request with cancelled: the turn is over.
func (a *asks) cancel() {
	a.mu.Lock()
	open := a.open
	a.open = nil
	a.mu.Unlock()
	for _, r := range open {
		_ = r.Respond(acp.AskAnswer(agent.Decision{By: agent.ByCancel})) // a peer that is gone needs no answer
	}
}

// withdraw takes a request back that the agent has cancelled itself, by the id it
// gave it.
func (a *asks) withdraw(rpc string) (agent.AskID, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, r := range a.open {
		if string(r.ID) == rpc {
			delete(a.open, id)
			_ = r.Fail(acp.CodeCancelled, "request cancelled", nil)
			return id, true
		}
	}
	return "", false
}

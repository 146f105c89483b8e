package core

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
	"turnwatch/backend/settings"
)

// When the history is made smaller: not while everything is being opened, and
// then now and again.
const (
	pruneFirst = 2 * time.Minute
	pruneEvery = 6 * time.Hour
)

// keeper drops what the limits allow to be dropped. It asks for the limits each
// time, so that a change of them holds at once.
type keeper struct {
	store  *history.Store
	clock  agent.Clock
	wanted func() settings.Keep
	log    *slog.Logger
	ctx    context.Context // ended by close
	cancel context.CancelFunc

	mu    sync.Mutex
	timer func() bool    // stops the next run
	runs  sync.WaitGroup // of a run under way
}

// keep starts a keeper. Without limits it never runs.
func keep(store *history.Store, o Options) *keeper {
	k := &keeper{store: store, clock: o.Clock, wanted: o.Keep, log: o.Log}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	if k.wanted != nil {
		k.arm(pruneFirst)
	}
	return k
}

func (k *keeper) arm(d time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ctx.Err() == nil {
		k.timer = k.clock.AfterFunc(d, k.run)
	}
}

func (k *keeper) run() {
	k.mu.Lock()
	if k.ctx.Err() != nil {
		k.mu.Unlock()
		return
	}
	k.runs.Add(1)
	k.mu.Unlock()
	defer k.runs.Done()
	w := k.wanted()
	p, err := k.store.Prune(k.ctx, history.Limits{Age: w.Age(), Bytes: w.Bytes(), Undo: w.Undo()})
	switch {
	case errors.Is(err, context.Canceled):
	case err != nil:
		k.log.Warn("history could not be made smaller", "err", err)
	case p.Tasks+p.Transcripts > 0:
		k.log.Info("history made smaller", "transcripts", p.Transcripts, "tasks", p.Tasks, "bytes", p.Bytes)
	}
	k.arm(pruneEvery)
}

// close ends the keeper and waits for a run under way, which stops at its next step.
func (k *keeper) close() {
	k.mu.Lock()
	k.cancel()
	if k.timer != nil {
		k.timer()
	}
	k.mu.Unlock()
	k.runs.Wait()
}

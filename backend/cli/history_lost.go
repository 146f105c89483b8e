package cli

import (
	"context"
	"fmt"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// lost are the turns whose program is gone. The record still calls them open until
// a program opens it for writing; they are told as that will find them. When they
// were cut off is not known.
type lost []history.Recovered

func abandoned(ctx context.Context, store *history.Store) (lost, error) {
	found, err := store.Abandoned(ctx)
	if err != nil {
		return nil, fmt.Errorf("look for abandoned turns: %w", err)
	}
	return found, nil
}

func (l lost) task(t *history.Task) {
	for _, x := range l {
		if x.Task == t.ID {
			t.State = agent.TaskNeedsYou
		}
	}
}

func (l lost) session(s *history.Session) {
	for _, x := range l {
		if x.Session == s.ID {
			s.State = agent.SessionWaiting
		}
	}
}

func (l lost) turn(t *history.Turn) {
	for _, x := range l {
		if x.Session == t.Session && x.Generation == t.Generation && t.End == nil {
			t.End = &history.TurnEnd{Outcome: agent.Interrupted}
		}
	}
}

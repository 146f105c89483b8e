package window

import (
	"context"
	"errors"
	"strings"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/history"
	"turnwatch/backend/redact"
)

// Send hands in a prompt. It is durable when the call is answered: sent next, or
// in the queue behind the turn in hand.
func (t *Tasks) Send(session string, d Draft) error {
	return do(t.r, usually, func(c call) error {
		id, err := sessionID(session)
		if err != nil {
			return err
		}
		s, err := c.living(id)
		if err != nil {
			return err
		}
		blocks, err := d.blocks(s.Dir, takesOf(c.desk.offer(id, s.Info)))
		if err != nil {
			return err
		}
		if v, ok := c.core.View(id); !ok || v.Generation == 0 {
			c.traces.before(c.ctx, id, s.Generation+1, s.Dir)
		}
		_, err = c.core.Submit(c.ctx, id, blocks)
		return err
	})
}

// living reads a session whose task is not deleted.
func (c call) living(id agent.SessionID) (history.Session, error) {
	s, err := c.core.History().Session(c.ctx, id)
	if err != nil {
		return s, err
	}
	task, err := c.core.History().Task(c.ctx, s.Task)
	if err == nil && !task.DeletedAt.IsZero() {
		err = history.ErrNotFound
	}
	return s, err
}

// EditQueued changes the text of a prompt that waits.
func (t *Tasks) EditQueued(session, id, text string) error {
	return t.event(session, func(c call, s history.Session) (agent.Event, error) {
		p, err := promptID(id)
		if err != nil {
			return nil, err
		}
		if err := clean("text", text, longestText); err != nil {
			return nil, err
		}
		queue, err := c.core.History().Queue(c.ctx, s.ID)
		if err != nil {
			return nil, err
		}
		for _, q := range queue {
			if q.ID == p {
				return agent.EditQueued{ID: p, Blocks: reworded(q.Blocks, text)}, nil
			}
		}
		return nil, agent.NoSuchPrompt
	})
}

// reworded puts another text into a prompt and keeps what else is in it.
func reworded(blocks []agent.Block, text string) []agent.Block {
	var out []agent.Block
	if strings.TrimSpace(text) != "" {
		out = append(out, agent.TextBlock(text))
	}
	first := true
	for _, b := range blocks {
		if b.Kind == agent.BlockText && first {
			first = false
			continue
		}
		out = append(out, b)
	}
	return out
}

// RemoveQueued takes a prompt out of the queue.
func (t *Tasks) RemoveQueued(session, id string) error {
	return t.event(session, func(call, history.Session) (agent.Event, error) {
		p, err := promptID(id)
		return agent.RemoveQueued{ID: p}, err
	})
}

// Release sends a held queue on.
func (t *Tasks) Release(session string) error {
	return t.event(session, func(call, history.Session) (agent.Event, error) { return agent.ReleaseQueue{}, nil })
}

// Cancel ends the turn in hand; with none it does nothing.
func (t *Tasks) Cancel(session string) error {
	return t.event(session, func(call, history.Session) (agent.Event, error) { return agent.CancelTurn{}, nil })
}

// Decide answers a request of the agent with one of its options; "" cancels it.
func (t *Tasks) Decide(session, ask, option string) error {
	return t.event(session, func(call, history.Session) (agent.Event, error) {
		if line("request", ask, longestPath) != nil || line("option", option, longestPath) != nil {
			return nil, wrong("request")
		}
		return agent.Decide{Ask: agent.AskID(ask), Decision: agent.Decision{Option: option, By: agent.ByUser}}, nil
	})
}

// Choose asks the agent for another value of one of its options.
func (t *Tasks) Choose(session, id, value string) error {
	return t.event(session, func(c call, s history.Session) (agent.Event, error) {
		for _, o := range c.desk.offer(s.ID, s.Info).Options {
			if o.ID != id {
				continue
			}
			for _, v := range o.Choices {
				if v.Value == value {
					return agent.SetOption{ID: id, Value: value}, nil
				}
			}
		}
		return nil, wrong("option")
	})
}

// Connect brings the agent up without a prompt.
func (t *Tasks) Connect(session string) error {
	return do(t.r, usually, func(c call) error {
		id, err := sessionID(session)
		if err != nil {
			return err
		}
		if _, err := c.living(id); err != nil {
			return err
		}
		return c.connect(id)
	})
}

func (c call) connect(id agent.SessionID) error {
	if v, ok := c.core.View(id); ok && v.Up {
		return nil
	}
	s, err := c.core.History().Session(c.ctx, id)
	if err != nil {
		return err
	}
	c.desk.connecting(id, s.Task, true)
	if err := c.core.Do(c.ctx, id, agent.Connect{}); err != nil {
		c.desk.connecting(id, s.Task, false)
		return err
	}
	return nil
}

// offer is what the agent of a session offers, as far as this program or the
// history knows.
func (d *desk) offer(id agent.SessionID, stored agent.SessionInfo) agent.SessionInfo {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drain()
	return d.lives[id].told(stored)
}

// connecting notes that an agent is being brought up without a prompt.
func (d *desk) connecting(id agent.SessionID, task agent.TaskID, on bool) {
	d.mu.Lock()
	l, ok := d.lives[id]
	if !ok {
		l = &live{}
		d.lives[id] = l
	}
	l.connecting = on
	d.mu.Unlock()
	d.touch(task)
}

// Restart stops the agent's process and opens the session anew.
func (t *Tasks) Restart(session string) error {
	return t.event(session, func(call, history.Session) (agent.Event, error) { return agent.Restart{}, nil })
}

// event hands an event of the user to a session and waits until it has taken
// effect.
func (t *Tasks) event(session string, make func(call, history.Session) (agent.Event, error)) error {
	return do(t.r, usually, func(c call) error {
		id, err := sessionID(session)
		if err != nil {
			return err
		}
		s, err := c.living(id)
		if err != nil {
			return err
		}
		ev, err := make(c, s)
		if err != nil {
			return err
		}
		return c.core.Do(c.ctx, id, ev)
	})
}

// StartFresh makes a new session in the same task, and opens it.
func (t *Tasks) StartFresh(session string) (Opened, error) {
	return answer(t.r, slowly, func(c call) (Opened, error) {
		id, err := sessionID(session)
		if err != nil {
			return Opened{}, err
		}
		if _, err := c.living(id); err != nil {
			return Opened{}, err
		}
		ref, err := c.core.StartFresh(c.ctx, id)
		if err != nil {
			return Opened{}, err
		}
		c.desk.touch(ref.Task)
		return c.desk.show(c.ctx, ref.Session)
	})
}

// Dismiss puts a card away for good.
func (t *Tasks) Dismiss(card int64) error {
	return do(t.r, usually, func(c call) error {
		id, err := c.core.History().SessionOf(c.ctx, card)
		if err != nil {
			return err
		}
		s, err := c.core.History().Session(c.ctx, id)
		if err != nil {
			return err
		}
		defer c.desk.touch(s.Task)
		if v, up := c.core.View(id); up && v.Again != nil { // nothing goes on behind a card that was put away
			if err := c.core.Do(c.ctx, id, agent.CancelTurn{}); err != nil {
				return err
			}
		}
		return c.core.History().Dismiss(c.ctx, card)
	})
}

// OpenRemediation opens the link of a card in the user's browser. The link is the
// stored one and is checked once more; the page never names an address.
func (t *Tasks) OpenRemediation(card int64) error {
	return do(t.r, usually, func(c call) error {
		f, err := c.core.History().Failure(c.ctx, card)
		if err != nil {
			return err
		}
		if !redact.Remediation(f.Failure.Link) || c.o.OpenLink == nil {
			return &Error{Key: "error.no_link"}
		}
		if err := c.o.OpenLink(f.Failure.Link); err != nil {
			return &Error{Key: "error.browser"}
		}
		return nil
	})
}

// Rename sets the title of a task; "" goes back to the agent's.
func (t *Tasks) Rename(task, title string) error {
	return t.change(task, func(c call, id agent.TaskID) error {
		if err := line("title", title, longestTitle); err != nil {
			return err
		}
		return c.core.History().RenameTask(c.ctx, id, strings.TrimSpace(title))
	})
}

// Archive puts a task away, or brings it back.
func (t *Tasks) Archive(task string, away bool) error {
	return t.change(task, func(c call, id agent.TaskID) error { return c.core.History().ArchiveTask(c.ctx, id, away) })
}

// Delete marks a task as deleted and stops what runs in it. Undelete takes it
// back, as long as it was not removed for good.
func (t *Tasks) Delete(task string) error {
	return t.change(task, func(c call, id agent.TaskID) error {
		sessions, err := c.core.History().Sessions(c.ctx, id)
		if err != nil {
			return err
		}
		if err := c.core.History().DeleteTask(c.ctx, id); err != nil {
			return err
		}
		r := c.room
		r.work.Go(func() {
			ctx, stop := context.WithTimeout(context.WithoutCancel(r.ctx), slowly)
			defer stop()
			for _, s := range sessions {
				if err := r.core.Stop(ctx, s.ID); err != nil && !errors.Is(err, core.ErrClosed) {
					r.o.Log.Warn("session of a deleted task did not stop", "session", s.ID, "err", err)
				}
			}
		})
		return nil
	})
}

// Undelete takes a deletion back.
func (t *Tasks) Undelete(task string) error {
	return t.change(task, func(c call, id agent.TaskID) error { return c.core.History().UndeleteTask(c.ctx, id) })
}

// change does something to a task that the history alone knows of.
func (t *Tasks) change(task string, f func(call, agent.TaskID) error) error {
	return do(t.r, usually, func(c call) error {
		id, err := taskID(task)
		if err != nil {
			return err
		}
		if err := f(c, id); err != nil {
			return err
		}
		c.desk.touch(id)
		return nil
	})
}

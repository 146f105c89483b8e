package window

import (
	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// Tasks is what the Tasks screen may ask. Every call is answered with its value,
// or rejected with an Error as text.
type Tasks struct{ r *room }

// List gives all tasks, or the archived ones. It is what a page begins with, and
// what it asks for when a batch is missing.
func (t *Tasks) List(archived bool) (List, error) {
	return answer(t.r, usually, func(c call) (List, error) {
		rows, n, err := c.desk.list(c.ctx, archived)
		if err != nil {
			return List{}, err
		}
		out := List{Rows: rows, Batch: n, Trouble: c.trouble(), Stopped: c.stopped()}
		out.Agents, out.Looked = c.agents.now()
		return out, nil
	})
}

// trouble is what is wrong with the data, or was when it was opened.
func (c call) trouble() *Phrase {
	if p := ailment(c.core.History().Health().Err); p.Key != "" {
		return &p
	}
	if file := c.core.Opened().History.SetAside; file != "" {
		return &Phrase{Key: "trouble.set_aside", Args: map[string]string{"file": file}}
	}
	return nil
}

// Open opens a session of a task, the newest where session is "", with the
// newest page of its transcript. From here on the batches hold its changes: a
// page applies those after the batch that it is given here, also the ones that
// came while it waited for the answer.
func (t *Tasks) Open(task, session string) (Opened, error) {
	return answer(t.r, usually, func(c call) (Opened, error) {
		id, err := taskID(task)
		if err != nil {
			return Opened{}, err
		}
		sessions, err := c.core.History().Sessions(c.ctx, id)
		if err != nil {
			return Opened{}, err
		}
		if len(sessions) == 0 {
			return Opened{}, history.ErrNotFound
		}
		if session == "" {
			return c.desk.show(c.ctx, sessions[len(sessions)-1].ID)
		}
		for _, s := range sessions {
			if string(s.ID) == session {
				return c.desk.show(c.ctx, s.ID)
			}
		}
		return Opened{}, history.ErrNotFound
	})
}

// Leave says that no session is open any more.
func (t *Tasks) Leave() error {
	return do(t.r, usually, func(c call) error {
		c.desk.leave()
		return nil
	})
}

// Earlier gives the page of a transcript before a part.
func (t *Tasks) Earlier(session string, before uint64) (Page, error) {
	return answer(t.r, usually, func(c call) (Page, error) {
		id, err := sessionID(session)
		if err != nil {
			return Page{}, err
		}
		if before == 0 {
			return Page{}, wrong("part")
		}
		c.desk.mu.Lock()
		defer c.desk.mu.Unlock()
		return c.desk.page(c.ctx, id, before)
	})
}

// Part gives one part whole, as far as 5 MB of output go.
func (t *Tasks) Part(session string, seq uint64) (Part, error) {
	return answer(t.r, usually, func(c call) (Part, error) {
		id, err := sessionID(session)
		if err != nil {
			return Part{}, err
		}
		c.desk.mu.Lock()
		h, err := c.desk.part(c.ctx, id, seq)
		c.desk.mu.Unlock()
		if err != nil {
			return Part{}, err
		}
		return partOf(h, whole()), nil
	})
}

// Find looks for a text in a transcript, as it stands.
func (t *Tasks) Find(session, text string) ([]Found, error) {
	return answer(t.r, usually, func(c call) ([]Found, error) {
		id, err := sessionID(session)
		if err != nil {
			return nil, err
		}
		if err := line("text", text, longestQuery); err != nil {
			return nil, err
		}
		if _, err := c.core.History().Session(c.ctx, id); err != nil {
			return nil, err
		}
		hits, err := c.core.History().Find(c.ctx, id, text, 200)
		return found(hits), err
	})
}

// Files finds files of the session's folder by letters of their path, at most 50.
func (t *Tasks) Files(session, query string) ([]string, error) {
	return answer(t.r, usually, func(c call) ([]string, error) {
		id, err := sessionID(session)
		if err != nil {
			return nil, err
		}
		if err := line("text", query, longestQuery); err != nil {
			return nil, err
		}
		s, err := c.core.History().Session(c.ctx, id)
		if err != nil {
			return nil, err
		}
		return c.files(s.Dir, query)
	})
}

// Changes gives what a turn changed in the folder.
func (t *Tasks) Changes(session string, turn uint64) (Changes, error) {
	return answer(t.r, slowly, func(c call) (Changes, error) {
		id, err := sessionID(session)
		if err != nil {
			return Changes{}, err
		}
		return c.changes(id, agent.Generation(turn))
	})
}

// Prompts gives what the user has asked in a session, newest first.
func (t *Tasks) Prompts(session string) ([]string, error) {
	return answer(t.r, usually, func(c call) ([]string, error) {
		id, err := sessionID(session)
		if err != nil {
			return nil, err
		}
		if _, err := c.core.History().Session(c.ctx, id); err != nil {
			return nil, err
		}
		return c.core.History().Prompts(c.ctx, id, 100)
	})
}

func found(hits []history.Hit) []Found {
	out := make([]Found, 0, len(hits))
	for _, h := range hits {
		f := Found{
			Task: string(h.Task), Title: firstLine(h.Title, longestTitle), Session: string(h.Session),
			Turn: uint64(h.Generation), Seq: h.Seq, Kind: string(h.Kind), At: ms(h.At),
		}
		for _, s := range h.Snippet {
			f.Snippet = append(f.Snippet, Span(s))
		}
		out = append(out, f)
	}
	return out
}

package history

import (
	"fmt"

	"turnwatch/backend/agent"
)

// fact writes one fact. The switch names every fact there is; a test goes
// through the sum, so that a new one cannot be forgotten here.
func (g *group) fact(s *session, e agent.Entry) error {
	switch f := e.Fact.(type) {
	case agent.PartSet:
		return s.words.set(f.Part)
	case agent.PartAppended:
		return s.words.extend(f.Seq, f.Text)
	case agent.SessionReady:
		return g.ready(s, f.Info)
	case agent.PromptQueued:
		return g.queued(s, f.Prompt)
	case agent.PromptEdited:
		return g.edited(s, f)
	case agent.PromptRemoved:
		return g.removed(s, f.ID)
	case agent.TurnStarted:
		return g.started(s, e, f)
	case agent.TurnSettled:
		return g.settled(s, e, f)
	case agent.RetryAnnounced:
		return g.retrying(s, e, f)
	case agent.RetryPlanned:
		return g.planned(s, e, f)
	case agent.RetryDropped:
		return g.dropped(s, e, f)
	case agent.CancelStepped:
		return g.cancelled(s, e, f.Step)
	case agent.AutoStepped:
		return g.autoStepped(s, e, f.Step)
	case agent.StateSet:
		return g.stands(s, e, f)
	case agent.AskOpened:
		return g.asked(s, e, f.Ask)
	case agent.AskClosed:
		return g.answered(s, e, f)
	case agent.Noticed:
		return g.noticed(s, e, f.Notice)
	case agent.NoticeChanged:
		return g.noticeChanged(s, e, f.Notice)
	case agent.ToolFinished:
		return g.toolFinished(s, e, f)
	case agent.OpenRefused:
		_, err := g.failed(s, e, f.Failure)
		return err
	case agent.OptionsSet:
		return g.set(s, "UPDATE sessions SET options_json = ? WHERE num = ?", optionsOut(f.Options))
	case agent.CommandsSet:
		return g.set(s, "UPDATE sessions SET commands_json = ? WHERE num = ?", commandsOut(f.Commands))
	case agent.UsageSet:
		return g.set(s, "UPDATE sessions SET usage_json = ? WHERE num = ?", storedUsage(f.Usage))
	case agent.TitleSet:
		return g.titled(s, f.Title)
	}
	return fmt.Errorf("%w: a fact of an unknown kind", ErrRefused)
}

// json writes a stored form; what cannot be written can never be stored.
func (g *group) json(v any) (string, error) {
	text, err := write(v)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return text, nil
}

// set writes one stored form of a session.
func (g *group) set(s *session, query string, v any) error {
	text, err := g.json(v)
	if err != nil {
		return err
	}
	_, err = g.pen.exec(query, text, s.num)
	return err
}

func (g *group) ready(s *session, i agent.SessionInfo) error {
	err := g.set(s, "UPDATE sessions SET info_json = ? WHERE num = ?", infoOut(i))
	if err == nil {
		err = g.set(s, "UPDATE sessions SET options_json = ? WHERE num = ?", optionsOut(i.Options))
	}
	if err == nil {
		err = g.set(s, "UPDATE sessions SET commands_json = ? WHERE num = ?", commandsOut(i.Commands))
	}
	if err == nil {
		_, err = g.pen.exec("UPDATE sessions SET provider = ? WHERE num = ?", string(i.ID), s.num)
	}
	return err
}

func (g *group) titled(s *session, title string) error {
	if _, err := g.pen.exec("UPDATE sessions SET title = ? WHERE num = ?", title, s.num); err != nil {
		return err
	}
	_, err := g.pen.exec("UPDATE tasks SET agent_title = ? WHERE id = ?", title, s.task)
	return err
}

// stands sets the state of a session and of its task, which moves the task to
// the front of the list.
func (g *group) stands(s *session, e agent.Entry, f agent.StateSet) error {
	_, err := g.pen.exec("UPDATE sessions SET state = ?, held = ? WHERE num = ?", string(f.Session), f.Held, s.num)
	if err != nil {
		return err
	}
	_, err = g.pen.exec("UPDATE tasks SET state = ?, updated_at = max(updated_at, ?) WHERE id = ?",
		string(f.Task), millis(e.At), s.task)
	return err
}

func (g *group) queued(s *session, p agent.Prompt) error {
	blocks, err := g.json(blocksOut(p.Blocks))
	if err != nil {
		return err
	}
	if p.At.IsZero() {
		p.At = g.now
	}
	_, err = g.pen.exec(`INSERT INTO prompts (session, id, at, blocks_json) VALUES (?, ?, ?, ?)`,
		s.num, string(p.ID), millis(p.At), blocks)
	return err
}

func (g *group) edited(s *session, f agent.PromptEdited) error {
	blocks, err := g.json(blocksOut(f.Blocks))
	if err != nil {
		return err
	}
	_, err = g.pen.exec("UPDATE prompts SET blocks_json = ? WHERE session = ? AND id = ?", blocks, s.num, string(f.ID))
	return err
}

func (g *group) removed(s *session, id agent.PromptID) error {
	_, err := g.pen.exec("DELETE FROM prompts WHERE session = ? AND id = ?", s.num, string(id))
	return err
}

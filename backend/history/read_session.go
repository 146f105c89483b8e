package history

import (
	"context"
	"database/sql"

	"turnwatch/backend/agent"
)

const selectSession = `SELECT s.id, s.task, s.kind, s.command_json, s.dir, s.wanted_json, s.state, s.held,
	s.generation, s.last_seq, s.provider, s.title, s.info_json, s.options_json, s.commands_json, s.usage_json,
	coalesce(s.owner, ''), coalesce(o.pid, 0), s.created_at, s.updated_at, s.pruned_at
	FROM sessions s LEFT JOIN owners o ON o.id = s.owner `

// Sessions reads the sessions of a task, oldest first.
func (s *Store) Sessions(ctx context.Context, id agent.TaskID) (out []Session, err error) {
	err = s.read(ctx, "read sessions", func(q querier) error {
		out, err = list(ctx, q, selectSession+"WHERE s.task = ? ORDER BY s.num", []any{string(id)}, scanSession)
		return err
	})
	return out, err
}

// Session reads one session.
func (s *Store) Session(ctx context.Context, id agent.SessionID) (out Session, err error) {
	err = s.read(ctx, "read session", func(q querier) error {
		out, err = readSession(ctx, q, id)
		return err
	})
	return out, err
}

func readSession(ctx context.Context, q querier, id agent.SessionID) (Session, error) {
	return one(ctx, q, "session "+string(id), selectSession+"WHERE s.id = ?", []any{string(id)}, scanSession)
}

func scanSession(r *sql.Rows) (Session, error) {
	var s Session
	var generation, last int64
	var command, wanted, info, options, commands, usage string
	err := r.Scan((*string)(&s.ID), (*string)(&s.Task), (*string)(&s.Kind), &command, &s.Dir, &wanted,
		(*string)(&s.State), &s.Held, &generation, &last, (*string)(&s.Info.ID), &s.Title,
		&info, &options, &commands, &usage, &s.Owner.ID, &s.Owner.PID,
		instant{&s.CreatedAt}, instant{&s.UpdatedAt}, instant{&s.PrunedAt})
	if err != nil {
		return s, err
	}
	s.Generation, s.LastSeq = agent.Generation(generation), uint64(last)
	return s, fillSession(&s, command, wanted, info, options, commands, usage)
}

// fillSession reads the stored forms of a session's columns.
func fillSession(s *Session, command, wanted, info, options, commands, usage string) error {
	var i storedInfo
	var o []storedOption
	var c []storedCommand
	var u storedUsage
	what := "session " + string(s.ID)
	for _, f := range []struct {
		text string
		into any
	}{{command, &s.Command}, {wanted, &s.Options}, {info, &i}, {options, &o}, {commands, &c}, {usage, &u}} {
		if err := read(f.text, f.into, what); err != nil {
			return err
		}
	}
	if len(s.Command) == 0 {
		s.Command = nil
	}
	if len(s.Options) == 0 {
		s.Options = nil
	}
	s.Info = agent.SessionInfo{
		ID: s.Info.ID, Agent: i.Agent, Version: i.Version, Resumes: i.Resumes, Images: i.Images,
		Embeds: i.Embeds, Resumed: i.Resumed, Options: each(o, optionIn),
		Commands: each(c, func(c storedCommand) agent.Command { return agent.Command(c) }),
	}
	s.Usage = agent.Usage(u)
	return nil
}

// Queue reads the prompts of a session that wait, in order.
func (s *Store) Queue(ctx context.Context, id agent.SessionID) (out []agent.Prompt, err error) {
	err = s.read(ctx, "read queue", func(q querier) error {
		out, err = readQueue(ctx, q, id)
		return err
	})
	return out, err
}

func readQueue(ctx context.Context, q querier, id agent.SessionID) ([]agent.Prompt, error) {
	return list(ctx, q, `SELECT p.id, p.at, p.blocks_json FROM prompts p JOIN sessions s ON s.num = p.session
		WHERE s.id = ? ORDER BY p.pos`, []any{string(id)}, func(r *sql.Rows) (p agent.Prompt, err error) {
		var blocks string
		if err = r.Scan((*string)(&p.ID), instant{&p.At}, &blocks); err != nil {
			return p, err
		}
		p.Blocks, err = readBlocks(blocks, "prompt "+string(p.ID))
		return p, err
	})
}

func readBlocks(text, what string) ([]agent.Block, error) {
	var stored []storedBlock
	err := read(text, &stored, what)
	return blocksIn(stored), err
}

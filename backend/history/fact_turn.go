package history

import (
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

// started opens a turn and takes its prompt out of the queue. A generation that
// is there already is refused by the primary key: no two turns share one.
func (g *group) started(s *session, e agent.Entry, f agent.TurnStarted) error {
	blocks, err := g.json(blocksOut(f.Prompt.Blocks))
	if err != nil {
		return err
	}
	at := f.Prompt.At
	if at.IsZero() {
		at = e.At
	}
	var mark agent.Auto
	if f.Auto != nil {
		mark = *f.Auto
	}
	_, err = g.pen.exec(`INSERT INTO turns (session, generation, owner, started_at, prompt_id, prompt_at, prompt_json, again_of, try,
		auto_kind, auto_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		s.num, int64(f.Generation), g.owner, millis(e.At), string(f.Prompt.ID), millis(at), blocks, int64(f.Again), f.Try,
		mark.Kind, mark.Count)
	if err != nil {
		return err
	}
	if err := g.sentAgain(s, e, f); err != nil {
		return err
	}
	if err := g.removed(s, f.Prompt.ID); err != nil {
		return err
	}
	_, err = g.pen.exec("UPDATE sessions SET generation = max(generation, ?) WHERE num = ?", int64(f.Generation), s.num)
	return err
}

// settled ends a turn. The first end stands; another one is logged and dropped.
func (g *group) settled(s *session, e agent.Entry, f agent.TurnSettled) error {
	s.words.settle()
	usage, err := g.json(storedUsage(f.Usage))
	if err != nil {
		return err
	}
	n, err := g.pen.exec(`UPDATE turns SET ended_at = ?, outcome = ?, stop = ?, by_agent = ?, usage_json = ?
		WHERE session = ? AND generation = ? AND outcome IS NULL`,
		millis(e.At), string(f.Outcome), string(f.Stop), f.ByAgent, usage, s.num, int64(e.Generation))
	if err != nil {
		return err
	}
	if n == 0 {
		g.log.Warn("history: a turn that is not open was settled",
			"session", s.id, "generation", e.Generation, "outcome", f.Outcome)
		return nil
	}
	if f.Failure == nil {
		return nil
	}
	id, err := g.failed(s, e, *f.Failure)
	if err != nil {
		return err
	}
	_, err = g.pen.exec("UPDATE turns SET failure = ? WHERE session = ? AND generation = ?", id, s.num, int64(e.Generation))
	return err
}

func (g *group) retrying(s *session, e agent.Entry, f agent.RetryAnnounced) error {
	_, err := g.pen.exec(`UPDATE turns SET retry_at = ?, retry_attempt = ?, retry_next = ?
		WHERE session = ? AND generation = ?`,
		millis(e.At), f.Attempt, millis(f.Next), s.num, int64(e.Generation))
	return err
}

func (g *group) cancelled(s *session, e agent.Entry, step agent.CancelStep) error {
	_, err := g.pen.exec("INSERT INTO cancel_steps (session, generation, at, step) VALUES (?, ?, ?, ?)",
		s.num, int64(e.Generation), millis(e.At), string(step))
	return err
}

func (g *group) asked(s *session, e agent.Entry, a agent.Ask) error {
	text, err := askOut(a)
	if err != nil {
		return err
	}
	_, err = g.pen.exec("INSERT INTO asks (session, generation, ask, opened_at, ask_json) VALUES (?, ?, ?, ?, ?)",
		s.num, int64(e.Generation), string(a.ID), millis(e.At), text)
	return err
}

// answered closes a request. Ids are unique within one process of an agent only,
// so the one that is open is meant.
func (g *group) answered(s *session, e agent.Entry, f agent.AskClosed) error {
	_, err := g.pen.exec(`UPDATE asks SET closed_at = ?, option = ?, decided_by = ?
		WHERE session = ? AND ask = ? AND closed_at IS NULL`,
		millis(e.At), f.Decision.Option, string(f.Decision.By), s.num, string(f.ID))
	return err
}

func (g *group) noticed(s *session, e agent.Entry, n agent.Notice) error {
	args, err := g.json(n.Args)
	if err != nil {
		return err
	}
	_, err = g.pen.exec("INSERT INTO notices (session, generation, at, kind, args_json) VALUES (?, ?, ?, ?, ?)",
		s.num, int64(e.Generation), millis(e.At), n.Kind, args)
	return err
}

// noticeChanged gives the notice of its kind in a turn other arguments.
func (g *group) noticeChanged(s *session, e agent.Entry, n agent.Notice) error {
	args, err := g.json(n.Args)
	if err != nil {
		return err
	}
	_, err = g.pen.exec("UPDATE notices SET args_json = ? WHERE session = ? AND generation = ? AND kind = ?",
		args, s.num, int64(e.Generation), n.Kind)
	return err
}

// failed writes the safe fields of a failure and returns the row's id.
func (g *group) failed(s *session, e agent.Entry, f agent.Failure) (int64, error) {
	args, err := g.json(f.Args)
	if err != nil {
		return 0, err
	}
	return g.pen.insert(`INSERT INTO failures (session, generation, at, failure_kind, code, rule_id,
		catalogue_version, source, provider_name, model_id, reset_at, error_output, remediation_url,
		occurred_at, hint, args_json, confidence, retry_after_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		s.num, int64(e.Generation), millis(e.At), failureKind(f.Code), string(f.Code), f.Rule,
		failure.CatalogueVersion, f.Source, f.Provider, f.Model, resetOut(f.ResetAt), f.Message, f.Link,
		millis(f.OccurredAt), f.Hint, args, f.Confidence, f.RetryAfter.Milliseconds())
}

// quotaKind is how a limit of the provider is called in a failure row.
const quotaKind = "provider_quota_limited"

func failureKind(c agent.Code) string {
	if c == failure.QuotaLimited {
		return quotaKind
	}
	return string(c)
}

func resetOut(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(resetForm)
}

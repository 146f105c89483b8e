package view

import (
	"time"

	"turnwatch/backend/agent"
)

// Line is one object of the replay vocabulary. Each type below is one act; the
// JSON of a line is its head and its fields, flat.
type Line interface{ head() *Head }

// Head is what every line has: the time in ms since the origin, the session
// where there are several, and the act.
type Head struct {
	T   int64  `json:"t"`
	S   string `json:"s,omitempty"`
	Act string `json:"act"`
}

func (h *Head) head() *Head { return h }

// The acts of the turn machine, shared by a run and by a replay.
type (
	// NoticeLine is act "notice": kind quiet, ended_empty or looping.
	NoticeLine struct {
		Head
		Kind string `json:"kind"`
		Tool string `json:"tool,omitempty"`
	}
	// HideLine is act "notice.hide": the notice goes with its turn.
	HideLine struct {
		Head
		Kind string `json:"kind"`
	}
	// LogLine is act "log": one line in the log. Only a replay tells it.
	LogLine struct {
		Head
		Kind string `json:"kind"`
	}
	// CancelLine is act "cancel": step sent, acknowledged, escalated,
	// not_stopped, returned.
	CancelLine struct {
		Head
		Step agent.CancelStep `json:"step"`
	}
	// SettledLine is act "settled". ResetAt is in ms of the same clock as t.
	SettledLine struct {
		Head
		Outcome agent.Outcome `json:"outcome"`
		Code    agent.Code    `json:"code,omitempty"`
		ResetAt *int64        `json:"reset_at,omitempty"`
	}
	// StateLine is act "session" or "task".
	StateLine struct {
		Head
		State string `json:"state"`
	}
	// RetryLine is act "retry". At is in ms of the same clock as t. Code and Message
	// are why, as far as the agent says so.
	RetryLine struct {
		Head
		Attempt int        `json:"attempt"`
		At      *int64     `json:"at,omitempty"`
		Code    agent.Code `json:"code,omitempty"`
		Message string     `json:"message,omitempty"`
	}
)

// The acts that a run adds, so that a program can follow the agent.
type (
	// ReadyLine is act "ready": the agent is there.
	ReadyLine struct {
		Head
		Agent   string         `json:"agent"`
		Version string         `json:"version,omitempty"`
		Options []agent.Option `json:"options,omitempty"`
	}
	// TurnLine is act "turn": the prompt is dispatched.
	TurnLine struct {
		Head
		Generation agent.Generation `json:"generation"`
	}
	// TextLine is act "text" or "thought". Text is to be added to what was said
	// under this part; with Replace it stands instead of it. Marked text is the
	// agent's own error or progress form and no output; late text came after the
	// end of its turn.
	TextLine struct {
		Head
		Part    uint64 `json:"part"`
		Text    string `json:"text"`
		Replace bool   `json:"replace,omitempty"`
		Marked  bool   `json:"marked,omitempty"`
		Late    bool   `json:"late,omitempty"`
	}
	// ToolLine is act "tool": the call as it stands. Content comes with the
	// line that closes the call.
	ToolLine struct {
		Head
		Part    uint64              `json:"part"`
		ID      string              `json:"id"`
		Kind    string              `json:"kind,omitempty"`
		Title   string              `json:"title,omitempty"`
		Status  agent.ToolStatus    `json:"status,omitempty"`
		Parent  string              `json:"parent,omitempty"`
		TookMS  *int64              `json:"took_ms,omitempty"`
		Content []agent.ToolContent `json:"content,omitempty"`
	}
	// PlanLine is act "plan": the whole plan.
	PlanLine struct {
		Head
		Part    uint64            `json:"part"`
		Entries []agent.PlanEntry `json:"entries"`
	}
	// UsageLine is act "usage".
	UsageLine struct {
		Head
		agent.Usage
	}
	// TitleLine is act "title": the agent's own title for the session.
	TitleLine struct {
		Head
		Title string `json:"title"`
	}
	// AskLine is act "ask.open", AnswerLine is act "ask.close".
	AskLine struct {
		Head
		ID      agent.AskID       `json:"id"`
		Kind    agent.AskKind     `json:"kind"`
		Tool    ToolAsked         `json:"tool"`
		Options []agent.AskOption `json:"options"`
	}
	AnswerLine struct {
		Head
		ID     agent.AskID      `json:"id"`
		Option string           `json:"option,omitempty"`
		By     agent.DecisionBy `json:"by"`
	}
)

// ToolAsked names the call that a request is about.
type ToolAsked struct {
	ID      string              `json:"id,omitempty"`
	Kind    string              `json:"kind,omitempty"`
	Title   string              `json:"title,omitempty"`
	Content []agent.ToolContent `json:"content,omitempty"`
}

// Final is the last object of a run.
type Final struct {
	Outcome agent.Outcome    `json:"outcome"`
	Stop    agent.StopReason `json:"stop,omitempty"`
	ByAgent bool             `json:"by_agent,omitempty"`
	Denied  bool             `json:"permission_needed,omitempty"` // a request found nobody to answer it
	Failure *FailureShown    `json:"failure"`
	Usage   *agent.Usage     `json:"usage,omitempty"`
	Task    agent.TaskID     `json:"task,omitempty"`
	Session agent.SessionID  `json:"session,omitempty"`
}

// FailureShown is the safe form of a failure for a program. Times are RFC 3339
// in UTC and null where they are not known.
type FailureShown struct {
	Code       agent.Code        `json:"code"`
	Message    string            `json:"message"`
	Provider   string            `json:"provider,omitempty"`
	Model      string            `json:"model"`
	ResetAt    *string           `json:"reset_at"`
	Link       *string           `json:"remediation_url"`
	OccurredAt *string           `json:"occurred_at,omitempty"`
	Source     string            `json:"source,omitempty"`
	Rule       string            `json:"rule_id,omitempty"`
	Confidence string            `json:"confidence,omitempty"`
	RetryAfter float64           `json:"retry_after_s,omitempty"` // the wait that was asked for
	Hint       string            `json:"hint,omitempty"`
	Args       map[string]string `json:"args,omitempty"`
}

// Show puts a failure into its form for a program; nil stays nil.
func Show(f *agent.Failure) *FailureShown {
	if f == nil {
		return nil
	}
	return &FailureShown{
		Code: f.Code, Message: f.Message, Provider: f.Provider, Model: f.Model,
		ResetAt: stamp(f.ResetAt), Link: text(f.Link), OccurredAt: stamp(f.OccurredAt),
		Source: f.Source, Rule: f.Rule, Hint: f.Hint,
		Confidence: f.Confidence, RetryAfter: f.RetryAfter.Seconds(), Args: f.Args,
	}
}

func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return text(t.UTC().Format(time.RFC3339))
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

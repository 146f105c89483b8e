package managed

import (
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/opencode"
	"turnwatch/backend/redact"
)

// Sources and rules of what the event stream proves.
const (
	sourceEvents = "opencode_events"
	ruleLimit    = "opencode.status.limit"
)

// limited is the failure that the event stream alone proves: a limit was met.
func limited(s opencode.Status, st agent.Stamp, m modelNames) *finding {
	message := redact.Text(failure.Spoken(s.Message))
	f := agent.Failure{
		Code: failure.QuotaLimited, Rule: ruleLimit, Source: sourceEvents,
		Message: message, Hint: failure.HintOf(failure.QuotaLimited, message),
		Provider: m.provider, Model: m.model, OccurredAt: st.At.UTC(),
		ResetAt: failure.TimesIn(s.Message, st.At, true).Reset,
	}
	if f.ResetAt.IsZero() {
		untilNextTry(&f, s)
	}
	return &finding{stamp: st, failure: f}
}

// untilNextTry lets the agent's own next try stand in for a reset that nothing
// tells, and says that it does.
func untilNextTry(f *agent.Failure, s opencode.Status) {
	if at, ok := failure.Epoch(s.Next.UnixMilli(), f.OccurredAt); !s.Next.IsZero() && ok {
		f.ResetAt = at
		f.Args = map[string]string{"reset_is": "next_try"}
	}
}

// refine makes a failure more exact by the status and body of the provider, which
// only the event stream tells. What was known is never contradicted.
func refine(f agent.Failure, e opencode.Error) agent.Failure {
	if f.Code != failure.UnknownProviderError {
		return f
	}
	if c := classify(e, f.OccurredAt); c.Failed() && c.Code != failure.UnknownProviderError {
		f = failure.Become(f, c)
	}
	return f
}

// complete adds to a failure what a record told and it does not.
func complete(f, by agent.Failure) agent.Failure {
	if f.Model == "" {
		f.Provider, f.Model = by.Provider, by.Model
	}
	if f.Link == "" {
		f.Link = by.Link
	}
	if f.ResetAt.IsZero() {
		f.ResetAt = by.ResetAt
	}
	return f
}

// classify reads the end of a turn as the event stream tells it.
func classify(e opencode.Error, at time.Time) failure.Classification {
	return failure.Classify(failure.Evidence{
		Agent: agent.OpenCode, Channel: failure.ChannelHTTP, Text: e.Message + "\n" + e.Body,
		HTTPStatus: e.HTTP, OccurredAt: at,
	})
}

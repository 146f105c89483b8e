package policy_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/policy"
)

var sure = failure.Classification{
	Code: failure.ProviderOverloaded, Class: failure.Transient, Confidence: failure.High, RuleID: "x",
}

func TestEveryCodeHasADecisionInEveryContext(t *testing.T) {
	want := map[agent.Code]policy.Action{
		failure.NetworkUnavailable: policy.Retry, failure.ProviderUnavailable: policy.Retry, failure.ProviderOverloaded: policy.Retry,
		failure.ProviderTimeout: policy.Retry, failure.ModelCapacity: policy.Retry, failure.AgentTransportLost: policy.Retry,
		failure.RateLimited: policy.Card, failure.QuotaLimited: policy.Card, failure.SubscriptionRequired: policy.Card,
		failure.AuthRequired: policy.Card, failure.MissingCredentials: policy.Card, failure.ProviderNotConfigured: policy.Card,
		failure.ModelUnavailable: policy.Card, failure.ContextOverflow: policy.Card, failure.InvalidRequest: policy.Card,
		failure.SessionLost: policy.Card, failure.AgentCrashed: policy.Card, failure.AgentStartFailed: policy.Card,
		failure.PermissionDeniedByUser: policy.Card, failure.TaskError: policy.Card, failure.RepoError: policy.Card,
		failure.UnknownProviderError: policy.Card,
	}
	for _, code := range failure.Codes() {
		for _, confidence := range []failure.Confidence{failure.High, failure.Medium, failure.Low} {
			for bits := range 16 {
				c := failure.Classification{Code: code, Class: failure.ClassOf(code), Confidence: confidence, Retrying: bits&8 != 0}
				turn := policy.Turn{Output: bits&1 != 0, Tools: bits&2 != 0, Resumes: bits&4 != 0}
				t.Run(fmt.Sprintf("%s_%s_%04b", code, confidence, bits), func(t *testing.T) {
					got := policy.Interactive(c, turn, 0)
					switch {
					case c.Retrying:
						assert.Equal(t, policy.Decision{Action: policy.Nothing}, got)
					case confidence != failure.High, (turn.Output || turn.Tools) && !turn.Resumes:
						assert.Equal(t, policy.Card, got.Action)
					default:
						assert.Equal(t, want[code], got.Action)
					}
				})
			}
		}
	}
}

func TestTheScheduleOfRetries(t *testing.T) {
	for _, tc := range []struct {
		name string
		c    func(*failure.Classification)
		turn policy.Turn
		dice float64
		want policy.Decision
	}{
		{"first", nil, policy.Turn{}, 0, policy.Decision{Action: policy.Retry, Wait: 5 * time.Second}},
		{"second", nil, policy.Turn{Tries: 1}, 0, policy.Decision{Action: policy.Retry, Wait: 10 * time.Second}},
		{"third", nil, policy.Turn{Tries: 2}, 0, policy.Decision{Action: policy.Retry, Wait: 20 * time.Second}},
		{"fourth", nil, policy.Turn{Tries: 3}, 0, policy.Decision{Action: policy.Retry, Wait: 40 * time.Second}},
		{"fifth", nil, policy.Turn{Tries: 4}, 0, policy.Decision{Action: policy.Retry, Wait: time.Minute}},
		{"no sixth", nil, policy.Turn{Tries: 5}, 0, policy.Decision{Action: policy.Card, Reason: agent.DropExhausted}},
		{"dice", nil, policy.Turn{Tries: 1}, 0.5, policy.Decision{Action: policy.Retry, Wait: 11 * time.Second}},
		{"loaded dice", nil, policy.Turn{Tries: 1}, 99, policy.Decision{Action: policy.Retry, Wait: 12 * time.Second}},
		{"a hint is the least", func(c *failure.Classification) { c.RetryAfter = 33 * time.Second }, policy.Turn{}, 0, policy.Decision{Action: policy.Retry, Wait: 33 * time.Second}},
		{"a hint shorter than the schedule", func(c *failure.Classification) { c.RetryAfter = time.Second }, policy.Turn{Tries: 2}, 0, policy.Decision{Action: policy.Retry, Wait: 20 * time.Second}},
		{"a throttle with a short wait", func(c *failure.Classification) {
			*c = failure.Classify(failure.Evidence{HTTPStatus: 429, Text: "retry-after: 7"})
		}, policy.Turn{}, 0, policy.Decision{Action: policy.Retry, Wait: 7 * time.Second}},
		{"a throttle with a long one", func(c *failure.Classification) {
			*c = failure.Classify(failure.Evidence{HTTPStatus: 429, Text: "retry-after: 70"})
		}, policy.Turn{}, 0, policy.Decision{Action: policy.Card}},
		{"output", nil, policy.Turn{Output: true}, 0, policy.Decision{Action: policy.Card, Reason: agent.DropEffects}},
		{"a tool", nil, policy.Turn{Tools: true}, 0, policy.Decision{Action: policy.Card, Reason: agent.DropEffects}},
		{"a tool, but the agent takes up the turn", nil, policy.Turn{Tools: true, Resumes: true}, 0, policy.Decision{Action: policy.Retry, Wait: 5 * time.Second}},
		{"not sure", func(c *failure.Classification) { c.Confidence = failure.Medium }, policy.Turn{}, 0, policy.Decision{Action: policy.Card, Reason: agent.DropUnsure}},
		{"no failure", func(c *failure.Classification) { *c = failure.Classification{} }, policy.Turn{}, 0, policy.Decision{Action: policy.Nothing}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := sure
			if tc.c != nil {
				tc.c(&c)
			}
			assert.Equal(t, tc.want, policy.Interactive(c, tc.turn, tc.dice))
		})
	}
}

// Whatever is reported: nothing hard, unsure or with effects is ever sent again,
// never more often than the schedule has it, and never sooner than asked.
func TestNothingIsReplayedThatMustNotBe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		code := rapid.SampledFrom(failure.Codes()).Draw(t, "code")
		c := failure.Classification{
			Code: code, Class: failure.ClassOf(code), Retrying: rapid.Bool().Draw(t, "retrying"),
			Confidence: rapid.SampledFrom([]failure.Confidence{failure.High, failure.Medium, failure.Low}).Draw(t, "confidence"),
			RetryAfter: time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "hint")),
		}
		turn := policy.Turn{
			Output: rapid.Bool().Draw(t, "output"), Tools: rapid.Bool().Draw(t, "tools"), Resumes: rapid.Bool().Draw(t, "resumes"),
			Tries: rapid.IntRange(-1, 9).Draw(t, "tries"),
		}
		d := policy.Interactive(c, turn, rapid.Float64Range(0, 1).Draw(t, "dice"))
		if d.Action != policy.Retry {
			if d.Wait != 0 {
				t.Fatalf("a wait without a retry: %+v", d)
			}
			return
		}
		switch {
		case c.Retrying, c.Class != failure.Transient, c.Confidence != failure.High, turn.Tries >= policy.Tries(), turn.Tries < 0,
			(turn.Output || turn.Tools) && !turn.Resumes:
			t.Fatalf("replayed: %+v %+v", c, turn)
		case d.Wait < c.RetryAfter, d.Wait < 5*time.Second, d.Wait > max(c.RetryAfter, time.Minute)*6/5:
			t.Fatalf("waits %s with a hint of %s", d.Wait, c.RetryAfter)
		}
	})
}

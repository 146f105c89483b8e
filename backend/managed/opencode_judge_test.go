package managed

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"turnwatch/backend/agent"
	"turnwatch/backend/diagnose"
	"turnwatch/backend/failure"
	"turnwatch/backend/opencode"
)

// court plays a judge at virtual time: what is to be woken or answered comes when
// its time has come.
type court struct {
	j       judge
	began   time.Time
	now     time.Time
	wakes   []wakeAt
	answer  func() (opencode.Status, bool) // of the server, nil never answers
	takes   time.Duration                  // how long the server takes
	verdict []string
}

type wakeAt struct {
	at time.Time
	ev any
}

func newCourt() *court {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	c := &court{began: at, now: at}
	c.tell(sourced{there: true})
	c.tell(prompted{agent.Stamp{Generation: 1, At: at}})
	return c
}

func (c *court) stamp() agent.Stamp { return agent.Stamp{Generation: 1, At: c.now} }

func (c *court) tell(ev any) {
	for _, d := range c.j.step(ev, c.now) {
		switch d := d.(type) {
		case emit:
			c.verdict = append(c.verdict, c.words(d.event))
		case wake:
			c.wakes = append(c.wakes, wakeAt{c.now.Add(d.after), woken{d.seq}})
		case ask:
			if c.answer != nil {
				s, ok := c.answer()
				c.wakes = append(c.wakes, wakeAt{c.now.Add(c.takes), answered{seq: d.seq, ok: ok, status: s, stamp: c.stamp()}})
			}
			c.verdict = append(c.verdict, c.at()+" ask")
		}
	}
}

func (c *court) at() string { return fmt.Sprint(c.now.Sub(c.began)) }

func (c *court) words(ev agent.Event) string {
	switch ev := ev.(type) {
	case agent.FailureSeen:
		s := fmt.Sprintf("%s failed %s from %s", c.at(), ev.Failure.Code, ev.Failure.Source)
		if !ev.Failure.ResetAt.IsZero() {
			s += fmt.Sprintf(" until %s", ev.Failure.ResetAt.Sub(c.began))
		}
		return s
	case agent.Retrying:
		return fmt.Sprintf("%s retrying %d at %s", c.at(), ev.Attempt, ev.Next.Sub(c.began))
	}
	return fmt.Sprintf("%T", ev)
}

// pass lets time pass.
func (c *court) pass(d time.Duration) {
	end := c.now.Add(d)
	for {
		next := -1
		for i, w := range c.wakes {
			if !w.at.After(end) && (next < 0 || w.at.Before(c.wakes[next].at)) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		w := c.wakes[next]
		c.wakes = append(c.wakes[:next], c.wakes[next+1:]...)
		c.now = w.at
		c.tell(w.ev)
	}
	c.now = end
}

// record is a correlated record with a text.
func (c *court) record(text string) {
	line := fmt.Sprintf(`timestamp=%s level=ERROR run=00000000 message="stream error" providerID=fake modelID=main session.id=ses_1 small=false agent=build mode=primary error.error=%q`,
		c.now.Format("2006-01-02T15:04:05.000Z"), text)
	f, why := diagnose.Read([]byte(line), diagnose.Scope{Kind: agent.OpenCode})
	if why != "" {
		panic(why)
	}
	c.tell(recorded{stamp: c.stamp(), finding: f})
}

// retry is what the stream announces.
func (c *court) retry(attempt int, in time.Duration, reason string) {
	c.tell(reported{stamp: c.stamp(), status: c.status(attempt, in, reason)})
}

func (c *court) status(attempt int, in time.Duration, reason string) opencode.Status {
	return opencode.Status{Doing: opencode.Retry, Attempt: attempt, Next: c.now.Add(in), Reason: reason, Message: "Overloaded"}
}

const (
	overloaded = "AI_APICallError: Overloaded"
	tooLong    = "AI_APICallError: This model's maximum context length is 100000 tokens. However, your messages resulted in 120000 tokens."
	usedUp     = "AI_APICallError: 5-hour usage limit reached. Resets in 2hr 7min."
	freeLimit  = "free_tier_limit"
	goLimit    = "account_rate_limit"
)

func TestTheJudge(t *testing.T) {
	second := time.Second
	busy := func() (opencode.Status, bool) { return opencode.Status{Doing: opencode.Busy}, true }
	for _, tc := range []struct {
		name string
		play func(c *court)
		want string // one verdict a line
	}{
		{"a limit ends the turn at once", func(c *court) { c.record(usedUp) }, "0s failed quota_limited from opencode_stderr until 2h7m0s"},
		{"whatever is announced", func(c *court) { c.retry(1, 2*second, ""); c.record(usedUp) },
			"0s retrying 1 at 2s\n0s failed quota_limited from opencode_stderr until 2h7m0s"},
		{"without a stream a record ends the turn", func(c *court) { c.tell(sourced{there: false}); c.record(overloaded) },
			"0s failed provider_overloaded from opencode_stderr"},
		{"a stream that is refused while a record waits", func(c *court) {
			c.record(overloaded)
			c.pass(second)
			c.tell(sourced{there: false})
		}, "1s failed provider_overloaded from opencode_stderr"},
		{"a context that is too long, with a stream", func(c *court) { c.record(tooLong); c.pass(60 * second) }, ""},
		{"and by stderr alone", func(c *court) { c.tell(sourced{there: false}); c.record(tooLong); c.pass(60 * second) }, ""},
		{"an announced try", func(c *court) { c.record(overloaded); c.pass(second / 10); c.retry(1, 2*second, "") },
			"100ms retrying 1 at 2.1s"},
		{"heals", func(c *court) {
			c.record(overloaded)
			c.retry(1, 2*second, "")
			c.pass(20 * second)
			c.tell(genuine{1})
			c.pass(time.Hour)
		}, "0s retrying 1 at 2s"},
		{"does not heal", func(c *court) { c.record(overloaded); c.retry(1, 2*second, ""); c.pass(time.Hour) },
			"0s retrying 1 at 2s\n32s failed provider_overloaded from opencode_stderr"},
		{"fails again and again, then heals", func(c *court) {
			for i := range 3 {
				c.record(overloaded)
				c.retry(i+1, 2*second<<i, "")
				c.pass(2 * second << i)
			}
			c.tell(genuine{1})
			c.pass(time.Hour)
		}, "0s retrying 1 at 2s\n2s retrying 2 at 6s\n6s retrying 3 at 14s"},
		{"gives up after its last try", func(c *court) {
			c.record(overloaded)
			c.retry(1, 2*second, "")
			c.pass(2 * second)
			c.record(overloaded)
			c.pass(second / 10)
			c.tell(broken{c.stamp(), opencode.Error{Name: "APIError", Message: "Overloaded", HTTP: 529}})
		}, "0s retrying 1 at 2s\n2.1s failed provider_overloaded from opencode_stderr"},
		{"a try that is announced before its record", func(c *court) { c.retry(1, 2*second, ""); c.pass(second / 10); c.record(overloaded); c.pass(time.Hour) },
			"0s retrying 1 at 2s\n32s failed provider_overloaded from opencode_stderr"},
		{"a try that was announced for the record before", func(c *court) {
			c.retry(1, 2*second, "")
			c.pass(3 * second)
			c.record(overloaded)
			c.pass(second)
			c.retry(2, 4*second, "")
		}, "0s retrying 1 at 2s\n4s retrying 2 at 8s"},
		{"a try a minute away", func(c *court) { c.record(overloaded); c.retry(1, 60*second, "") }, "0s retrying 1 at 1m0s"},
		{"a try farther away", func(c *court) { c.record(overloaded); c.retry(1, 61*second, "") }, "0s failed provider_overloaded from opencode_stderr"},
		{"a try without a time", func(c *court) {
			c.record(overloaded)
			c.tell(reported{stamp: c.stamp(), status: opencode.Status{Doing: opencode.Retry, Attempt: 1}})
		}, "0s failed provider_overloaded from opencode_stderr"},
		{"the stream says nothing, the server says retry", func(c *court) {
			c.answer = func() (opencode.Status, bool) { return c.status(1, 2*second, ""), true }
			c.record(overloaded)
			c.pass(5 * second)
		}, "1.5s ask\n1.5s retrying 1 at 3.5s"},
		{"the stream says nothing, the server says busy", func(c *court) {
			c.answer = busy
			c.record(overloaded)
			c.pass(5 * second)
		}, "1.5s ask\n1.5s failed provider_overloaded from opencode_stderr"},
		{"the server answers that it cannot", func(c *court) {
			c.answer = func() (opencode.Status, bool) { return opencode.Status{}, false }
			c.record(overloaded)
			c.pass(5 * second)
		}, "1.5s ask\n1.5s failed provider_overloaded from opencode_stderr"},
		{"the server does not answer", func(c *court) { c.record(overloaded); c.pass(time.Minute) },
			"1.5s ask\n4.5s failed provider_overloaded from opencode_stderr"},
		{"the stream is faster than the answer", func(c *court) {
			c.answer, c.takes = busy, 2*second
			c.record(overloaded)
			c.pass(2 * second)
			c.retry(1, 2*second, "")
			c.pass(3 * second)
		}, "1.5s ask\n2s retrying 1 at 4s"},
		{"something genuine while the judge waits", func(c *court) {
			c.record(overloaded)
			c.pass(second)
			c.tell(genuine{1})
			c.pass(time.Hour)
		}, ""},
		{"the answer to the prompt while the judge waits", func(c *court) {
			c.record(overloaded)
			c.pass(second)
			c.tell(returned{1})
			c.pass(time.Hour)
		}, ""},
		{"the end of the session's work", func(c *court) {
			c.record(overloaded)
			c.tell(reported{stamp: c.stamp(), status: opencode.Status{Doing: opencode.Idle}})
			c.pass(time.Hour)
		}, ""},
		{"an aborted turn has not failed", func(c *court) {
			c.record(overloaded)
			c.tell(broken{c.stamp(), opencode.Error{Name: "MessageAbortedError"}})
			c.pass(time.Hour)
		}, ""},
		{"a free limit, by the stream's word", func(c *court) { c.record("AI_APICallError: Rate limit exceeded."); c.retry(1, 2*time.Hour, freeLimit) },
			"0s failed quota_limited from opencode_stderr until 2h0m0s"},
		{"a limit by the stream alone", func(c *court) {
			c.answer = func() (opencode.Status, bool) { return c.status(1, time.Hour, goLimit), true }
			c.retry(1, time.Hour, goLimit)
			c.pass(5 * second)
		}, "1s ask\n1s failed quota_limited from opencode_events until 1h0m0s"},
		{"a limit by the stream, then its record", func(c *court) { c.retry(1, time.Hour, goLimit); c.pass(second / 10); c.record(usedUp) },
			"100ms failed quota_limited from opencode_stderr until 2h7m0.1s"},
		{"a limit by the stream alone that the server denies", func(c *court) {
			c.answer = busy
			c.retry(1, time.Hour, goLimit)
			c.pass(time.Hour)
		}, "1s ask"},
		{"a limit by the stream alone, a server that is silent", func(c *court) { c.retry(1, time.Hour, goLimit); c.pass(time.Hour) },
			"1s ask\n4s failed quota_limited from opencode_events until 1h0m0s"},
		{"a retry without a record", func(c *court) { c.retry(1, 2*second, ""); c.retry(1, 2*second, ""); c.pass(time.Hour) }, "0s retrying 1 at 2s"},
		{"what was missed is asked for", func(c *court) {
			c.answer = func() (opencode.Status, bool) { return c.status(3, 8*second, ""), true }
			c.tell(rejoined{})
			c.pass(second)
		}, "0s ask\n0s retrying 3 at 8s"},
		{"an earlier turn's record", func(c *court) {
			c.tell(prompted{agent.Stamp{Generation: 2, At: c.now}})
			c.record(usedUp)
			c.retry(1, second, "")
		}, ""},
		{"an earlier turn's timer", func(c *court) {
			c.record(overloaded)
			c.tell(prompted{agent.Stamp{Generation: 2, At: c.now}})
			c.pass(time.Hour)
		}, ""},
		{"late and duplicate records of a turn that is judged", func(c *court) { c.record(usedUp); c.record(usedUp); c.record(overloaded); c.pass(time.Hour) },
			"0s failed quota_limited from opencode_stderr until 2h7m0s"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newCourt()
			tc.play(c)
			assert.Equal(t, tc.want, strings.Join(c.verdict, "\n"))
		})
	}
}

// Whatever happens in whatever order: a turn is judged once at most, nothing is
// said of another turn, and a quota record is never waited with.
func TestAnyHistoryHasOneVerdict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newCourt()
		c.answer = func() (opencode.Status, bool) { return opencode.Status{Doing: opencode.Busy}, true }
		failed := 0
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			before := len(c.verdict)
			switch rapid.IntRange(0, 8).Draw(t, "what") {
			case 0:
				c.record(overloaded)
			case 1:
				judged := c.j.turn == 0
				c.record(usedUp)
				require.Equal(t, !judged, len(c.verdict) > before && strings.Contains(c.verdict[len(c.verdict)-1], "failed"))
			case 2:
				c.retry(rapid.IntRange(1, 5).Draw(t, "attempt"), time.Duration(rapid.IntRange(-5, 90).Draw(t, "in"))*time.Second, rapid.SampledFrom([]string{"", "", goLimit}).Draw(t, "reason"))
			case 3:
				c.tell(genuine{1})
			case 4:
				c.tell(broken{c.stamp(), opencode.Error{Name: "APIError"}})
			case 5:
				c.tell(rejoined{})
			case 6:
				c.tell(sourced{there: rapid.Bool().Draw(t, "there")})
			case 7:
				c.tell(reported{stamp: agent.Stamp{Generation: 7}, status: c.status(1, time.Second, goLimit)})
			case 8:
				c.pass(time.Duration(rapid.IntRange(0, 40_000).Draw(t, "ms")) * time.Millisecond)
			}
			for _, v := range c.verdict[before:] {
				require.Zero(t, failed, "%s after the verdict", v)
				if strings.Contains(v, "failed") {
					failed++
				}
			}
		}
	})
}

func TestTheEndOfATurnMakesAFailureMoreExact(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	unknown := agent.Failure{Code: failure.UnknownProviderError, OccurredAt: at}
	known := agent.Failure{Code: failure.QuotaLimited, OccurredAt: at}
	for _, tc := range []struct {
		name string
		have agent.Failure
		err  opencode.Error
		want agent.Code
	}{
		{"a status", unknown, opencode.Error{Name: "APIError", HTTP: 401, Message: "no"}, failure.AuthRequired},
		{"a server's status", unknown, opencode.Error{Name: "APIError", HTTP: 503, Message: "no"}, failure.ProviderOverloaded},
		{"nothing new", unknown, opencode.Error{Name: "UnknownError", Message: "upstream failed"}, failure.UnknownProviderError},
		{"what is known stays", known, opencode.Error{Name: "APIError", HTTP: 500}, failure.QuotaLimited},
	} {
		t.Run(tc.name, func(t *testing.T) { assert.Equal(t, tc.want, refine(tc.have, tc.err).Code) })
	}
}

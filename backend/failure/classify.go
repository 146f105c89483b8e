package failure

import (
	"slices"
	"strings"
	"time"

	"turnwatch/backend/agent"
)

// throttle is the longest wait that makes a limit a throttle and not a used-up quota.
const throttle = time.Minute

// Classify says what a piece of evidence proves. It is pure, bounded in time
// whatever the input and safe for several goroutines. Typed fields come first,
// then the HTTP status, then the words: those of this agent before those that any
// agent may use. A status or a typed kind that is wide (429, "rate_limit") may be
// narrowed by the words beside it, never contradicted.
func Classify(e Evidence) Classification {
	if e.Channel == ChannelProse || e.Channel == ChannelTool || e.RPCCode == rpcCancelled {
		return Classification{}
	}
	if len(e.Data) > dataLimit {
		e.Data = nil
	}
	var p page
	w := p.read(e.Text, string(e.Data))
	c := compiled()
	var f found
	c.find(w.low, &f)
	retrying := e.Channel == ChannelRetry || c.retries(w.low, &f)
	v, ok := c.judge(e, w, &f, retrying)
	if !ok || v.then == "" {
		return Classification{}
	}
	return finish(e, v, w, retrying)
}

const (
	rpcCancelled = -32800
	dataLimit    = 64 << 10
)

// judge brings the verdicts of fields, status and words to one. False says that
// the evidence shows no failure.
func (c *catalogue) judge(e Evidence, w words, f *found, retrying bool) (verdict, bool) {
	if e.Channel == ChannelLog && c.harmless(f) {
		return verdict{}, false
	}
	var room [16]int
	said := c.matches(e, f, room[:0])
	status, known := ofStatus(e.HTTPStatus, High)
	if v, ok := ofRPC(e.RPCCode, e.Method); ok && !known {
		status, known = v, true
	}
	if !known {
		status, known = ofStatus(statusIn(w.low), Medium)
	}
	if len(said) > 0 && c.rules[said[0]].rank == typed {
		v := c.verdict(said[0])
		if n, ok := c.narrow(v, said[1:]); ok {
			return n, true
		}
		if known && v.admit(status.then) {
			v = status
		}
		return v, true
	}
	if known {
		if n, ok := c.narrow(status, said); ok {
			return n, true
		}
		return status, true
	}
	if len(said) > 0 && (e.Channel != ChannelLog || c.rules[said[0]].rank < vague) {
		return c.verdict(said[0]), true
	}
	return unsaid(e, w, retrying)
}

// matches lists the rules that hold, the first to be believed in front.
func (c *catalogue) matches(e Evidence, f *found, hit []int) []int {
	for _, lit := range f.seen[:f.n] {
		for _, s := range c.signs[lit] {
			if c.rules[s.rule].speaksFor(e) && f.holds(s) && !c.barred(s.rule, f) && !slices.Contains(hit, s.rule) {
				hit = append(hit, s.rule)
			}
		}
	}
	slices.SortFunc(hit, func(a, b int) int {
		if d := int(c.rules[a].rank) - int(c.rules[b].rank); d != 0 {
			return d
		}
		return a - b
	})
	return hit
}

func (c *catalogue) barred(rule int, f *found) bool {
	for _, id := range c.bars[rule] {
		if f.has(id) {
			return true
		}
	}
	return false
}

// speaksFor reports whether a rule is for evidence of this agent at this time.
func (r rule) speaksFor(e Evidence) bool {
	if r.agent != "" && r.agent != e.Agent {
		return false
	}
	coming := e.Channel == ChannelStart || e.Method != "" && e.Method != "session/prompt"
	return r.when == anyTime || (r.when == comingUp) == coming
}

func (c *catalogue) verdict(i int) verdict {
	r := c.rules[i]
	return verdict{id: r.id, then: r.then, sure: r.rank.sure(), admits: r.admits, window: r.window}
}

// narrow finds the first of the matching rules that a wide verdict admits, or that
// says the same. It is as sure as the surer of the two.
func (c *catalogue) narrow(wide verdict, said []int) (verdict, bool) {
	for _, i := range said {
		v := c.verdict(i)
		switch {
		case v.then == wide.then && c.rules[i].rank < vague:
			wide.window = wide.window || v.window
			return wide, true
		case wide.admit(v.then):
			if wide.sure == High {
				v.sure = High
			}
			return v, true
		}
	}
	return verdict{}, false
}

// unsaid is the verdict on evidence that no rule knows.
func unsaid(e Evidence, w words, retrying bool) (verdict, bool) {
	v := verdict{then: UnknownProviderError, sure: Low}
	switch e.Channel {
	case ChannelRPC:
		v.id = "rpc.other"
		if strings.HasPrefix(e.Method, "session/resume") {
			v = verdict{id: "rpc.resume_refused", then: SessionLost, sure: Medium}
		} else if strings.HasPrefix(e.Method, "session/load") {
			v = verdict{id: "rpc.load_refused", then: SessionLost, sure: Medium}
		}
		return v, true
	case ChannelSignal, ChannelHTTP:
		if e.HTTPStatus >= 200 && e.HTTPStatus < 400 {
			return verdict{}, false
		}
		v.id = string(e.Channel) + ".other"
		return v, true
	case ChannelLog:
		return verdict{}, false
	}
	if len(w.low) == 0 || !retrying && !errorForm(w.low) {
		return verdict{}, false
	}
	v.id = "form.error"
	switch {
	case retrying:
		v.id = "form.retrying"
	case e.Channel == ChannelStart:
		v.id, v.then = "form.start", AgentStartFailed
	}
	return v, true
}

// errorForm reports whether a text begins as programs begin their errors.
func errorForm(low []byte) bool {
	at := 0
	for at < len(low) && !alnum(low[at]) {
		at++
	}
	head := string(low[at:min(at+32, len(low))])
	if name, _, ok := strings.Cut(head, ":"); ok && strings.HasSuffix(name, "error") {
		return true // TypeError: …
	}
	for _, form := range []string{
		"error:", "error ", "error from provider", "api error", "fatal:", "fatal error", "execution failed", "request failed", "internal error",
		"llm provider error", "uncaught", "panic:", "unexpected error", "stream error", "model call failed", "ai_", "unhandled",
	} {
		if strings.HasPrefix(head, form) {
			return true
		}
	}
	return false
}

// finish adds times, and tells a throttle from a used-up quota.
func finish(e Evidence, v verdict, w words, retrying bool) Classification {
	c := Classification{
		Code: v.then, Confidence: v.sure, RuleID: v.id, CatalogueVersion: CatalogueVersion, Retrying: retrying,
	}
	t := w.times(e.OccurredAt, e.Channel == ChannelStderr)
	if e.Agent == agent.OpenCode && e.Channel != ChannelStderr {
		t = w.nextTry(t, e.OccurredAt)
	}
	if c.Code == QuotaLimited && !v.window && t.Relative > 0 && t.Relative <= throttle {
		c.Code = RateLimited
	}
	switch c.Code {
	case QuotaLimited:
		c.RetryAfter, c.ResetAt = t.Wait, t.Reset
	case RateLimited:
		c.RetryAfter = max(t.Wait, t.Relative)
		if t.Relative == 0 || t.Relative > throttle {
			c.ResetAt = t.Reset
		}
	default:
		if ClassOf(c.Code) == Transient || c.Code == UnknownProviderError {
			c.RetryAfter = max(t.Wait, t.Relative)
		}
	}
	c.Class = ClassOf(c.Code)
	if throttled(c) {
		c.Class = Transient
	}
	c.Provider, c.Model = named(e.Data)
	return c
}

// ofSession reports whether a method is about one session.
func ofSession(method string) bool { return strings.HasPrefix(method, "session/") }

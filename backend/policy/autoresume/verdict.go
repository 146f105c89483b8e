package autoresume

import (
	"regexp"
	"strings"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

// verdict is what the registry, the options and the agent say about an error.
type verdict struct {
	reason Reason        // to give up
	passes bool          // it may pass by itself
	wait   time.Duration // what the provider asks to wait, at least
	why    Evidence
}

// judge classifies an error. The registry has the first word; what it doesn't know
// passes where its name or message is listed.
func judge(r *rules, f *Fault) verdict {
	if f == nil || aborted(f) {
		return verdict{}
	}
	code, rule, class, wait := classify(f)
	v := verdict{wait: wait, why: Evidence{Rule: ruleStream, Code: string(code)}}
	switch {
	case reasons()[code] != "":
		v.reason = reasons()[code]
		if code == failure.QuotaLimited && money(rule, f.Status) {
			v.reason = NonRetryablePrefix + "billing"
		}
	case f.Retryable != nil && !*f.Retryable:
	case class == failure.Transient:
		v.passes = true
	case class == failure.Unclassified:
		v.passes = r.listed(f)
	}
	return v
}

// classify asks the registry, unless the error comes classified: of the message,
// then of the name with it.
func classify(f *Fault) (agent.Code, string, failure.Class, time.Duration) {
	if f.Code != "" {
		return agent.Code(f.Code), f.Rule, failure.ClassOf(agent.Code(f.Code)), 0
	}
	ev := failure.Evidence{Channel: failure.ChannelRPC, Text: f.Message, HTTPStatus: f.Status}
	c := failure.Classify(ev)
	if f.Name != "" && c.Class != failure.Hard && c.Class != failure.Transient {
		ev.Text = f.Name + ": " + f.Message
		if named := failure.Classify(ev); named.Class == failure.Hard || named.Class == failure.Transient {
			c = named
		}
	}
	if c.Code == "" {
		return failure.UnknownProviderError, "", failure.Unclassified, 0
	}
	return c.Code, c.RuleID, c.Class, c.RetryAfter
}

// reasons are the codes that no prompt can help.
func reasons() map[agent.Code]Reason {
	return map[agent.Code]Reason{
		failure.AuthRequired:          NonRetryablePrefix + "auth",
		failure.MissingCredentials:    NonRetryablePrefix + "auth",
		failure.SubscriptionRequired:  NonRetryablePrefix + "billing",
		failure.QuotaLimited:          NonRetryablePrefix + "quota",
		failure.ContextOverflow:       NonRetryablePrefix + "context_overflow",
		failure.ModelUnavailable:      NonRetryablePrefix + "config",
		failure.ProviderNotConfigured: NonRetryablePrefix + "config",
	}
}

// money tells an empty purse from a used-up quota: both are quota_limited to the
// registry, and its rules know which.
func money(rule string, status int) bool {
	return status == 402 || strings.HasSuffix(rule, "http.402") || strings.Contains(rule, "money") || strings.Contains(rule, "credits")
}

// aborted reports whether an error only says that somebody stopped the turn.
func aborted(f *Fault) bool {
	if f == nil {
		return false
	}
	name := strings.ToLower(f.Name)
	message := strings.Trim(strings.ToLower(f.Message), " .!")
	return strings.Contains(name, "abort") || strings.HasPrefix(name, "cancel") ||
		message == "aborted" || message == "the operation was aborted" || message == "this operation was aborted" || message == "request aborted"
}

// listed reports whether name or message of an error are among the options.
func (r *rules) listed(f *Fault) bool {
	for _, n := range r.Stream.Names {
		if n == f.Name {
			return true
		}
	}
	for _, p := range r.patterns {
		if p.in(f.Message) {
			return true
		}
	}
	return false
}

// pattern is a regular expression, or a plain text where it is none.
type pattern struct {
	re    *regexp.Regexp
	plain string
}

func newPattern(text string) pattern {
	re, err := regexp.Compile("(?i)" + text)
	if err != nil {
		return pattern{plain: strings.ToLower(text)}
	}
	return pattern{re: re}
}

func (p pattern) in(message string) bool {
	if p.re != nil {
		return p.re.MatchString(message)
	}
	return strings.Contains(strings.ToLower(message), p.plain)
}

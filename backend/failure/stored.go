package failure

import "turnwatch/backend/agent"

// Of is the classification behind a failure that was kept. A throttle with a short
// wait is transient here too.
func Of(f agent.Failure) Classification {
	c := Classification{
		Code: f.Code, Class: ClassOf(f.Code), Confidence: Confidence(f.Confidence), RuleID: f.Rule,
		Provider: f.Provider, Model: f.Model, RetryAfter: f.RetryAfter, ResetAt: f.ResetAt,
	}
	if throttled(c) {
		c.Class = Transient
	}
	return c
}

// throttled reports whether a rate limit lifts so soon that waiting is enough.
func throttled(c Classification) bool {
	return c.Code == RateLimited && c.RetryAfter > 0 && c.RetryAfter <= throttle
}

// weigh lets a failure keep how sure a classification is, and what wait it asks for.
func weigh(f agent.Failure, c Classification) agent.Failure {
	f.Confidence, f.RetryAfter = string(c.Confidence), c.RetryAfter
	return f
}

// Become makes a failure the one that another piece of evidence shows, more exactly
// than what was known: code, rule, hint, how sure it is and what wait it asks for.
func Become(f agent.Failure, c Classification) agent.Failure {
	f.Code, f.Rule, f.Hint = c.Code, c.RuleID, HintOf(c.Code, f.Message)
	return weigh(f, c)
}

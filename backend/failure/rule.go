package failure

import "turnwatch/backend/agent"

// rank orders rules: a lower one is looked at first and wins. No two rules of one
// rank may match the same text with different codes.
type rank int

const (
	typed   rank = iota // a field with a closed set of values
	exact               // the words of one agent
	neutral             // words that only this failure uses, whoever says them
	broad               // words that also stand beside a more telling one
	vague               // the family of a failure
	faint               // that something failed
)

// rule is a row of the catalogue. Adding a newly seen text is a row here and a
// fixture in testdata.
type rule struct {
	id   string
	rank rank
	then agent.Code // "": this is no failure
	// agent is the only one that the rule is for; "" is all.
	agent agent.Kind
	// any are the alternatives. The parts of one, divided by *, must all stand in
	// the text in this order. Each is lower case, of whole words unless ~ marks
	// the open side.
	any []string
	// none are texts beside which the rule does not hold.
	none []string
	// when limits the rule to agents that are coming up, or to those that are up.
	when phase
	// window marks a used-up window of usage: however short the wait, it is never
	// a mere throttle.
	window bool
	// admits are the codes that words or a status beside a wide typed field may
	// make of it.
	admits []agent.Code
}

type phase int

const (
	anyTime phase = iota
	comingUp
	up
)

// sure is the confidence of what a rule of this rank says.
func (r rank) sure() Confidence {
	switch r {
	case typed, exact:
		return High
	case neutral, broad:
		return Medium
	}
	return Low
}

// allRules is the whole table in the order in which ties are settled.
func allRules() []rule {
	var all []rule
	for _, part := range [][]rule{
		typedRules, openCodeRules, claudeRules, codexRules, geminiRules, otherAgentRules,
		limitRules, accessRules, requestRules, serverRules, localRules,
	} {
		all = append(all, part...)
	}
	return all
}

package autoresume

// Number is a number of some options, with its bounds.
type Number struct {
	Bound
	Value int64 // ms where it is a time
}

// Numbers lists every number of the options.
func (o Options) Numbers() []Number {
	all := Bounds()
	out := make([]Number, len(all))
	for i, b := range all {
		out[i] = Number{Bound: b, Value: b.get(&o)}
	}
	return out
}

// Switches tells of every detector and habit, by the name that Import takes,
// whether it is on.
func (o Options) Switches() map[string]bool {
	out := map[string]bool{}
	for name, p := range switches(&o) {
		out[name] = *p
	}
	return out
}

// PromptNames are the names by which Import takes other words for a kind.
func PromptNames() map[string]Kind { return prompts() }

// Rules lists the names that Evidence gives to what a decision rests on.
func Rules() []string {
	return []string{
		ruleStall, ruleStream, ruleIdle, ruleLoop, ruleChild,
		ruleDeadStream, ruleCeiling, ruleSaturation, ruleComplete,
	}
}

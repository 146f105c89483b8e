package failure

// Classify says what a piece of evidence proves. It is pure, bounded in time
// whatever the input and safe for several goroutines. Typed fields come first,
// then the HTTP status, then the words: those of this agent before those that any
// agent may use. A status or a typed kind that is wide (429, "rate_limit") may be
// narrowed by the words beside it, never contradicted.
func Classify(e Evidence) Classification { return Classification{} }

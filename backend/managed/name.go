package managed

import (
	"slices"

	"turnwatch/backend/agent"
)

// NameOf is the proper name of an agent. For a kind that is the user's own name
// it is that name.
func NameOf(k agent.Kind) string {
	p, _ := profileOf(k)
	return p.name
}

// Known reports whether a kind has a launch line of its own.
func Known(k agent.Kind) bool {
	_, known := profileOf(k)
	return known
}

// LoginOf is the command by which a person logs in to an agent, in a terminal; nil
// where none is known. Only the user's own hand may run it.
func LoginOf(k agent.Kind) []string {
	p, _ := profileOf(k)
	return slices.Clone(p.login)
}

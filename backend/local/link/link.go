// Package link reads and writes the addresses by which other programs open a task:
// turnwatch://task/ID. It is pure. An address comes from anywhere, so it is taken
// whole or not at all, and all it can ask for is to look at a task.
package link

import (
	"errors"
	"regexp"

	"turnwatch/backend/agent"
)

// Scheme is what the addresses begin with.
const Scheme = "turnwatch"

// ErrNone says that a text is no such address.
var ErrNone = errors.New("not a link like turnwatch://task/ID")

var form = regexp.MustCompile(`^turnwatch://task/([0-9A-Za-z_-]{1,64})/?$`)

// Task reads an address.
func Task(raw string) (agent.TaskID, error) {
	m := form.FindStringSubmatch(raw)
	if m == nil {
		return "", ErrNone
	}
	return agent.TaskID(m[1]), nil
}

// To writes the address of a task.
func To(id agent.TaskID) string { return Scheme + "://task/" + string(id) }

package cli

import (
	"errors"
	"strings"

	"turnwatch/backend/agent"
	"turnwatch/backend/locale"
)

// allowed is the set of groups that --allow names.
type allowed map[string]bool

// groupOf gives the group that allows a kind of tool, "" where none does. Kinds
// are ACP's, and the agent's own word for what it is about to do.
//
//   - reads: read, search.
//   - edits: edit, move, delete. An edit can empty a file as well, so to leave
//     delete out would only seem safer.
//   - commands: execute. A command can do anything.
//
// fetch belongs to none: an address can carry data out. switch_mode belongs to
// none: it would let the agent widen its own rights. think, other and words of
// the agent's own belong to none, since nobody can tell what they do.
func groupOf(kind string) string {
	switch kind {
	case "read", "search":
		return "reads"
	case "edit", "move", "delete":
		return "edits"
	case "execute":
		return "commands"
	}
	return ""
}

// parseAllow reads --allow: groups parted by commas.
func (a *app) parseAllow(list []string) (allowed, error) {
	set := allowed{}
	for _, name := range list {
		switch name = strings.ToLower(strings.TrimSpace(name)); name {
		case "reads", "edits", "commands":
			set[name] = true
		case "":
		default:
			return nil, usage(errors.New(a.words.Say("cli.bad_allow", locale.Args{"value": name})))
		}
	}
	return set, nil
}

// decide answers a permission request of an allowed kind: once, never for ever.
// It answers nothing where the agent offers no such answer.
func (s allowed) decide(ask agent.Ask) (agent.Decision, bool) {
	group := groupOf(ask.Tool.Kind)
	if ask.Kind != agent.AskPermission || group == "" || !s[group] {
		return agent.Decision{}, false
	}
	for _, o := range ask.Options {
		if o.Kind == "allow_once" {
			return agent.Decision{Option: o.ID, By: agent.ByFlag}, true
		}
	}
	return agent.Decision{}, false
}

package turn

import "turnwatch/backend/agent"

// updated takes one session update: metadata becomes a fact and moves nothing,
// everything else goes to the transcript and, where it is of the turn in hand,
// counts as its start, its activity and its output.
func (t *step) updated(st agent.Stamp, u agent.Update) {
	if u.Replayed || u.Kind == agent.UserChunk {
		return // the history has it
	}
	if t.metadata(u) {
		return
	}
	gen := st.Generation
	if owner, ok := t.words.owner(u); ok {
		gen = owner
	}
	current := t.turn.open() && gen == t.turn.gen
	if current {
		t.counts(u)
	} else if u.Output() {
		t.lateEffect()
	}
	open := u.Tool.ID != "" && t.words.stillOpen(u.Tool.ID)
	facts := t.words.take(u, gen, st.At, !current)
	t.note(gen, facts...)
	switch {
	case !current:
	case t.turn.phase == cancelling:
		t.note(gen, t.words.closeTools(gen, st.At)...)
	case open:
		t.note(gen, t.ran(u.Tool.ID)...)
	}
}

// counts lets an update of the turn in hand count. While a prompt call that we
// let go of is still open, updates are ambiguous: they count as output, but prove
// neither a start nor activity.
func (t *step) counts(u agent.Update) {
	if u.Output() {
		t.turn.output = true
		t.turn.chance.acted = t.turn.chance.acted || u.Tool.ID != ""
	}
	if u.Genuine() && len(t.abandoned) == 0 {
		t.genuine()
		if t.turn.phase != cancelling {
			t.heard(u)
		}
	}
}

// genuine marks that the agent was seen at work on the turn in hand.
func (t *step) genuine() {
	t.resumed()
	t.rearm()
	if t.turn.phase == dispatched {
		t.turn.phase = active
	}
}

// metadata records an update that is not part of the transcript.
func (t *step) metadata(u agent.Update) bool {
	switch u.Kind {
	case agent.UsageChanged:
		t.note(t.turn.gen, agent.UsageSet{Usage: u.Usage})
	case agent.CommandsListed:
		t.info.Commands = u.Commands
		t.note(0, agent.CommandsSet{Commands: u.Commands})
	case agent.ModeChanged, agent.OptionsChanged:
		t.info.Options = mergeOptions(t.info.Options, u.Options)
		t.note(0, agent.OptionsSet{Options: t.info.Options})
		if t.retry != nil && t.retry.otherModel(t.info.Options) {
			t.drop(agent.DropOption)
		}
	case agent.InfoChanged:
		if u.Title != "" {
			t.note(0, agent.TitleSet{Title: u.Title})
		}
	default:
		return false
	}
	return true
}

// mergeOptions returns the options after a change. An option without choices
// keeps those that it had: a change of mode names only the new mode.
func mergeOptions(have, change []agent.Option) []agent.Option {
	out := append([]agent.Option(nil), have...)
	for _, c := range change {
		found := false
		for i, o := range out {
			if o.ID != c.ID {
				continue
			}
			found = true
			if len(c.Choices) == 0 {
				o.Current = c.Current
				c = o
			}
			out[i] = c
		}
		if !found {
			out = append(out, c)
		}
	}
	return out
}

package window

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
)

func TestWhatAnAgentOffersIsKnownBeforeItIsOnDisk(t *testing.T) {
	stored := agent.SessionInfo{ID: "old", Images: true}
	var nobody *live
	assert.Equal(t, stored, nobody.told(stored), "what nobody heard is what the history knows")
	hear := func(l *live, f agent.Fact) { l.take(agent.Entry{Fact: f}) }

	l := &live{}
	hear(l, agent.OptionsSet{Options: []agent.Option{{ID: "model"}}})
	assert.Equal(t, stored, l.told(stored), "options alone do not tell the rest")

	ready := agent.SessionReady{Info: agent.SessionInfo{ID: "new", Embeds: true}}
	hear(l, ready)
	assert.Equal(t, ready.Info, l.told(stored))
	hear(l, agent.OptionsSet{Options: []agent.Option{{ID: "mode"}}})
	hear(l, agent.CommandsSet{Commands: []agent.Command{{Name: "init"}}})
	want := agent.SessionInfo{ID: "new", Embeds: true, Options: []agent.Option{{ID: "mode"}}, Commands: []agent.Command{{Name: "init"}}}
	assert.Equal(t, want, l.told(stored))
	assert.Nil(t, ready.Info.Options, "what was heard is left as it is")

	assert.Equal(t, Takes{}, takesOf(agent.SessionInfo{}))
	assert.Equal(t, Takes{Known: true, Embeds: true}, takesOf(want))
}

package turn_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
)

func TestStepsWithoutOutputAreNoticed(t *testing.T) {
	say := func(id string, texts ...string) (out []agent.Event) {
		for _, s := range texts {
			out = append(out, chunk(1, id, s))
		}
		return out
	}
	join := func(parts ...[]agent.Event) (out []agent.Event) {
		for _, p := range parts {
			out = append(out, p...)
		}
		return out
	}
	rows := []struct {
		name   string
		events []agent.Event
		steps  string // in the notice; "" for none
	}{
		{"three times the same, and once more", join(say("a", "one ", "two"), say("b", "one two"), say("c", "on", "e two"), say("d", "x")), "3"},
		{"only two are over yet", join(say("a", "one"), say("b", "one"), say("c", "one")), ""},
		{"empty messages", join(say("a", ""), say("b", ""), say("c", ""), say("d", "")), "3"},
		{"the same thoughts", []agent.Event{
			thoughtOf("a", "hm"), thoughtOf("b", "hm"), thoughtOf("c", "hm"), thoughtOf("d", "hm"),
		}, "3"},
		{"a thought is not a text", []agent.Event{
			thoughtOf("a", "hm"), chunk(1, "b", "hm"), thoughtOf("c", "hm"), chunk(1, "d", "hm"), thoughtOf("e", "hm"),
		}, ""},
		{"different texts", join(say("a", "one"), say("b", "two"), say("c", "three"), say("d", "four")), ""},
		{"a tool call between", join(say("a", "one"), say("b", "one"), []agent.Event{tool(1, "t", agent.ToolCompleted)}, say("c", "one"), say("d", "one"), say("e", "x")), ""},
		{"messages without ids prove nothing", join(say("", "one"), say("", "one"), say("", "one"), say("", "one")), ""},
		{"the agent says so itself", []agent.Event{stepped(1), stepped(1), stepped(1)}, "3"},
		{"of another turn", []agent.Event{stepped(7), stepped(7), stepped(0)}, ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			r := running(t).do(row.events...)
			var got string
			for _, n := range notices(r) {
				assert.Equal(t, agent.NoticeLooping, n.Kind)
				got = n.Args["steps"]
			}
			assert.Equal(t, row.steps, got)
			assert.Empty(t, settled(r))
		})
	}
}

func TestALoopIsSaidOnceAndCountedOn(t *testing.T) {
	r := running(t)
	for i := range 15 {
		r.do(chunk(1, "m"+strconv.Itoa(i), "word0 word1"))
	}
	assert.Len(t, notices(r), 1)
	changes := of[agent.NoticeChanged](r)
	assert.Equal(t, map[string]string{"steps": "14"}, changes[len(changes)-1].Notice.Args)
}

func thoughtOf(id, text string) agent.Event {
	return agent.Updated{Stamp: agent.Stamp{Generation: 1}, Update: agent.Update{
		Kind: agent.ThoughtChunk, MessageID: id, Block: agent.TextBlock(text),
	}}
}

func stepped(g agent.Generation) agent.Event {
	return agent.Stepped{Stamp: agent.Stamp{Generation: g}}
}

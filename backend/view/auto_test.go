package view_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
	"turnwatch/backend/view"
)

func TestWhatAutoResumeMeansToDo(t *testing.T) {
	announce := agent.AutoStep{Row: 4, Act: "announce", Kind: "continue"}
	gaveUp := agent.AutoStep{Row: 6, Act: "give_up", Reason: "stall"}
	for _, tt := range []struct {
		name  string
		steps []agent.AutoStep
		want  view.Auto
	}{
		{"announced", []agent.AutoStep{announce}, view.Auto{Announced: &announce}},
		{"taken back", []agent.AutoStep{announce, {Act: "withdraw", Of: 4}}, view.Auto{}},
		{"another one was taken back", []agent.AutoStep{announce, {Act: "withdraw", Of: 3}}, view.Auto{Announced: &announce}},
		{"done", []agent.AutoStep{announce, {Row: 5, Act: "prompt"}}, view.Auto{}},
		{"given up", []agent.AutoStep{announce, gaveUp}, view.Auto{Said: &gaveUp}},
		{"what came of it says nothing new", []agent.AutoStep{gaveUp, {Act: "outcome", Of: 5}}, view.Auto{Said: &gaveUp}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var a view.Auto
			for _, s := range tt.steps {
				a.Apply(s)
			}
			assert.Equal(t, tt.want, a)
		})
	}
}

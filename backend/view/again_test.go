package view_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/view"
)

var rewrite = flag.Bool("rewrite-cards", false, "write the table of cards anew")

func TestACardWhosePromptWaitsHasItsCountdownAlone(t *testing.T) {
	at := time.UnixMilli(1_700_000_000_000)
	again := &view.Again{Try: 2, Most: 5, At: at, Waits: true}
	c := view.CardOf(view.Ill{
		Outcome: agent.Failed, Failure: &agent.Failure{Code: failure.ProviderOverloaded, Hint: failure.HintCheckMessage, Message: "busy"},
		Resumes: true, Models: true, Again: again,
	})
	assert.Equal(t, "failure.provider_overloaded", c.Heading.Key)
	assert.Equal(t, again, c.Again)
	assert.Empty(t, c.Guidance.Key)
	assert.Equal(t, view.TonePlain, c.Tone)
	assert.Equal(t, []view.Action{view.RetryNow, view.StopRetry}, c.Actions)
}

func TestACardSaysWhyNothingIsSentAgain(t *testing.T) {
	for why, said := range map[agent.RetryDrop]bool{
		agent.DropUnsure: true, agent.DropEffects: true, agent.DropExhausted: true, agent.DropLost: true, agent.DropLate: true,
		agent.DropUnstored: true, agent.DropCancelled: false, agent.DropPrompt: false, agent.DropOption: false,
		agent.DropRestart: false, agent.DropFresh: false, agent.DropAway: false, "": false,
	} {
		t.Run(string(why), func(t *testing.T) {
			c := view.CardOf(view.Ill{
				Outcome: agent.Failed, Failure: &agent.Failure{Code: failure.ProviderOverloaded},
				Again: &view.Again{Try: 5, Why: why},
			})
			assert.Nil(t, c.Again)
			assert.Contains(t, c.Actions, view.SendAgain)
			if !said {
				assert.Empty(t, c.Note.Key)
				return
			}
			assert.Equal(t, view.Phrase{Key: "card.again_" + string(why), Args: map[string]string{"Count": "5"}}, c.Note)
		})
	}
}

// TestTheTableOfCards goes through every code and outcome in every context and
// compares heading, tone, guidance, note and actions, in order, with a table that
// was read by people. -rewrite-cards writes it anew.
func TestTheTableOfCards(t *testing.T) {
	at := time.UnixMilli(1_700_000_000_000)
	var lines []string
	line := func(what string, i view.Ill) {
		i.At, i.Agent = at, "Agent"
		c := view.CardOf(i)
		require.NotEmpty(t, c.Actions, what)
		acts := make([]string, len(c.Actions))
		for n, a := range c.Actions {
			acts[n] = string(a)
		}
		raw, err := json.Marshal(c.Guidance.Args)
		require.NoError(t, err)
		lines = append(lines, fmt.Sprintf("%-62s %s | %s | %s %s | %s | %s", what, c.Tone, c.Heading.Key, c.Guidance.Key, raw, c.Note.Key, strings.Join(acts, " ")))
	}
	each := func(what string, i view.Ill) {
		for bits := range 4 {
			i.Resumes, i.Models = bits&1 != 0, bits&2 != 0
			context := ""
			if i.Resumes {
				context += " resumes"
			}
			if i.Models {
				context += " models"
			}
			line(what+context, i)
		}
	}
	for _, code := range failure.Codes() {
		f := &agent.Failure{Code: code, Source: failure.SourceACP, Message: "m", Hint: failure.HintOf(code, "m")}
		if code == failure.AuthRequired {
			f.Args = map[string]string{"methods": "Key, Browser"}
		}
		each(string(code), view.Ill{Outcome: agent.Failed, Failure: f})
		line(string(code)+" without a turn", view.Ill{Failure: f, Resumes: true})
		linked := *f
		linked.Link = "https://opencode.ai/workspace/w/go"
		line(string(code)+" with a link", view.Ill{Outcome: agent.Failed, Failure: &linked, Resumes: true, Link: true})
		silent := *f
		silent.Message, silent.Hint = "", failure.HintOf(code, "")
		line(string(code)+" without a word", view.Ill{Outcome: agent.Failed, Failure: &silent, Resumes: true})
		reset := *f
		reset.ResetAt = at.Add(time.Hour)
		line(string(code)+" with a reset", view.Ill{Outcome: agent.Failed, Failure: &reset, Resumes: true})
		if failure.ClassOf(code) == failure.Transient || code == failure.RateLimited {
			line(string(code)+" sent again soon", view.Ill{Outcome: agent.Failed, Failure: f, Resumes: true, Again: &view.Again{Try: 1, Most: 5, At: at, Waits: true}})
			line(string(code)+" tried often", view.Ill{Outcome: agent.Failed, Failure: f, Resumes: true, Again: &view.Again{Try: 5, Why: agent.DropExhausted}})
		}
	}
	for _, o := range []agent.Outcome{agent.NeverStarted, agent.Interrupted, agent.Failed} {
		each("outcome "+string(o), view.Ill{Outcome: o})
	}
	got := strings.Join(lines, "\n") + "\n"
	const file = "testdata/cards.golden"
	if *rewrite {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

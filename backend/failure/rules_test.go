package failure

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

// fixture is a text for which a rule holds, or a near one for which it does not.
type fixture struct {
	Rule    string     `json:"rule"`
	Agent   agent.Kind `json:"agent"`
	Channel Channel    `json:"channel"`
	Text    string     `json:"text"`
	Holds   bool       `json:"holds"`
}

func (f fixture) evidence() Evidence {
	return Evidence{Agent: f.Agent, Channel: f.Channel, Text: f.Text, OccurredAt: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)}
}

// fixtures are the texts of rules.jsonl and, without a rule, all reported ones.
func fixtures(tb testing.TB) []fixture {
	tb.Helper()
	var all []fixture
	for _, file := range []string{"rules.jsonl", "error_texts.jsonl", "reported.jsonl"} {
		f, err := os.Open("testdata/" + file)
		require.NoError(tb, err)
		defer f.Close()
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			var one fixture
			require.NoError(tb, json.Unmarshal(lines.Bytes(), &one), lines.Text())
			if file != "rules.jsonl" {
				one.Channel, _ = ChannelOf(string(one.Channel))
			}
			all = append(all, one)
		}
		require.NoError(tb, lines.Err())
	}
	return all
}

func TestEveryRuleHoldsForItsTextAndNotForANearOne(t *testing.T) {
	yes, no := map[string]int{}, map[string]int{}
	for _, f := range fixtures(t) {
		got := Classify(f.evidence())
		switch {
		case f.Rule == "" && !f.Holds:
			continue // a reported text
		case f.Holds:
			assert.Equal(t, f.Rule, got.RuleID, f.Text)
			yes[f.Rule]++
		default:
			assert.NotEqual(t, f.Rule, got.RuleID, f.Text)
			no[f.Rule]++
		}
	}
	for _, r := range allRules() {
		id := r.id
		assert.Positive(t, no[id], "%s has no text that it must leave alone", id)
		if r.then == "" {
			id = "" // it wins by saying that there is no failure
		}
		assert.Positive(t, yes[id], "%s has no text that it holds for", id)
	}
}

func TestRulesOfOneRankAgreeOnEveryText(t *testing.T) {
	c := compiled()
	for _, fix := range fixtures(t) {
		for _, when := range []Channel{fix.Channel, ChannelStart} {
			e := fix.evidence()
			e.Channel = when
			var p page
			w := p.read(e.Text, "")
			var f found
			c.find(w.low, &f)
			hit := c.matches(e, &f, nil)
			for i := 1; i < len(hit); i++ {
				a, b := c.rules[hit[i-1]], c.rules[hit[i]]
				if a.rank == b.rank {
					assert.Equal(t, a.then, b.then, "%s and %s on %q", a.id, b.id, fix.Text)
				}
			}
		}
	}
}

// The words of each alternative, by themselves and said by each agent, reach their rule,
// and no other of its rank says otherwise: none hides in another.
func TestEveryAlternativeIsReachedAndAlone(t *testing.T) {
	c := compiled()
	agents := []agent.Kind{
		"mine", agent.OpenCode, agent.Claude, agent.Codex, agent.Gemini, agent.Copilot, agent.Qwen, agent.Kimi,
		agent.Cursor, agent.Amp, agent.Goose,
	}
	for n, r := range c.rules {
		for _, alt := range r.any {
			text := strings.ReplaceAll(strings.ReplaceAll(alt, "*", " "), "~", "")
			for _, k := range agents {
				if r.agent != "" && r.agent != k {
					continue
				}
				e := Evidence{Agent: k, Text: text}
				if r.when == comingUp {
					e.Channel = ChannelStart
				}
				var p page
				w := p.read(e.Text, "")
				var f found
				c.find(w.low, &f)
				hit := c.matches(e, &f, nil)
				require.Contains(t, hit, n, "%s: %q of %s", r.id, alt, k)
				for _, other := range hit {
					if o := c.rules[other]; o.rank == r.rank {
						assert.Equal(t, r.then, o.then, "%s and %s on %q of %s", r.id, o.id, text, k)
					}
				}
			}
		}
	}
}

// The automaton and one regular expression for each alternative find the same.
func TestOnePassFindsWhatEachExpressionFinds(t *testing.T) {
	plain := newEachRegexp()
	c := compiled()
	for _, fix := range fixtures(t) {
		var p page
		w := p.read(fix.Text, "")
		var f found
		c.find(w.low, &f)
		var ours []string
		for i, r := range c.rules {
			if r.agent != "" && r.agent != fix.Agent {
				continue
			}
			for _, alternatives := range c.signs {
				for _, s := range alternatives {
					if s.rule == i && f.holds(s) && (len(ours) == 0 || ours[len(ours)-1] != r.id) {
						ours = append(ours, r.id)
					}
				}
			}
		}
		assert.Equal(t, plain.matches(fix.Agent, string(w.low)), ours, fix.Text)
	}
}

func TestTheTableIsWellFormed(t *testing.T) {
	ids := map[string]bool{}
	reached := map[agent.Code]bool{}
	for _, r := range allRules() {
		assert.False(t, ids[r.id], "%s stands twice", r.id)
		ids[r.id] = true
		assert.NotEmpty(t, r.any, r.id)
		assert.True(t, r.then == "" || ClassOf(r.then) != Unclassified, "%s says nothing", r.id)
		assert.True(t, r.rank != exact || r.agent != "", "%s is exact for nobody", r.id)
		assert.True(t, len(r.admits) == 0 || r.rank == typed, "%s is no field and yet wide", r.id)
		reached[r.then] = true
		for _, alt := range append(append([]string{}, r.any...), r.none...) {
			assert.Equal(t, strings.ToLower(alt), alt, r.id)
			for part := range strings.SplitSeq(alt, "*") {
				assert.GreaterOrEqual(t, len(strings.Trim(part, "~")), 3, "%s: %q", r.id, alt)
			}
		}
	}
	for _, code := range Codes() {
		assert.True(t, reached[code] || code == UnknownProviderError, "no rule says %s", code)
	}
	assert.LessOrEqual(t, len(compiled().lits), maxLiterals)
}

// What the model says and what tools print is no evidence, whatever the words.
func TestProseAndToolsProveNothing(t *testing.T) {
	for _, f := range fixtures(t) {
		for _, channel := range []Channel{ChannelProse, ChannelTool} {
			e := f.evidence()
			e.Channel, e.HTTPStatus = channel, 429
			assert.Zero(t, Classify(e), f.Text)
		}
	}
}

// What stands in the middle of a huge text is not looked at; head and tail are.
func TestOnlyHeadAndTailAreRead(t *testing.T) {
	words := "You've hit your usage limit. Try again in 2 hours."
	filler := strings.Repeat("a line of nothing in particular\n", 4000)
	for _, tc := range []struct {
		name, text string
		want       agent.Code
	}{
		{"head", words + filler, QuotaLimited},
		{"tail", filler + words, QuotaLimited},
		{"middle", filler + words + filler, ""},
		{"over the seam", filler[:inputLimit/2-18] + words[:18] + filler + words[18:] + filler[:inputLimit/2-len(words)+18], ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.want, Classify(Evidence{Agent: agent.Codex, Text: tc.text}).Code)
		})
	}
}

func FuzzClassify(f *testing.F) {
	for _, fix := range fixtures(f) {
		f.Add(string(fix.Agent), string(fix.Channel), fix.Text, 0, int64(0), []byte(nil))
	}
	f.Add("codex", "acp_error", "Internal error", 429, int64(-32603), []byte(`{"codexErrorInfo":"usageLimitExceeded","model":"m"}`))
	at := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, kind, channel, text string, status int, code int64, data []byte) {
		c := Classify(Evidence{
			Agent: agent.Kind(kind), Channel: Channel(channel), Text: text, HTTPStatus: status, RPCCode: code, Data: data, OccurredAt: at,
		})
		switch {
		case c.Code == "" && c != Classification{}:
			t.Fatalf("no failure, and yet %+v", c)
		case c.Code != "" && (c.RuleID == "" || c.Class == "" || c.Confidence == "" || c.CatalogueVersion == ""):
			t.Fatalf("half a verdict: %+v", c)
		case c.RetryAfter < 0 || c.RetryAfter > farthest:
			t.Fatalf("a wait of %s", c.RetryAfter)
		case !c.ResetAt.IsZero() && (!c.ResetAt.After(at) || c.ResetAt.Sub(at) > farthest):
			t.Fatalf("a reset at %s", c.ResetAt)
		}
	})
}

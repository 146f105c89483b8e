//go:build agents

package agents_e2e

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

// patience is how long the matrix lets an agent try before it is cancelled.
const patience = 45 * time.Second

// row is one agent under one behaviour of its provider.
type row struct {
	kind      agent.Kind
	behaviour string
	end       agent.TurnSettled
	after     time.Duration
	cancelled time.Duration // how long the cancel took, where one was needed
	retries   int           // that were told
	over      agent.Code    // what the last of them was to get over
}

// TestMatrix runs every chosen agent under every way a provider fails, cancels
// what does not end by itself within 45 s, and writes the table of the docs. Each
// turn has an outcome, and each cancel takes less than five seconds.
func TestMatrix(t *testing.T) {
	full(t)
	behaviours := []string{
		"text", "empty", "limit", "rate", "overloaded", "auth", "overflow", "500", "cut", "eof",
		"error-event", "garbage", "hang", "hang-body", "hang-part", "drip",
	}
	var rows []row
	each(t, func(t *testing.T, kind agent.Kind) {
		needs(t, kind)
		for _, behaviour := range behaviours {
			t.Run(behaviour, func(t *testing.T) {
				r := matrixRow(t, kind, behaviour)
				rows = append(rows, r)
				t.Log(r.line())
			})
		}
	})
	if len(rows) > 0 {
		writeMatrix(t, rows)
	}
}

func matrixRow(t *testing.T, kind agent.Kind, behaviour string) row {
	b := newBench(t, kind)
	b.say("Say hello. [[fake:text n=2 delay=1]]")
	require.Equal(t, agent.Completed, b.settled().Outcome, b.heard())
	r := row{kind: kind, behaviour: behaviour}
	began := time.Now()
	b.say("Say hello again. [[fake:" + behaviour + "]]")
	end, ok := b.settledWithin(patience)
	r.after = time.Since(began)
	if !ok {
		cancel := time.Now()
		b.do(agent.CancelTurn{})
		end = b.settled()
		r.cancelled = time.Since(cancel)
		assert.Equal(t, agent.Cancelled, end.Outcome, b.heard())
		assert.Less(t, r.cancelled, 5*time.Second)
	}
	r.end = end
	for _, e := range b.facts {
		if f, ok := e.Fact.(agent.RetryAnnounced); ok {
			r.retries, r.over = r.retries+1, f.Code
		}
	}
	return r
}

// settledWithin waits for the end of the turn, but not for ever.
func (b *bench) settledWithin(bound time.Duration) (end agent.TurnSettled, ok bool) {
	limit := time.After(bound)
	for {
		more, _ := b.watch.Take()
		b.waiting = append(b.waiting, more...)
		for len(b.waiting) > 0 {
			e := b.waiting[0]
			b.waiting, b.facts = b.waiting[1:], append(b.facts, e)
			if f, is := e.Fact.(agent.TurnSettled); is {
				return f, true
			}
		}
		select {
		case <-b.watch.Ready():
		case <-limit:
			return end, false
		}
	}
}

func (r row) line() string {
	outcome := string(r.end.Outcome)
	if f := r.end.Failure; f != nil {
		outcome += " " + string(f.Code)
	}
	when := r.after.Round(100 * time.Millisecond).String()
	if r.cancelled > 0 {
		outcome, when = "still running", fmt.Sprintf("> %s; cancelled in %s", patience, r.cancelled.Round(10*time.Millisecond))
	}
	if r.retries > 0 {
		outcome += fmt.Sprintf("; retries told: %d, %s", r.retries, cmp.Or(string(r.over), "without why"))
	}
	reset := ""
	if f := r.end.Failure; f != nil && !f.ResetAt.IsZero() {
		reset = "known"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |", r.kind, r.behaviour, outcome, r.end.Stop, reset, when)
}

// writeMatrix puts the rows into the table of docs/agents.md, between its marks, each in the
// place of the one for the same agent and behaviour. The others stay as they are.
func writeMatrix(t *testing.T, rows []row) {
	path := filepath.Join("..", "..", "docs", "agents.md")
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(raw), "<!-- matrix:begin -->\n")
	require.True(t, ok, "the mark is missing")
	table, after, ok := strings.Cut(rest, "<!-- matrix:end -->")
	require.True(t, ok, "the mark is missing")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if len(lines) < 2 {
		lines = []string{"| agent | the provider | the turn | stop reason | reset | after |", "|---|---|---|---|---|---|"}
	}
	for _, r := range rows {
		head := fmt.Sprintf("| %s | %s |", r.kind, r.behaviour)
		at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, head) })
		if at < 0 {
			lines, at = append(lines, ""), len(lines)
		}
		lines[at] = r.line()
	}
	text := before + "<!-- matrix:begin -->\n" + strings.Join(lines, "\n") + "\n<!-- matrix:end -->" + after
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

package window_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
	"turnwatch/backend/window"
)

var update = flag.Bool("update", false, "write the golden files anew")

// hearing hands the updates of recorded frames to a turn.
type hearing struct{ turn turn }

func (h hearing) Update(u acp.Update) {
	update, _ := acp.Decode(u)
	h.turn.update(update)
}

func (hearing) Request(r *acp.Request) { _ = r.Refuse() }

func (hearing) Notification(string, jsontext.Value, agent.Stamp) {}

type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }

// TestRecordedAgentsOnThePage plays what real agents sent, frame by frame, and
// keeps what the page then shows. Every message and every tool call that the
// frames name has its part.
func TestRecordedAgentsOnThePage(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "managed", "testdata", "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var raw []byte
	r, _ := raise(t, t.TempDir(), &player{script: func(turn turn) {
		conn := acp.New(bytes.NewReader(raw), nowhere{io.Discard}, hearing{turn}, acp.Options{Stamp: turn.sink.Stamp})
		<-conn.Done()
		_ = conn.Close()
		turn.end()
	}})
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			raw, err = os.ReadFile(file)
			require.NoError(t, err)
			row := r.task(name)
			r.open(row.Task)
			r.page.until(func(p *page) (window.Row, bool) {
				row, ok := p.rows[row.Task]
				return row, ok && row.State != "running" && p.session.Turn.Ended > 0 && p.session.Row.Task == row.Task
			})
			shown := r.page.shown()
			assert.Equal(t, r.stored(row.Task), shown)
			for _, id := range named(t, raw) {
				assert.True(t, slices.ContainsFunc(shown, func(p window.Part) bool { return p.Key == id }), "%s is not on the page", id)
			}
			got := tell(shown)
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				require.NoError(t, os.MkdirAll("testdata", 0o755))
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), got)
		})
	}
}

// named lists the ids of messages and tool calls in frames.
func named(t *testing.T, raw []byte) []string {
	t.Helper()
	var out []string
	for line := range strings.Lines(string(raw)) {
		var frame struct {
			Params struct {
				Update struct {
					SessionUpdate         string
					MessageID, ToolCallID string
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(line), &frame))
		u := frame.Params.Update
		if u.SessionUpdate == string(agent.UserChunk) {
			continue // the history has it
		}
		for _, id := range []string{u.MessageID, u.ToolCallID} {
			if id != "" && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

// tell writes parts as lines, without times.
func tell(parts []window.Part) string {
	var b strings.Builder
	for _, p := range parts {
		fmt.Fprintf(&b, "%d %s %s late=%t marked=%t\n", p.Seq, p.Kind, p.Key, p.Late, p.Marked)
		if p.Text != "" {
			fmt.Fprintf(&b, "  %q\n", p.Text)
		}
		if p.Tool != nil {
			tool := *p.Tool
			tool.Took = 0
			text, _ := json.MarshalIndent(tool, "  ", "  ")
			fmt.Fprintf(&b, "  %s\n", text)
		}
		for _, e := range p.Plan {
			fmt.Fprintf(&b, "  - %s %s\n", e.Status, e.Content)
		}
		if p.Raw != "" {
			fmt.Fprintf(&b, "  %.200s\n", p.Raw)
		}
	}
	return b.String()
}

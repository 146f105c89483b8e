package managed

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
)

var update = flag.Bool("update", false, "write the golden files anew")

// list is a sink that only remembers.
type list struct{ events []agent.Event }

func (l *list) Stamp() agent.Stamp {
	return agent.Stamp{Generation: 1, At: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)}
}
func (l *list) Deliver(ev agent.Event)    { l.events = append(l.events, ev) }
func (l *list) Offer(ev agent.Event) bool { l.Deliver(ev); return true }

type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }

// What real agents sent during one prompt each, frame by frame, and what becomes
// of it: file NAME-SCENARIO.jsonl, agent NAME.
func TestRecordedTurns(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			kind, _, _ := strings.Cut(name, "-")
			got := strings.Join(play(t, agent.Kind(kind), raw), "\n") + "\n"
			golden := strings.TrimSuffix(file, ".jsonl") + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), got)
		})
	}
}

// play hears the frames and tells each event in a line.
func play(t *testing.T, kind agent.Kind, raw []byte) []string {
	t.Helper()
	p, known := profileOf(kind)
	require.True(t, known)
	sink := &list{}
	e := &ear{sink: sink, read: p.reader(), desk: newDesk(nil), log: silent(nil)}
	defer e.desk.close()
	conn := acp.New(bytes.NewReader(raw), nowhere{io.Discard}, e, acp.Options{Stamp: sink.Stamp})
	<-conn.Done()
	require.NoError(t, conn.Close())
	require.Zero(t, conn.Stats().Garbage)
	if end, ok := endOf(t, &live{profile: p, ear: e}, raw); ok {
		sink.Deliver(end)
	}
	out := make([]string, 0, len(sink.events))
	for _, ev := range sink.events {
		out = append(out, tell(ev))
	}
	return out
}

// endOf is the end of the prompt as the last frame has it; false where the
// recording ends before.
func endOf(t *testing.T, l *live, raw []byte) (agent.Answered, bool) {
	t.Helper()
	var last struct {
		Result json.RawMessage
		Error  *struct {
			Code    json.RawMessage
			Message string
			Data    json.RawMessage
		}
	}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		last.Result, last.Error = nil, nil
		require.NoError(t, json.Unmarshal(lines.Bytes(), &last))
	}
	of := &conn{live: l}
	switch {
	case last.Error != nil:
		return of.answered(1, nil, &acp.Error{
			Method: "session/prompt", Code: string(last.Error.Code), Message: last.Error.Message, Data: []byte(last.Error.Data),
		}), true
	case last.Result != nil:
		return of.answered(1, last.Result, nil), true
	}
	return agent.Answered{}, false
}

func tell(ev agent.Event) string {
	switch ev := ev.(type) {
	case agent.Updated:
		u := ev.Update
		mark := ""
		if u.NotOutput {
			mark = " (own words)"
		}
		text := u.Block.Text + u.Tool.Title
		return fmt.Sprintf("%s%s %.100q", u.Kind, mark, text)
	case agent.Retrying:
		return fmt.Sprintf("retrying %d in %s%s", ev.Attempt, wait(ev), reasonOf(ev.Code, ev.Message))
	case agent.Asked:
		return fmt.Sprintf("asked %s %q, %d options", ev.Ask.Tool.Kind, ev.Ask.Tool.Title, len(ev.Ask.Options))
	case agent.Answered:
		if f := ev.Failure; f != nil {
			return fmt.Sprintf("failed %s by %s: %s", f.Code, f.Rule, f.Message)
		}
		return fmt.Sprintf("answered %s", ev.Stop)
	}
	return fmt.Sprintf("%T", ev)
}

// reasonOf is why an agent tries again, as the golden files have it.
func reasonOf(code agent.Code, message string) string {
	var s string
	if code != "" {
		s = " for " + string(code)
	}
	if message != "" {
		s += ": " + message
	}
	return s
}

func wait(r agent.Retrying) string {
	if r.Next.IsZero() {
		return "an unknown time"
	}
	return r.Next.Sub(r.Stamp.At).Round(time.Second).String()
}

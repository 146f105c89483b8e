package managed

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/opencode"
)

// theatre is the world around the evidence of one session at virtual time. It is
// sink and clock at once.
type theatre struct {
	mu     sync.Mutex
	now    time.Time
	turn   agent.Generation
	timers []*bell
	events []agent.Event
	full   bool // offers are refused
}

type bell struct {
	at   time.Time
	ring func()
	off  bool
}

func (h *theatre) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *theatre) AfterFunc(d time.Duration, f func()) func() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	b := &bell{at: h.now.Add(d), ring: f}
	h.timers = append(h.timers, b)
	return func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		was := !b.off
		b.off = true
		return was
	}
}

func (h *theatre) Stamp() agent.Stamp {
	h.mu.Lock()
	defer h.mu.Unlock()
	return agent.Stamp{Generation: h.turn, At: h.now}
}

func (h *theatre) Deliver(ev agent.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, ev)
}

func (h *theatre) Offer(ev agent.Event) bool {
	h.mu.Lock()
	full := h.full
	h.mu.Unlock()
	if !full {
		h.Deliver(ev)
	}
	return !full
}

// until lets time pass; settle is called after every bell.
func (h *theatre) until(at time.Time, settle func()) {
	for {
		h.mu.Lock()
		h.timers = slices.DeleteFunc(h.timers, func(b *bell) bool { return b.off })
		var next *bell
		for _, b := range h.timers {
			if !b.at.After(at) && (next == nil || b.at.Before(next.at)) {
				next = b
			}
		}
		if next == nil {
			h.now = at
			h.mu.Unlock()
			return
		}
		next.off, h.now = true, next.at
		h.mu.Unlock()
		next.ring()
		settle()
	}
}

// scene is one line of a recording.
type scene struct {
	Ms     int64
	ACP    string
	Stop   string
	Error  *struct{ Message string }
	Stderr string
	SSE    json.RawMessage
}

// What OpenCode 1.18.33 said in recorded runs over its three channels, at the time
// it said it, and what becomes of it. A turn that is settled goes on being played:
// what comes late changes nothing.
func TestRecordedRunsOfOpenCode(t *testing.T) {
	files, err := filepath.Glob("testdata/opencode/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, mode := range []string{"with its stream", "by stderr alone"} {
		t.Run(mode, func(t *testing.T) {
			var out strings.Builder
			for _, file := range files {
				fmt.Fprintf(&out, "== %s\n", strings.TrimSuffix(filepath.Base(file), ".jsonl"))
				for _, l := range perform(t, file, mode == "with its stream") {
					out.WriteString(l + "\n")
				}
			}
			golden := "testdata/opencode/" + strings.ReplaceAll(mode, " ", "-") + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), out.String())
		})
	}
}

// perform plays a recording and tells what the adapter says, and how long after
// the prompt.
func perform(t *testing.T, file string, stream bool) []string {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	var head struct {
		Start   time.Time
		Session agent.ProviderSession
	}
	require.True(t, lines.Scan())
	require.NoError(t, json.Unmarshal(lines.Bytes(), &head))
	h := &theatre{now: head.Start}
	e := &openCodeEvidence{}
	e.begin(joint{sink: h, session: func() agent.ProviderSession { return head.Session }, clock: h, log: silent(nil)})
	if stream {
		e.tell(sourced{there: true})
	}
	defer e.end()
	var out []string
	var sent time.Time
	told := 0
	tellAll := func() {
		e.work.Wait()
		for ; told < len(h.events); told++ {
			out = append(out, relate(h.events[told], h.now.Sub(sent)))
		}
	}
	for lines.Scan() {
		var s scene
		require.NoError(t, json.Unmarshal(lines.Bytes(), &s))
		h.until(head.Start.Add(time.Duration(s.Ms)*time.Millisecond), tellAll)
		if s.ACP == "prompt" {
			h.turn, sent = h.turn+1, h.now
		}
		show(e, h, s, stream)
		tellAll()
		if s.ACP == "answer" {
			out = append(out, answerOf(e, h, s, h.now.Sub(sent)))
		}
	}
	require.NoError(t, lines.Err())
	h.until(h.now.Add(10*time.Minute), tellAll)
	return out
}

// show plays one line to the adapter.
func show(e *openCodeEvidence, h *theatre, s scene, stream bool) {
	st := h.Stamp()
	switch {
	case s.ACP == "prompt":
		e.prompted(st)
	case s.ACP == "asked":
		e.asked(st)
	case s.ACP != "" && s.ACP != "answer" && s.ACP != "cancel":
		e.update(st, &agent.Update{Kind: agent.UpdateKind(s.ACP)}, nil)
	case s.Stderr != "" && e.want([]byte(s.Stderr)):
		e.stderr(st, []byte(s.Stderr))
	case s.SSE != nil && stream:
		if ev, ok := opencode.Decode(string(s.SSE)); ok {
			e.heard(ev)
		}
	}
}

func answerOf(e *openCodeEvidence, h *theatre, s scene, after time.Duration) string {
	st := h.Stamp()
	defer e.over(st)
	if s.Error == nil {
		return fmt.Sprintf("%6.1fs answered %s", after.Seconds(), s.Stop)
	}
	f := e.explain(st, failure.OfRPC(failure.RPC{Agent: agent.OpenCode, Method: "session/prompt", Code: -32603, Message: s.Error.Message, At: st.At}))
	return fmt.Sprintf("%6.1fs answered %s, model %q: %q", after.Seconds(), f.Code, f.Model, f.Message)
}

func relate(ev agent.Event, after time.Duration) string {
	switch ev := ev.(type) {
	case agent.FailureSeen:
		f := ev.Failure
		s := fmt.Sprintf("%6.1fs failed %s from %s, model %q: %q", after.Seconds(), f.Code, f.Source, f.Model, f.Message)
		if !f.ResetAt.IsZero() {
			s += fmt.Sprintf(" for %s", f.ResetAt.Sub(f.OccurredAt).Round(time.Second))
		}
		return s + " " + f.Link
	case agent.Retrying:
		return fmt.Sprintf("%6.1fs retrying %d in %s%s", after.Seconds(), ev.Attempt, ev.Next.Sub(ev.Stamp.At).Round(100*time.Millisecond), reasonOf(ev.Code, ev.Message))
	}
	return fmt.Sprintf("%6.1fs %T", after.Seconds(), ev)
}

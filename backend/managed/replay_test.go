package managed

import (
	"bytes"
	"encoding/json"
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
	"turnwatch/backend/failure"
	"turnwatch/backend/turn"
)

// row is one line of a recording: what went over the pipe, and when.
type row struct {
	T   int64  `json:"t"`   // ms
	Dir string `json:"dir"` // > to the agent, < from it, ! about its process
	Msg struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Code    json.RawMessage `json:"code"`
			Message string          `json:"message"`
			Data    json.RawMessage `json:"data"`
		} `json:"error"`
		Exit *int   `json:"exit"`
		Sig  string `json:"sig"`
	} `json:"msg"`
	raw json.RawMessage
}

// Every recording of a real agent, through its adapter and the turn machine: what
// Turnwatch would have said, and when. The clock is the recording's.
func TestReplayOfRecordings(t *testing.T) {
	files, err := filepath.Glob("testdata/recorded/*/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	table := newOverview()
	for _, file := range files {
		folder, scenario := filepath.Base(filepath.Dir(file)), strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(folder+"/"+scenario, func(t *testing.T) {
			s := newPlayer(t, kindOf(folder), file)
			s.play()
			table.add(folder, scenario, s)
			golden(t, strings.TrimSuffix(file, ".jsonl")+".golden", strings.Join(s.said, "\n")+"\n")
		})
	}
	golden(t, "testdata/recorded/README.md", table.String())
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

// kindOf is the agent of a folder; codexz is an older adapter of Codex.
func kindOf(folder string) agent.Kind {
	name, _, _ := strings.Cut(folder, "-")
	if name == "codexz" {
		name = "codex"
	}
	return agent.Kind(name)
}

// player plays one recording.
type player struct {
	t      *testing.T
	kind   agent.Kind
	rows   []row
	stderr []byte
	ear    *ear
	state  *turn.State
	now    time.Time
	from   int64 // of the recording, ms
	tick   time.Time
	armed  []due
	asked  map[string]agent.Generation // prompt calls that wait, by id
	said   []string
	last   string // the outcome, for the table
	after  time.Duration
	starts time.Time
}

// due is a timer of the machine.
type due struct {
	at time.Time
	ev agent.Event
}

func newPlayer(t *testing.T, kind agent.Kind, file string) *player {
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	s := &player{
		t: t, kind: kind, state: turn.New(), asked: map[string]agent.Generation{},
		now: time.Date(2026, 11, 30, 17, 25, 0, 0, time.UTC),
	}
	for line := range bytes.Lines(raw) {
		var r row
		require.NoError(t, json.Unmarshal(line, &r))
		var m struct {
			Msg json.RawMessage `json:"msg"`
		}
		require.NoError(t, json.Unmarshal(line, &m))
		r.raw = m.Msg
		s.rows = append(s.rows, r)
	}
	s.stderr, _ = os.ReadFile(strings.TrimSuffix(file, ".jsonl") + ".stderr")
	s.from, s.tick = s.rows[0].T, s.now.Add(time.Minute)
	p, known := profileOf(kind)
	require.True(t, known)
	s.ear = &ear{sink: s, read: p.reader(), desk: newDesk(nil), log: silent(nil)}
	t.Cleanup(s.ear.desk.close)
	return s
}

// Stamp, Deliver and Offer make the player the sink of the ear.
func (s *player) Stamp() agent.Stamp {
	return agent.Stamp{Generation: s.state.View().Generation, At: s.now}
}
func (s *player) Deliver(ev agent.Event)    { s.do(ev) }
func (s *player) Offer(ev agent.Event) bool { s.do(ev); return true }

func (s *player) play() {
	for _, r := range s.rows {
		s.until(s.now.Add(time.Duration(r.T-s.from) * time.Millisecond))
		s.from = r.T
		s.take(r)
	}
	if s.state.View().Generation != 0 {
		s.say("(the recording ends here)")
	}
}

// until lets time go by: timers and the watchdog fire on the way.
func (s *player) until(t time.Time) {
	for {
		next, ev := t, agent.Event(nil)
		if v := s.state.View(); s.tick.Before(next) {
			next, ev = s.tick, agent.Checked{Generation: v.Generation, Epoch: v.Epoch}
		}
		which := -1
		for i, d := range s.armed {
			if d.at.Before(next) {
				next, ev, which = d.at, d.ev, i
			}
		}
		s.now = next
		switch {
		case ev == nil:
			return
		case which >= 0:
			s.armed = append(s.armed[:which], s.armed[which+1:]...)
		default:
			s.tick = s.tick.Add(time.Minute)
		}
		s.do(ev)
	}
}

func (s *player) take(r row) {
	switch {
	case r.Dir == ">" && r.Msg.Method == "session/prompt":
		s.prompt(string(r.Msg.ID))
	case r.Dir == ">" && r.Msg.Method == "session/cancel":
		s.do(agent.CancelTurn{})
	case r.Dir == "<" && r.Msg.Method != "":
		c := acp.New(bytes.NewReader(append(r.raw, '\n')), nowhere{io.Discard}, s.ear, acp.Options{Stamp: s.Stamp})
		<-c.Done()
		require.NoError(s.t, c.Close())
	case r.Dir == "<":
		s.answer(r)
	case r.Dir == "!" && (r.Msg.Sig != "" || r.Msg.Exit != nil):
		e := failure.Exit{Signal: r.Msg.Sig, At: s.now}
		if r.Msg.Exit != nil {
			e.Code = *r.Msg.Exit
		}
		s.do(agent.Exited{Stamp: s.Stamp(), Failure: failure.OfExit(e)})
	}
}

// prompt is the user's; what the agent wrote to stderr comes right behind it, since
// the recordings have no times for it.
func (s *player) prompt(id string) {
	s.do(agent.Submit{Prompt: agent.Prompt{ID: agent.PromptID("p" + id), Blocks: []agent.Block{agent.TextBlock("Say hello.")}}})
	s.asked[id] = s.state.View().Generation
	s.starts = s.now
	for line := range bytes.Lines(s.stderr) {
		for _, ev := range s.ear.read.stderr(s.Stamp(), bytes.TrimSpace(line)) {
			s.do(ev)
		}
	}
	s.stderr = nil
}

// answer is the return of a prompt call, or of the opening where that failed.
func (s *player) answer(r row) {
	g, waiting := s.asked[string(r.Msg.ID)]
	var e *acp.Error
	if x := r.Msg.Error; x != nil {
		e = &acp.Error{Method: "session/prompt", Code: string(x.Code), Message: x.Message, Data: []byte(x.Data)}
	}
	if !waiting {
		if e != nil {
			f := refused(s.kind, "session/new", e, nil, s.now)
			s.say("not opened: %s by %s: %s", f.Code, f.Rule, f.Message)
			s.last = "not opened: " + string(f.Code)
		}
		return
	}
	delete(s.asked, string(r.Msg.ID))
	p, _ := profileOf(s.kind)
	c := &conn{live: &live{profile: p, ear: s.ear}}
	if e != nil {
		s.do(c.answered(g, nil, e))
		return
	}
	s.do(c.answered(g, r.Msg.Result, nil))
}

// do steps the machine and carries out what it wants.
func (s *player) do(ev agent.Event) {
	awake := s.now.Sub(time.Date(2026, 11, 30, 17, 25, 0, 0, time.UTC))
	var effects []agent.Effect
	s.state, effects = turn.Step(s.state, ev, agent.Moment{Wall: s.now, Awake: awake}, turn.Policy{})
	for _, e := range effects {
		switch e := e.(type) {
		case agent.Record:
			for _, f := range e.Facts {
				s.tell(f)
			}
			if e.Ack {
				s.do(agent.Persisted{Seq: e.Seq})
			}
		case agent.Arm:
			s.armed = append(s.armed, due{s.now.Add(e.After), agent.TimerFired{Timer: e.Timer, Generation: e.Generation}})
		case agent.Send:
			if _, ok := e.Message.(agent.Open); ok {
				s.do(agent.Opened{Info: agent.SessionInfo{ID: "s"}})
			}
		}
	}
}

// tell says a fact as the golden file has it.
func (s *player) tell(f agent.Fact) {
	switch f := f.(type) {
	case agent.TurnStarted:
		s.say("turn %d", f.Generation)
	case agent.PartSet:
		if p := f.Part; p.Kind == agent.PartText {
			mark := ""
			if p.Marked {
				mark = " (the agent's own words)"
			}
			s.say("text%s %.90q", mark, p.Text)
		}
	case agent.RetryAnnounced:
		next := "when, it does not say"
		if !f.Next.IsZero() {
			next = "in " + f.Next.Sub(s.now).Round(100*time.Millisecond).String()
		}
		s.say("retries, attempt %d, %s%s", f.Attempt, next, reasonOf(f.Code, f.Message))
	case agent.Noticed:
		s.say("notice %s", f.Notice.Kind)
		s.first("notice: " + f.Notice.Kind)
	case agent.CancelStepped:
		s.say("cancel %s", f.Step)
	case agent.TurnSettled:
		s.settled(f)
	}
}

func (s *player) settled(f agent.TurnSettled) {
	line := string(f.Outcome)
	if f.Failure != nil {
		line += " " + string(f.Failure.Code)
		if !f.Failure.ResetAt.IsZero() {
			line += ", reset " + f.Failure.ResetAt.Format("15:04:05")
		}
	}
	s.first(line)
	if f.Failure != nil {
		line += fmt.Sprintf(", by %s: %s", f.Failure.Rule, f.Failure.Message)
	}
	s.say("%s", line)
}

// first keeps what the user was shown first, for the table.
func (s *player) first(what string) {
	if s.last == "" {
		s.last, s.after = what, s.now.Sub(s.starts)
	}
}

func (s *player) say(format string, args ...any) {
	at := s.now.Sub(time.Date(2026, 11, 30, 17, 25, 0, 0, time.UTC))
	s.said = append(s.said, fmt.Sprintf("%8.1fs  %s", at.Seconds(), fmt.Sprintf(format, args...)))
}

package replay

import (
	"errors"
	"slices"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/turn"
	"turnwatch/backend/view"
)

// tick is how often the watchdog looks, in ms.
const tick = int64(time.Minute / time.Millisecond)

// Result is what the machine did: the acts of all sessions in order of time, and
// where each session stood at the end.
type Result struct {
	ID      string           `json:"id"`
	Actions []view.Line      `json:"actions"`
	Final   map[string]Stand `json:"final"`
}

// Stand is where a session and its task stand.
type Stand struct {
	Session agent.SessionState `json:"session"`
	Task    agent.TaskState    `json:"task"`
}

// world is everything at one moment of a replay.
type world struct {
	scenario Scenario
	now      int64 // virtual ms; this is awake time
	slept    int64 // ms by which wall time is ahead
	refuse   map[string]int
	sessions map[string]*session
	names    []string
	timers   []timer
	lines    []view.Line
	ticked   int64 // the last tick
}

// timer is an event that is due later.
type timer struct {
	at      int64
	session string
	event   agent.Event
}

// session is one session with its machine.
type session struct {
	name   string
	state  *turn.State
	script view.Script
	past   turn.Past
}

var errFailed = errors.New("the scenario lets the history fail")

// Interactive plays a scenario without any automation.
func Interactive(s Scenario) Result {
	w := &world{scenario: s, refuse: map[string]int{}, sessions: map[string]*session{}}
	for _, e := range cancelsFirst(s.Events) {
		if e.T > s.Until {
			break
		}
		w.advance(e.T, false)
		w.happen(e)
	}
	w.advance(s.Until, true)
	r := Result{ID: s.ID, Actions: w.lines, Final: map[string]Stand{}}
	if r.Actions == nil {
		r.Actions = []view.Line{}
	}
	for _, name := range w.names {
		v := w.sessions[name].state.View()
		r.Final[name] = Stand{Session: v.Session, Task: v.Task}
	}
	return r
}

// advance lets time go by up to a moment. What is due at that very moment waits
// for the events of the scenario that fall into it, unless last is set.
func (w *world) advance(to int64, last bool) {
	for {
		next, isTick := w.nextDue()
		if next > to || next == to && !last {
			break
		}
		w.now = next
		if !isTick {
			t := w.popTimer()
			w.do(w.sessions[t.session], t.event)
			continue
		}
		for _, name := range w.names {
			w.look(w.sessions[name])
		}
		w.ticked = next
	}
	w.now = max(w.now, to)
}

// nextDue is the next moment at which anything is due. Timers come before a tick
// of the same millisecond.
func (w *world) nextDue() (at int64, isTick bool) {
	at, isTick = w.ticked+tick, true
	for _, t := range w.timers {
		if t.at <= at {
			at, isTick = t.at, false
		}
	}
	return at, isTick
}

func (w *world) popTimer() timer {
	first := 0
	for i, t := range w.timers {
		if t.at < w.timers[first].at {
			first = i
		}
	}
	t := w.timers[first]
	w.timers = slices.Delete(w.timers, first, first+1)
	return t
}

// look is the watchdog at one session.
func (w *world) look(s *session) {
	v := s.state.View()
	if v.Watched && w.moment().Awake-v.Since >= turn.Threshold {
		w.do(s, agent.Checked{Generation: v.Generation, Epoch: v.Epoch})
	}
}

func (w *world) moment() agent.Moment {
	return agent.Moment{Wall: wall(w.now + w.slept), Awake: time.Duration(w.now) * time.Millisecond}
}

// wall is the wall clock at a virtual moment.
func wall(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// session finds a session, or opens it.
func (w *world) session(name string) *session {
	s, ok := w.sessions[name]
	if !ok {
		s = &session{name: name, state: turn.New()}
		s.script = view.Script{Origin: wall(0), Session: name}
		w.sessions[name] = s
		w.names = append(w.names, name)
	}
	return s
}

// do runs the machine on one event and carries out what it wants.
func (w *world) do(s *session, ev agent.Event) {
	var effects []agent.Effect
	s.state, effects = turn.Step(s.state, ev, w.moment(), turn.Policy{})
	var entries []agent.Entry
	var after []agent.Event
	for _, e := range effects {
		switch e := e.(type) {
		case agent.Record:
			err := w.store(e)
			if err == nil {
				entries = append(entries, s.entries(e, w.now)...)
			}
			if e.Ack {
				after = append(after, agent.Persisted{Seq: e.Seq, Err: err})
			}
		case agent.Send:
			w.send(s, e.Message, &after)
		case agent.Arm:
			w.timers = append(w.timers, timer{w.now + e.After.Milliseconds(), s.name, agent.TimerFired{Timer: e.Timer, Generation: e.Generation}})
		case agent.Log:
			w.tell([]view.Line{&view.LogLine{Head: view.Head{T: w.now, S: s.name, Act: "log"}, Kind: e.Kind}})
		}
	}
	w.tell(s.script.Lines(entries))
	for _, ev := range after {
		w.do(s, ev)
	}
}

// store answers for the history, which may be made to refuse notices.
func (w *world) store(r agent.Record) error {
	for _, f := range r.Facts {
		if _, ok := f.(agent.Noticed); ok && !r.Must && w.refuse["notice"] > 0 {
			w.refuse["notice"]--
			return errFailed
		}
	}
	return nil
}

// send is the agent's side: it is there at once, and answers a cancel as the
// scenario says.
func (w *world) send(s *session, m agent.Message, after *[]agent.Event) {
	switch m := m.(type) {
	case agent.Open:
		*after = append(*after, agent.Opened{Info: agent.SessionInfo{ID: agent.ProviderSession(s.name), Resumes: true}})
	case agent.Cancel:
		dt, stop := int64(100), agent.StopCancelled
		if c := w.scenario.Agent.OnCancel; c != nil {
			if c.Ignore {
				return
			}
			dt = c.DT
			if c.Stop != "" {
				stop = agent.StopReason(c.Stop)
			}
		}
		w.timers = append(w.timers, timer{w.now + dt, s.name, agent.Answered{Generation: m.Generation, Stop: stop}})
	}
}

// entries gives the facts of a record their place, and keeps what the history
// would know after a restart.
func (s *session) entries(r agent.Record, now int64) []agent.Entry {
	out := make([]agent.Entry, len(r.Facts))
	for i, f := range r.Facts {
		out[i] = agent.Entry{Session: agent.SessionID(s.name), Generation: r.Generation, At: wall(now), Fact: f}
		switch f := f.(type) {
		case agent.TurnStarted:
			s.past.Generation = f.Generation
			s.past.Queue = slices.DeleteFunc(s.past.Queue, func(p agent.Prompt) bool { return p.ID == f.Prompt.ID })
		case agent.PromptQueued:
			s.past.Queue = append(s.past.Queue, f.Prompt)
		case agent.PartSet:
			s.past.Parts = max(s.past.Parts, f.Part.Seq)
		case agent.StateSet:
			s.past.Session, s.past.Task, s.past.Held = f.Session, f.Task, f.Held
		}
	}
	return out
}

// tell adds lines that the vocabulary of a replay has; the transcript is not of it.
func (w *world) tell(lines []view.Line) {
	for _, l := range lines {
		switch l := l.(type) {
		case *view.NoticeLine:
			if l.Kind == agent.NoticeNotStopped {
				continue
			}
		case *view.HideLine:
			if l.Kind == agent.NoticeNotStopped {
				continue
			}
		case *view.CancelLine:
			if l.Step != agent.CancelSent && l.Step != agent.CancelAcknowledged && l.Step != agent.CancelEscalated {
				continue
			}
		case *view.LogLine, *view.SettledLine, *view.StateLine, *view.RetryLine:
		default:
			continue
		}
		w.lines = append(w.lines, l)
	}
	view.Order(w.lines)
}

package turn

import (
	"time"

	"turnwatch/backend/agent"
)

// Bounds of a cancel and of an idle agent.
const (
	CancelWait = 3 * time.Second  // for the prompt to return after session/cancel
	StopWait   = 30 * time.Second // until "the agent has not stopped" is said
	IdleWait   = 10 * time.Minute // until an idle agent that can resume is stopped
)

// Policy is what the context of a session decides for the machine.
type Policy struct {
	Unattended bool          // nobody is there: a failed turn fails the session
	Idle       time.Duration // stop an idle agent after this long; 0 is never
	// Again decides whether a failed prompt is sent again by itself; nil never does.
	// It may throw dice, and nothing else.
	Again func(Tried) Verdict
}

// phase is where the turn in hand stands.
type phase int

const (
	idle       phase = iota // no turn is open
	recording               // the start is being written; nothing was sent
	starting                // on disk; the agent is being brought up
	dispatched              // sent, nothing genuine seen yet
	active                  // the agent is at work
	cancelling              // our cancel is on its way
)

// link is where the connection to the agent stands.
type link int

const (
	down    link = iota // no process, or it is gone
	opening             // being brought up
	up                  // ready for a prompt
)

// State is everything the machine knows of one session. Make one with New or
// Restore. Step consumes the state that it is given: the caller goes on with the
// returned one and never looks at the old one again.
type State struct {
	session agent.SessionState
	task    agent.TaskState
	link    link
	info    agent.SessionInfo
	seq     uint64 // of the last Record

	turn      current
	gen       agent.Generation // the last one used
	epoch     uint64           // raised by every genuine event
	abandoned []call           // prompt calls that we let go of and that have not returned
	queue     queue
	retry     *retry // a failed prompt that waits to be sent again; only while idle
	words     transcript
	waiting   []wait // what is to happen once a record is on disk
}

// call is a prompt call that we let go of.
type call struct {
	gen  agent.Generation
	said bool // that the agent has not stopped
}

// current is the turn in hand.
type current struct {
	phase    phase
	gen      agent.Generation
	prompt   agent.Prompt
	queued   bool // the prompt came from the queue
	output   bool // text, a tool call or a plan was seen
	stopped  bool // the user cancelled before the start was on disk
	asks     []agent.Ask
	usage    agent.Usage
	silence  silence
	loop     loop
	chance   chance
	auto     *agent.Auto     // the auto-resume policy has sent the prompt
	byPolicy bool            // and this it cancels
	runs     map[string]*run // open top-level tool calls, by id
}

// queue holds what the user asked for and no turn has taken up yet.
type queue struct {
	prompts []agent.Prompt
	held    bool // waits for the user's word
}

// wait joins a record to what follows when it is on disk.
type wait struct {
	seq      uint64
	start    bool             // the start of the turn in hand
	queued   agent.PromptID   // a prompt that wants its place in the queue
	ask      agent.AskID      // a decision that is to be sent
	notice   agent.Generation // a notice of silence that wants to count as said
	retry    agent.Generation // a failed prompt whose countdown is to begin
	decision agent.Decision
}

// New is the state of a session that has never had a turn.
func New() *State {
	return &State{session: agent.SessionWaiting, task: agent.TaskWaiting, words: newTranscript(0)}
}

// Past is what the history knows of a session from an earlier run.
type Past struct {
	Session    agent.SessionState
	Task       agent.TaskState
	Generation agent.Generation
	Parts      uint64 // the highest part sequence number
	Info       agent.SessionInfo
	Queue      []agent.Prompt
	Held       bool
	Again      *Again // a failed prompt that waits to be sent again; Rearm takes it up
}

// Again is a retry that an earlier run has planned and not sent.
type Again struct {
	Generation agent.Generation // of the turn that failed, which is the last one
	Prompt     agent.Prompt
	Failure    agent.Failure
	Try, Most  int
	At         time.Time
}

// Restore is the state of a session that is taken up again. Its queue waits for
// the user's word: nothing is sent because a program was started.
func Restore(p Past) *State {
	s := New()
	s.session, s.task, s.gen = p.Session, p.Task, p.Generation
	s.info = p.Info
	s.queue = queue{prompts: p.Queue, held: p.Held || len(p.Queue) > 0}
	s.words = newTranscript(p.Parts)
	if s.session == "" || s.session == agent.SessionRunning || s.session == agent.SessionOpening {
		s.session = agent.SessionWaiting
	}
	if s.task == "" {
		s.task = agent.TaskWaiting
	}
	if a := p.Again; a != nil && a.Generation == p.Generation {
		s.retry = &retry{
			chance: chance{of: a.Generation, try: a.Try, model: agent.ModelOf(p.Info.Options), failure: &a.Failure},
			gen:    a.Generation, prompt: a.Prompt, most: a.Most, at: a.At,
		}
	}
	return s
}

// View is a copy of what others may know of a state.
type View struct {
	Session    agent.SessionState
	Task       agent.TaskState
	Generation agent.Generation // of the turn in hand; 0 where none is open
	Epoch      uint64
	Cancelling bool
	Queued     int
	Held       bool
	Asks       []agent.Ask
	Up         bool
	Started    bool          // something genuine was seen of the turn in hand
	Retrying   bool          // the agent has announced a retry and nothing came since
	Since      time.Duration // awake time since which nothing genuine came; see Watched
	Watched    bool          // the inactivity clock runs
	Again      *Waiting      // a failed prompt waits to be sent again
}

// Waiting is a failed prompt that waits to be sent again.
type Waiting struct {
	Generation agent.Generation // of the turn that failed
	Try, Most  int
	At         time.Time
}

// View copies what others may know.
func (s *State) View() View {
	v := View{
		Session: s.session, Task: s.task, Epoch: s.epoch,
		Cancelling: s.turn.phase == cancelling,
		Queued:     len(s.queue.prompts), Held: s.queue.held,
		Asks: append([]agent.Ask(nil), s.turn.asks...),
		Up:   s.link == up,
	}
	if r := s.retry; r != nil {
		v.Again = &Waiting{Generation: r.gen, Try: r.try, Most: r.most, At: r.at}
	}
	if s.turn.phase != idle {
		v.Generation = s.turn.gen
		v.Started = s.turn.phase == active
		v.Retrying = s.turn.silence.retries
		v.Since = s.turn.silence.since
		v.Watched = s.turn.open() && s.turn.phase != cancelling && len(s.turn.asks) == 0
	}
	return v
}

// Epoch is raised by every genuine event.
func (s *State) Epoch() uint64 { return s.epoch }

// open reports whether a turn is in hand and was sent.
func (c current) open() bool { return c.phase >= dispatched }

package autoresume

import "time"

// Strategy says what is done about a turn that fell silent.
type Strategy string

// Strategies.
const (
	StallContinue Strategy = "continue"
	StallAbort    Strategy = "abort"
	StallOff      Strategy = "off"
)

// Preset says how far the policy may go.
type Preset string

// Presets.
const (
	// NotifyOnly tells what it would do, and does nothing.
	NotifyOnly Preset = "notify"
	// Safe acts only where a turn is over; of anything else it tells.
	Safe Preset = "safe"
	// Full also cancels turns, speaks into running ones, and to children.
	Full Preset = "full"
)

// Options are all that can be set. Their zero value is no use: start from
// Defaults or Product.
type Options struct {
	Enabled bool
	Preset  Preset
	Stall   Stall
	Idle    Idle
	Stream  Stream
	Child   Child
	Loop    Loop
	Caps    Ceilings
	Timing  Timing
	// Model limits the policy to sessions whose model matches this regular
	// expression; a session whose model is not known does not match. "": all.
	Model string
	// Saturation is the part of a model's window from which on it is said once.
	Saturation float64
}

// Stall is about a turn that fell silent.
type Stall struct {
	Strategy   Strategy
	Timeout    time.Duration // silence after the last event
	Grace      time.Duration // on top of it, also of Child.Wait
	FirstEvent bool          // also a turn that has had no event yet
}

// Idle is about what a turn ended with.
type Idle struct {
	Todos, DoneClaim, Ready, Celebration, ToolText, Intent, MaxTokens bool

	IntentDelay time.Duration // from the end of the turn to the look for an intent
	Delay       time.Duration // to the one pass over everything; also how long a prompt may take to begin
	Gap         time.Duration // without activity before either look
	Warmup      time.Duration // age of a session from which on an intent counts early
	DoneClaims  []string      // regular expressions that a whole line may match, besides the built-in ones
}

// Stream is about a provider that failed.
type Stream struct {
	Failures, Dead bool

	Retries   int      // prompts after failures, before the one that is escalated
	Names     []string // of errors, as they are
	Patterns  []string // of their messages: regular expressions, any case
	MinTokens int64    // of output, from which on a message of reasoning alone was cut off
}

// Child is about sessions that a call of their parent has started.
type Child struct {
	Orphans bool

	Wait      time.Duration // from the end of a child, or a nudge, to the cancel of the parent
	Stuck     time.Duration // silence of a busy child beyond which it is spoken to
	StuckTool time.Duration // the same while it runs a tool
}

// Loop is about calls that repeat.
type Loop struct {
	On     bool
	ByName bool          // names alone make calls equal
	Trips  int           // loops that are broken up; at the next one it gives up
	Calls  int           // at least, before anything is a loop
	Last   int           // calls that are looked at
	Within time.Duration // and their age
}

// Ceilings bound everything together. Only a prompt of the user refills them.
type Ceilings struct {
	Retries      int           // of each kind that is counted by itself
	LoopMax      int           // needs within Window at which a busy turn is cancelled first
	Window       time.Duration // sliding
	WindowBudget int           // prompts within Window, of all kinds, in a family of sessions
	RoundBudget  int           // prompts of all kinds until the user speaks; 0: as many as the windows allow
}

// Timing is how long things wait for each other.
type Timing struct {
	Tick          time.Duration
	BackoffBase   time.Duration
	BackoffCap    time.Duration
	AfterCancel   time.Duration // from an own cancel to the prompt
	CancelPoll    time.Duration // how often it is looked whether the turn is over
	CancelTimeout time.Duration // when it must be over
	Inject        time.Duration // at least, between two prompts
	UserActive    time.Duration // after typing
	Countdown     time.Duration // before each prompt or cancel
	Forget        time.Duration // idle, until a session is forgotten
	Remember      int           // idle sessions at most
}

// Defaults are those of the field's plugin: scenarios are played with them.
func Defaults() Options {
	return Options{
		Enabled: true, Preset: Full, Saturation: 0.85,
		Stall: Stall{Strategy: StallContinue, Timeout: 45 * time.Second, Grace: 3 * time.Second, FirstEvent: true},
		Idle: Idle{
			Todos: true, DoneClaim: true, Ready: true, Celebration: true, ToolText: true, Intent: true,
			IntentDelay: 500 * time.Millisecond, Delay: 3 * time.Second, Gap: time.Second, Warmup: 15 * time.Second,
		},
		Stream: Stream{
			Failures: true, Dead: true, Retries: 2, MinTokens: 200,
			Names:    []string{"ProviderError", "APIError", "StreamError", "ConnectionError", "TimeoutError"},
			Patterns: []string{"streaming response failed", "stream.*fail", "connection.*reset", "connection.*closed"},
		},
		Child: Child{Orphans: true, Wait: 15 * time.Second, Stuck: time.Minute, StuckTool: 3 * time.Minute},
		Loop:  Loop{On: true, Trips: 2, Calls: 6, Last: 15, Within: 2 * time.Minute},
		Caps:  Ceilings{Retries: 3, LoopMax: 3, Window: 10 * time.Minute, WindowBudget: 6},
		Timing: Timing{
			Tick: 5 * time.Second, BackoffBase: time.Second, BackoffCap: 8 * time.Second,
			AfterCancel: 2 * time.Second, CancelPoll: 500 * time.Millisecond, CancelTimeout: 15 * time.Second,
			Forget: 10 * time.Minute, Remember: 50,
		},
	}
}

// Product is what a session gets when the user switches the policy on: it tells
// and does nothing until a preset is chosen, waits far longer, never acts on a
// turn that has had no event, and announces everything.
func Product() Options {
	o := Defaults()
	o.Preset = NotifyOnly
	o.Stall.Timeout = 177 * time.Second // with the grace 180 s: models think for minutes
	o.Stall.FirstEvent = false          // a turn that never began is another matter
	o.Caps.RoundBudget = 12             // twice a window: who needs more needs the user
	o.Timing.Countdown = 10 * time.Second
	o.Timing.UserActive = 30 * time.Second
	return o
}

package autoresume

import (
	"fmt"
	"regexp"
	"time"
)

// Bound is what a number of the options may be, and why.
type Bound struct {
	Name     string // as in an imported configuration
	Min, Max int64  // ms where it is a time
	Reason   string

	at func(*Options) any // *time.Duration, *int or *int64
}

// Bounds lists every number of the options.
func Bounds() []Bound {
	const second, minute, hour, day = 1000, 60_000, 3_600_000, 86_400_000
	return []Bound{
		{"chunkTimeoutMs", second, hour, "models think for minutes, and a turn that is silent for an hour wants a person", func(o *Options) any { return &o.Stall.Timeout }},
		{"gracePeriodMs", 0, 5 * minute, "a moment for what is on its way", func(o *Options) any { return &o.Stall.Grace }},
		{"checkIntervalMs", 250, 10 * minute, "often enough to be in time, seldom enough to cost nothing", func(o *Options) any { return &o.Timing.Tick }},
		{"maxRetries", 0, 99, "what three prompts did not help, more surely do not; the ceilings hold whatever stands here", func(o *Options) any { return &o.Caps.Retries }},
		{"baseBackoffMs", 0, hour, "the first wait", func(o *Options) any { return &o.Timing.BackoffBase }},
		{"maxBackoffMs", 0, day, "no wait is longer than a day", func(o *Options) any { return &o.Timing.BackoffCap }},
		{"subagentWaitMs", 0, hour, "a parent needs a moment to read what its child found", func(o *Options) any { return &o.Child.Wait }},
		{"stuckChildMs", second, hour, "children are shorter of breath than roots", func(o *Options) any { return &o.Child.Stuck }},
		{"stuckChildToolMs", second, day, "a call may take long", func(o *Options) any { return &o.Child.StuckTool }},
		{"loopMaxContinues", 1, 99, "from which need on a running turn is cancelled first; 99 is never", func(o *Options) any { return &o.Caps.LoopMax }},
		{"loopWindowMs", minute, day, "shorter than a minute bounds nothing", func(o *Options) any { return &o.Caps.Window }},
		{"windowBudget", 1, 50, "the most prompts in a window: the ceiling above everything", func(o *Options) any { return &o.Caps.WindowBudget }},
		{"roundBudget", 0, 500, "the most prompts until the user speaks; 0 leaves it to the window", func(o *Options) any { return &o.Caps.RoundBudget }},
		{"toolTextCheckDelayMs", 100, 10 * minute, "late updates of a turn arrive within it", func(o *Options) any { return &o.Idle.Delay }},
		{"actionIntentDelayMs", 0, 10 * minute, "an announcement with nothing behind it is plain at once", func(o *Options) any { return &o.Idle.IntentDelay }},
		{"minActivityGapMs", 0, 10 * minute, "an agent that still stirs is not at its end", func(o *Options) any { return &o.Idle.Gap }},
		{"warmupMs", 0, hour, "a session that has just begun settles first", func(o *Options) any { return &o.Idle.Warmup }},
		{"maxRecoveryRetries", 0, 20, "a provider that failed so often is down", func(o *Options) any { return &o.Stream.Retries }},
		{"silentDeadStreamMinTokens", 1, 1_000_000, "less is a short thought, not a stream that was cut", func(o *Options) any { return &o.Stream.MinTokens }},
		{"toolLoopInterventions", 0, 20, "an agent that loops again after two is not helped by a third", func(o *Options) any { return &o.Loop.Trips }},
		{"abortContinueDelayMs", 0, 10 * minute, "an agent needs a moment to stop", func(o *Options) any { return &o.Timing.AfterCancel }},
		{"cancelTimeoutMs", second, 10 * minute, "an agent that has not stopped by then will not", func(o *Options) any { return &o.Timing.CancelTimeout }},
		{"injectIntervalMs", 0, day, "the least time between two prompts", func(o *Options) any { return &o.Timing.Inject }},
		{"activeUserWindowMs", 0, day, "who has just typed is there and decides himself", func(o *Options) any { return &o.Timing.UserActive }},
		{"countdownMs", 0, 10 * minute, "time to see what is about to be sent, and to cancel it", func(o *Options) any { return &o.Timing.Countdown }},
	}
}

// get is the present value, in ms where it is a time.
func (b Bound) get(o *Options) int64 {
	switch p := b.at(o).(type) {
	case *time.Duration:
		return p.Milliseconds()
	case *int:
		return int64(*p)
	case *int64:
		return *p
	}
	return 0
}

func (b Bound) set(o *Options, v int64) {
	switch p := b.at(o).(type) {
	case *time.Duration:
		*p = time.Duration(v) * time.Millisecond
	case *int:
		*p = int(v)
	case *int64:
		*p = v
	}
}

// Validate checks every number, word and expression. The error names the first
// that is wrong, what it may be, and why.
func (o Options) Validate() error {
	for _, b := range Bounds() {
		if v := b.get(&o); v < b.Min || v > b.Max {
			return fmt.Errorf("check option %s: %d is not between %d and %d: %s", b.Name, v, b.Min, b.Max, b.Reason)
		}
	}
	switch {
	case o.Preset != NotifyOnly && o.Preset != Safe && o.Preset != Full:
		return fmt.Errorf("check option preset: %.40q is none of %s, %s, %s", string(o.Preset), NotifyOnly, Safe, Full)
	case o.Stall.Strategy != StallContinue && o.Stall.Strategy != StallAbort && o.Stall.Strategy != StallOff:
		return fmt.Errorf("check option busyStallStrategy: %.40q is none of %s, %s, %s", string(o.Stall.Strategy), StallContinue, StallAbort, StallOff)
	case !(o.Saturation > 0 && o.Saturation <= 1): // not a number is refused, too
		return fmt.Errorf("check option contextSaturationThreshold: it is a part of the model's window, above 0 and up to 1")
	case o.Timing.CancelPoll <= 0 || o.Timing.Forget < time.Minute || o.Timing.Remember < 1 || o.Timing.Remember > 10_000:
		return fmt.Errorf("check options: how long sessions are remembered is out of bounds")
	case o.Loop.Calls < 1 || o.Loop.Last < o.Loop.Calls || o.Loop.Last > 100 || o.Loop.Within <= 0:
		return fmt.Errorf("check options: the calls of a loop are out of bounds")
	case len(o.Stream.Names) > 100 || len(o.Stream.Patterns) > 100 || len(o.Idle.DoneClaims) > 100:
		return fmt.Errorf("check options: a list has more than 100 entries")
	}
	if _, err := regexp.Compile(o.Model); err != nil || len(o.Model) > 500 {
		return fmt.Errorf("check option modelFilter: it is no regular expression of at most 500 bytes")
	}
	return nil
}

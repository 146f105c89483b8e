package replay

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Bounds of a scenario.
const (
	mostEvents = 100_000
	longest    = int64(31 * 24 * 3600 * 1000) // ms
)

// Scenario is one object of a scenario file. All times are ms of one virtual
// clock that starts at 0.
type Scenario struct {
	ID     string  `json:"id"`
	Agent  Conduct `json:"agent"`
	Events []Event `json:"events"`
	Until  int64   `json:"until"`

	// Options and Caps are those of the auto-resume policy; no others read them.
	Options map[string]json.RawMessage `json:"options"`
	Caps    Caps                       `json:"caps"`
}

// Caps say what the way to the sessions allows; what is not given is allowed.
type Caps struct {
	PromptWhileBusy *bool `json:"promptWhileBusy"`
	PromptChild     *bool `json:"promptChild"`
	Status          *bool `json:"status"`
}

// Conduct says how the agent answers a cancel: by default after 100 ms with the
// stop reason cancelled.
type Conduct struct {
	OnCancel *struct {
		DT     int64  `json:"dt"`
		Stop   string `json:"stop"`
		Ignore bool   `json:"ignore"`
	} `json:"on_cancel"`
	// Prompts answer those of the auto-resume policy, in order; the last one
	// repeats. The events of a turn have times after the prompt.
	Prompts []struct {
		Accept *bool   `json:"accept"`
		Busy   *bool   `json:"busy"` // false: it is accepted, and no turn begins
		Turn   []Event `json:"turn"`
	} `json:"prompts"`
}

// Event is something that happens outside. Only the fields of its kind are read.
type Event struct {
	T       int64  `json:"t"`
	Ev      string `json:"ev"`
	Session string `json:"s"`

	ID     string          `json:"id"`
	Name   string          `json:"name"`
	Title  string          `json:"title"`
	Parent string          `json:"parent"`
	Kind   string          `json:"kind"`
	Args   json.RawMessage `json:"args"`
	Text   string          `json:"text"`
	OK     *bool           `json:"ok"`
	Plan   []struct {
		Content  string `json:"content"`
		Status   string `json:"status"`
		Priority string `json:"priority"`
	} `json:"entries"`

	Stop       string  `json:"stop"`
	Generation *uint64 `json:"generation"`
	Error      *Failed `json:"error"`
	Code       any     `json:"code"` // a word, or the exit status of an agent
	Message    string  `json:"message"`
	ResetAt    *int64  `json:"reset_at"`
	Small      bool    `json:"small"`
	Of         string  `json:"session"` // the provider session of a diagnostic
	Attempt    int     `json:"attempt"`
	NextIn     *int64  `json:"next_in"`
	What       string  `json:"what"`
	Count      int     `json:"count"`
	MS         int64   `json:"ms"`

	DT        int64  `json:"dt"` // in place of t, in a turn of the agent
	Origin    string `json:"origin"`
	Model     string `json:"model"`
	Busy      bool   `json:"busy"`
	Spawns    string `json:"spawns"`
	Out       any    `json:"out"`
	Err       any    `json:"err"`
	OutTokens *int64 `json:"out_tokens"`
	Used      int64  `json:"used"`
	Size      int64  `json:"size"`
	Status    int    `json:"status"`
	Retryable *bool  `json:"retryable"`
	State     string `json:"state"`
}

// Failed is the error that a turn ended with.
type Failed struct {
	Name      string `json:"name"`
	Message   string `json:"message"`
	Status    int    `json:"status"`
	Retryable *bool  `json:"retryable"`
}

// Parse reads one scenario and says what is wrong with it.
func Parse(line []byte) (Scenario, error) {
	var s Scenario
	if err := json.Unmarshal(line, &s); err != nil {
		return s, fmt.Errorf("read scenario: %w", err)
	}
	if s.ID == "" {
		return s, fmt.Errorf("read scenario: it has no id")
	}
	if len(s.Events) > mostEvents {
		return s, fmt.Errorf("read scenario %s: more than %d events", s.ID, mostEvents)
	}
	if s.Until < 0 || s.Until > longest {
		return s, fmt.Errorf("read scenario %s: until is not between 0 and %d ms", s.ID, longest)
	}
	for i, e := range s.Events {
		if err := e.check(); err != nil {
			return s, fmt.Errorf("read scenario %s: event %d %w", s.ID, i, err)
		}
	}
	for _, p := range s.Agent.Prompts {
		for i, e := range p.Turn {
			if err := e.check(); err != nil {
				return s, fmt.Errorf("read scenario %s: event %d of a turn of the agent %w", s.ID, i, err)
			}
		}
	}
	if c := s.Agent.OnCancel; c != nil && (c.DT < 0 || c.DT > longest) {
		return s, fmt.Errorf("read scenario %s: the answer to a cancel has a time out of bounds", s.ID)
	}
	slices.SortStableFunc(s.Events, func(a, b Event) int { return cmp.Compare(a.T, b.T) })
	return s, nil
}

// check says what is wrong with an event.
func (e Event) check() error {
	for _, t := range []int64{e.T, e.DT, e.MS, int64(e.Count)} {
		if t < 0 || t > longest {
			return errors.New("has a time or count out of bounds")
		}
	}
	if !slices.Contains(known(), e.Ev) {
		return fmt.Errorf("is of unknown kind %.40q", e.Ev)
	}
	return nil
}

// cancelsFirst puts a user's cancel before whatever else falls into its
// millisecond.
func cancelsFirst(events []Event) []Event {
	sorted := slices.Clone(events)
	slices.SortStableFunc(sorted, func(a, b Event) int {
		switch {
		case a.T != b.T:
			return cmp.Compare(a.T, b.T)
		case (a.Ev == "user.cancel") == (b.Ev == "user.cancel"):
			return 0
		case a.Ev == "user.cancel":
			return -1
		}
		return 1
	})
	return sorted
}

// known lists the kinds of event. Those that say nothing to the turn machine are
// among them: they belong to the auto-resume policy.
func known() []string {
	return []string{
		"session.open", "turn.start", "turn.end", "text", "thought", "tool.start", "tool.end",
		"tool.progress", "activity", "plan", "usage", "meta", "retry", "error", "ask.open", "ask.close",
		"compaction", "command.start", "command.end", "user.cancel", "user.typing", "task_complete",
		"probe", "agent.exit", "diagnostic", "persist.fail", "suspend", "restart",
	}
}

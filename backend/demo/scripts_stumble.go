package demo

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"turnwatch/backend/acp"
)

// always in a prompt lets a scenario of this file stumble again and again.
const always = "always"

// stumbles lists how a job may stop in the middle, by scenario. Each is played at the
// first prompt; the next prompt of the session, whoever sends it, gets a good end.
func stumbles() map[string]func(*turn) error {
	return map[string]func(*turn) error{
		"leaked-call":    (*turn).leakCall,
		"leaked-thought": (*turn).leakThought,
		"same-call":      (*turn).repeatCall,
		"unknown-tool":   (*turn).callWhatIsNot,
		"announces": func(t *turn) error {
			return t.say("I have read the parser and know where the rule belongs. Now I will write the change and the test for it:")
		},
		"ready-next": func(t *turn) error {
			return t.say("The parser is read, and the place for the rule is found.\n\nReady to continue with the next step.")
		},
		"done-open": func(t *turn) error {
			if err := t.plan(1); err != nil {
				return err
			}
			return t.say("The calendar was a matter of one line, and that line was found at once.\n\nAll tasks are done!")
		},
		"done-bare": func(t *turn) error {
			return t.say("That was quickly said and quickly finished, as far as I can see.\n\nTask completed.")
		},
		"open-plan": func(t *turn) error {
			if err := t.plan(2); err != nil {
				return err
			}
			return t.say("Two of the steps are behind me, and the others follow when there is time.")
		},
		"cut-stream":  (*turn).cutStream,
		"lost-stream": (*turn).loseStream,
		"cut-short": func(t *turn) error {
			t.stops = "max_tokens"
			return t.say("The rule for leap years has three parts. The first is that a year which four divides is a leap year; the second that")
		},
		"stalls": (*turn).stall,
	}
}

// playStumble plays a scenario of this file.
func playStumble(name string) func(*turn) error {
	bad := stumbles()[name]
	if bad == nil {
		return nil
	}
	return func(t *turn) error {
		if t.s.stumble(name, t.asked) {
			return bad(t)
		}
		if name == "done-open" || name == "open-plan" || name == "stalls" {
			if err := t.plan(len(planSteps())); err != nil {
				return err
			}
		}
		return t.say("I went on where I had stopped. The rule for whole centuries stands in `calendar/leap.go`, and its tests pass.\n")
	}
}

// stumble reports whether the prompt gets the bad end. Until there was a good one
// the next prompt plays the same scenario.
func (s *session) stumble(name, asked string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	again := s.again == name
	s.again = name
	if slices.Contains(strings.Fields(asked), always) {
		s.always = true
	}
	if again && !s.always {
		s.again = ""
	}
	return !again || s.always
}

func planSteps() []string {
	return []string{"Read the failing test", "Find where the date is parsed", "Fix the parser for leap days", "Run the tests again"}
}

// plan sends the plan with its first steps done.
func (t *turn) plan(done int) error {
	u := planUpdate{SessionUpdate: "plan"}
	for i, s := range planSteps() {
		e := planEntry{Content: s, Status: "pending", Priority: "medium"}
		if i < done {
			e.Status = "completed"
		}
		u.Entries = append(u.Entries, e)
	}
	return t.send(u)
}

// leakCall writes a call into the answer instead of making it.
func (t *turn) leakCall() error {
	if err := t.say("I will look at the file first, because the rule for leap years may stand there already.\n\n"); err != nil {
		return err
	}
	return t.chunk("agent_message_chunk", "<function=read>\n<parameter=filePath>calendar/leap.go</parameter>\n</function>\n")
}

// leakThought writes it into the reasoning.
func (t *turn) leakThought() error {
	if err := t.think("The rule must be in the calendar. I read it.\n\n"); err != nil {
		return err
	}
	if err := t.chunk("agent_thought_chunk", "<function=read>\n<parameter=filePath>calendar/leap.go</parameter>\n</function>\n"); err != nil {
		return err
	}
	return t.say("One moment, the calendar comes next.")
}

// callEvery is how often a call is repeated, whatever the pace.
const callEvery = 300 * time.Millisecond

// repeatCall makes the same call for ever.
func (t *turn) repeatCall() error {
	if err := t.say("I look for the rule. "); err != nil {
		return err
	}
	for {
		err := t.useTool(toolFields{Title: "read", Kind: "read", RawInput: map[string]any{"filePath": "calendar/leap.go"}},
			toolFields{Title: "calendar/leap.go", Tool: shown(leapFile(oldLine))}, 0)
		if err != nil {
			return err
		}
		if err := t.hold(callEvery); err != nil {
			return err
		}
	}
}

// callWhatIsNot calls a tool that there is not, twice, in OpenCode's form.
func (t *turn) callWhatIsNot() error {
	if err := t.say("I search the whole project. "); err != nil {
		return err
	}
	why := "Model tried to call unavailable tool 'grep_all'. Available tools: bash, edit, read."
	for range 2 {
		err := t.useTool(toolFields{Title: "grep_all"},
			toolFields{Title: "Invalid Tool", RawInput: map[string]any{"tool": "grep_all", "error": why}, Tool: shown("The arguments provided to the tool are invalid: " + why)}, 400*time.Millisecond)
		if err != nil {
			return err
		}
	}
	t.next()
	return t.say("The search did not work out.")
}

// cutStream fails in the middle of a sentence.
func (t *turn) cutStream() error {
	if err := t.say("The rule for leap years has three parts, of which the parser knows"); err != nil {
		return err
	}
	return &failure{code: acp.CodeInternal, message: "Internal error: the streaming response failed: connection reset by peer", data: map[string]any{}}
}

// loseStream thinks at length, and then the stream is over without an answer.
func (t *turn) loseStream() error {
	for i := range 20 {
		if err := t.chunk("agent_thought_chunk", fmt.Sprintf("Case %d: a year that four divides is a leap year, unless a hundred does. ", i+1)); err != nil {
			return err
		}
		if err := t.wait(perWord); err != nil {
			return err
		}
	}
	return nil
}

// stall shows what it means to do, and then no sign of life.
func (t *turn) stall() error {
	if err := t.plan(0); err != nil {
		return err
	}
	return t.forever()
}

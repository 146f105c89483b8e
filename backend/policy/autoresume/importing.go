package autoresume

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Imported is what a configuration asks for: options on top of those that were
// given, and the wording that differs from ours.
type Imported struct {
	Options Options
	Wording map[Kind]string
}

// mostConfig and longestPrompt bound a configuration, in bytes.
const (
	mostConfig    = 256 << 10
	longestPrompt = 4000
)

// Import reads a JSON object in the names of the field's plugin, and in those that
// we have added, on top of options. Every name that is not known and every value
// that is wild is told, all at once; then nothing is taken over.
func Import(raw []byte, base Options) (Imported, error) {
	out := Imported{Options: base, Wording: map[Kind]string{}}
	if len(raw) > mostConfig {
		return Imported{}, fmt.Errorf("read configuration: it is longer than %d bytes", mostConfig)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil || fields == nil {
		return Imported{}, errors.New("read configuration: it is no JSON object of names and values")
	}
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if err := out.take(name, fields[name], true); err != nil {
			wrong = append(wrong, fmt.Errorf("read option %.60s: %w", name, err))
		}
	}
	if len(wrong) == 0 {
		if err := out.Options.Validate(); err != nil {
			wrong = append(wrong, err)
		}
	}
	if len(wrong) > 0 {
		return Imported{}, errors.Join(wrong...)
	}
	return out, nil
}

// errUnknownOption is the error of a name that nobody knows.
var errUnknownOption = errors.New("the name is not known; remove it")

// Scenario reads the options of a scenario on top of the defaults: bounds are not
// checked, and names that are not known are returned.
func Scenario(fields map[string]json.RawMessage) (o Options, unknown []string, err error) {
	out := Imported{Options: Defaults(), Wording: map[Kind]string{}}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		err := out.take(name, fields[name], false)
		switch {
		case errors.Is(err, errUnknownOption):
			unknown = append(unknown, name)
		case err != nil:
			return Options{}, nil, fmt.Errorf("read option %.60s: %w", name, err)
		}
	}
	return out.Options, unknown, nil
}

// take reads one option.
func (im *Imported) take(name string, raw json.RawMessage, bounded bool) error {
	o := &im.Options
	for _, b := range Bounds() {
		if b.Name == name {
			return number(raw, b, o, bounded)
		}
	}
	if p, ok := switches(o)[name]; ok {
		return into(raw, p, "true or false")
	}
	if k, ok := prompts()[name]; ok {
		var text string
		if err := into(raw, &text, "a text"); err != nil {
			return err
		}
		if strings.TrimSpace(text) == "" || len(text) > longestPrompt {
			return fmt.Errorf("it is empty or longer than %d bytes", longestPrompt)
		}
		im.Wording[k] = text
		return nil
	}
	return im.word(name, raw)
}

// word reads what is neither a number, a switch nor a prompt.
func (im *Imported) word(name string, raw json.RawMessage) error {
	o := &im.Options
	switch name {
	case "busyStallStrategy":
		return into(raw, &o.Stall.Strategy, "continue, abort or off")
	case "preset":
		return into(raw, &o.Preset, "notify, safe or full")
	case "modelFilter":
		return into(raw, &o.Model, "a regular expression")
	case "contextSaturationThreshold":
		return into(raw, &o.Saturation, "a number above 0 and up to 1")
	case "streamingFailureErrorNames":
		return into(raw, &o.Stream.Names, "a list of texts")
	case "streamingFailureMessagePatterns":
		return into(raw, &o.Stream.Patterns, "a list of texts")
	case "doneClaimPatterns":
		return into(raw, &o.Idle.DoneClaims, "a list of texts")
	case "toolLoopMatch":
		var word string
		if err := into(raw, &word, "signature or name"); err != nil {
			return err
		}
		if word != "signature" && word != "name" {
			return fmt.Errorf("%.40q is neither signature nor name", word)
		}
		o.Loop.ByName = word == "name"
		return nil
	}
	return errUnknownOption
}

// switches are the options that are on or off.
func switches(o *Options) map[string]*bool {
	return map[string]*bool{
		"enabled": &o.Enabled, "todoNudges": &o.Idle.Todos, "doneClaim": &o.Idle.DoneClaim, "readyToContinue": &o.Idle.Ready,
		"celebration": &o.Idle.Celebration, "toolText": &o.Idle.ToolText, "toolLoop": &o.Loop.On,
		"streamFailure": &o.Stream.Failures, "deadStream": &o.Stream.Dead, "orphanParent": &o.Child.Orphans,
		"resumeOnActionIntent": &o.Idle.Intent, "resumeOnMaxTokens": &o.Idle.MaxTokens, "firstEvent": &o.Stall.FirstEvent,
	}
}

// prompts are the names of texts: those of the field's plugin, then ours.
func prompts() map[string]Kind {
	return map[string]Kind{
		"continuePrompt": Continue, "actionIntentPrompt": ActionIntent, "toolTextRecoveryPrompt": ToolText,
		"thinkingToolRecoveryPrompt": ThinkingTool, "doneWithoutWorkPrompt": DoneOpenTodos, "doneWithoutDetailsPrompt": DoneNoDetail,

		"toolLoopPrompt": ToolLoop, "readyToContinuePrompt": ReadyToGoOn, "todoReminderPrompt": TodoReminder,
		"streamFailurePrompt": StreamFailure, "deadStreamPrompt": DeadStream, "unknownToolPrompt": UnknownTool,
		"subagentPrompt": Subagent, "truncatedPrompt": Truncated,
	}
}

// number reads a whole number within its bounds.
func number(raw json.RawMessage, b Bound, o *Options, bounded bool) error {
	var f float64
	if err := into(raw, &f, "a whole number"); err != nil {
		return err
	}
	if f != float64(int64(f)) || f < 0 || f > float64(longestHold/time.Millisecond) {
		return fmt.Errorf("it is not a whole number between %d and %d", b.Min, b.Max)
	}
	v := int64(f)
	if bounded && (v < b.Min || v > b.Max) {
		return fmt.Errorf("%d is not between %d and %d: %s", v, b.Min, b.Max, b.Reason)
	}
	b.set(o, v)
	return nil
}

func into(raw json.RawMessage, p any, want string) error {
	if string(raw) == "null" || json.Unmarshal(raw, p) != nil {
		return fmt.Errorf("it is not %s", want)
	}
	return nil
}

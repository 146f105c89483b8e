package cli

import (
	"errors"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/history"
	"turnwatch/backend/locale"
)

// explain says an error in words: what a person can act on by its hint, any
// other as it is. Nothing in it can act on the terminal.
func (a *app) explain(err error) string {
	var f *agent.Failure
	if errors.As(err, &f) {
		return a.failure(f)
	}
	var h *history.Error
	if errors.As(err, &h) {
		return a.words.Say(h.Hint, clean(h.Args))
	}
	var busy *history.BusyError
	if errors.As(err, &busy) {
		return a.words.Say("cli.session_busy", nil)
	}
	var r agent.Reason
	if errors.As(err, &r) {
		return a.words.Say("refused."+string(r), nil)
	}
	return terminal.Clean(err.Error())
}

// failure says a failure on one line: what happened, the message, what to do.
func (a *app) failure(f *agent.Failure) string {
	s := a.words.Say("failure."+string(f.Code), nil)
	if f.Message != "" {
		s += " " + terminal.OneLine(f.Message)
	}
	if terminal.Helps(f) {
		s += " " + a.words.Say(f.Hint, clean(f.Args))
	}
	return s
}

// clean makes arguments harmless for a terminal.
func clean(args map[string]string) locale.Args {
	safe := make(locale.Args, len(args))
	for k, v := range args {
		safe[k] = terminal.OneLine(v)
	}
	return safe
}

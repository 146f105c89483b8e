package window

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/history"
	"turnwatch/backend/settings"
)

// Error is the JSON of the error: a key and its arguments.
func (e *Error) Error() string {
	b, err := json.Marshal(e)
	if err != nil {
		return `{"key":"error.unknown"}`
	}
	return string(b)
}

// wrong says which argument of a call cannot be.
func wrong(what string) error {
	return &Error{Key: "error.argument", Args: map[string]string{"what": what}}
}

// failed puts any error into words of the page. What has none is logged and
// becomes error.unknown: its text may hold anything.
func failed(log *slog.Logger, err error) error {
	var ours *Error
	var f *agent.Failure
	var h *history.Error
	var busy *history.BusyError
	var refused agent.Reason
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.As(err, &f):
		if f.Hint != "" {
			return &Error{Key: f.Hint, Args: f.Args}
		}
		return &Error{Key: "failure." + string(f.Code)}
	case errors.As(err, &h):
		return &Error{Key: h.Hint, Args: h.Args}
	case errors.As(err, &busy):
		return &Error{Key: "error.session_busy"}
	case errors.As(err, &refused):
		return &Error{Key: "refused." + string(refused)}
	case errors.Is(err, history.ErrNotFound):
		return &Error{Key: "error.not_found"}
	case errors.Is(err, settings.ErrBroken):
		return &Error{Key: "error.settings_broken"}
	case errors.Is(err, core.ErrClosed), errors.Is(err, history.ErrClosed), errors.Is(err, context.Canceled):
		return &Error{Key: "error.closing"}
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Key: "error.slow"}
	}
	log.Warn("call failed", "err", err)
	return &Error{Key: "error.unknown"}
}

package cli

import (
	"errors"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

// Exit statuses.
const (
	StatusOK           = 0
	StatusError        = 1  // something of ours went wrong
	StatusUsage        = 2  // the command line is wrong
	StatusCancelled    = 10 // the turn was cancelled
	StatusFailed       = 11 // the turn failed
	StatusQuota        = 12 // the turn failed on a quota
	StatusNeverStarted = 13
	StatusEmpty        = 14 // the turn ended without any output
	StatusPermission   = 15 // a request found nobody to answer it
)

// statusOf gives the exit status of a turn. That a permission was missing
// outranks the two ways in which a turn ends by itself: what it did without it
// is not what was asked for.
func statusOf(o agent.Outcome, f *agent.Failure, denied bool) int {
	switch o {
	case agent.Completed, agent.EndedEmpty:
		switch {
		case denied:
			return StatusPermission
		case o == agent.EndedEmpty:
			return StatusEmpty
		}
		return StatusOK
	case agent.Cancelled:
		return StatusCancelled
	case agent.Failed:
		if f != nil && f.Code == failure.QuotaLimited {
			return StatusQuota
		}
		return StatusFailed
	case agent.NeverStarted:
		return StatusNeverStarted
	}
	return StatusError
}

// statusError carries an exit status out of a command. err is nil where
// everything was said already.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

// quit ends a command with a status and without another word.
func quit(status int) error {
	if status == StatusOK {
		return nil
	}
	return &statusError{status: status}
}

// usage ends a command as called wrongly.
func usage(err error) error { return &statusError{status: StatusUsage, err: err} }

// broken ends a command with an error of ours, unless it has a status already.
func broken(err error) error {
	var s *statusError
	if err == nil || errors.As(err, &s) {
		return err
	}
	return &statusError{status: StatusError, err: err}
}

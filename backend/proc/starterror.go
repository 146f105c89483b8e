package proc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Reason says why a program could not be started.
type Reason string

// Reasons, and what a person can do about each.
const (
	NotFound         Reason = "not_found"         // no such program: install it or correct its name
	NotExecutable    Reason = "not_executable"    // there, but not a program this user may run
	NoInterpreter    Reason = "no_interpreter"    // a script whose interpreter is missing
	WrongFormat      Reason = "wrong_format"      // for another system or processor, or damaged
	FolderMissing    Reason = "folder_missing"    // no such folder
	FolderNotAFolder Reason = "folder_not_folder" // something else
	FolderUnreadable Reason = "folder_unreadable" // this user may not enter or list it
	TooLong          Reason = "too_long"          // arguments and environment are over the system's limit
	NoResources      Reason = "no_resources"      // out of memory, processes or files
	Busy             Reason = "busy"              // the program's file is being written
	NotRecorded      Reason = "not_recorded"      // the ledger could not be written: disk full, folder read-only
	OtherReason      Reason = "other"
)

// StartError is why a program could not be started. Path is the program as it
// was asked for; Dir is set where the folder is to blame.
type StartError struct {
	Reason Reason
	Path   string
	Dir    string
	Err    error
}

// Error names the reason and the thing. It holds no argument and no environment.
func (e *StartError) Error() string {
	s := "start program: " + string(e.Reason)
	switch {
	case e.Dir != "":
		s += ": folder " + e.Dir
	case e.Path != "":
		s += ": " + e.Path
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap is the error of the system.
func (e *StartError) Unwrap() error { return e.Err }

// checkFolder sees that the folder is there and can be worked in.
func checkFolder(dir string) error {
	bad := func(r Reason, err error) error {
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = pe.Err // the folder is named once already
		}
		return &StartError{Reason: r, Dir: dir, Err: err}
	}
	if !filepath.IsAbs(dir) {
		return bad(FolderMissing, errors.New("the path must be absolute"))
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return bad(FolderMissing, err)
	case err != nil:
		return bad(FolderUnreadable, err)
	case !info.IsDir():
		return bad(FolderNotAFolder, nil)
	}
	f, err := os.Open(dir)
	if err == nil {
		_, err = f.Readdirnames(1)
		_ = f.Close()
		if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err == nil {
		err = mayEnter(dir)
	}
	if err != nil {
		return bad(FolderUnreadable, err)
	}
	return nil
}

// startError sorts what the system said when it should start a program.
func startError(o Options, path string, err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	r := reasonOf(err)
	if r == NotFound {
		if gone := checkFolder(o.Dir); gone != nil {
			return gone
		}
		if _, e := os.Stat(path); e == nil {
			r, err = NoInterpreter, fmt.Errorf("the program that its first line asks for is missing: %w", err)
		}
	}
	return &StartError{Reason: r, Path: o.Path, Err: err}
}

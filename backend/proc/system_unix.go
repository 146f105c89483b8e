//go:build unix

package proc

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// hold is what the system offers to keep a family together: here a session, with
// a process group of its own, led by the program.
type hold struct {
	mu    sync.Mutex
	group int // 0 before the start and once the leader may have been collected
}

func newHold() (*hold, error) { return &hold{}, nil }

// attr gives the program a session of its own. It has no terminal then: a tool
// that wants to ask on /dev/tty gets an error instead of standing still for ever.
func (h *hold) attr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func (h *hold) adopt(p *os.Process) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.group = p.Pid
	return nil
}

// end kills the program's group, as long as the group is provably its own.
func (h *hold) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.group > 1 {
		_ = unix.Kill(-h.group, unix.SIGKILL)
	}
}

// release lets go of the group: its number may be given to others from here on.
func (h *hold) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.group = 0
}

// signal sends what a nudge is here. A process that is gone is no error.
func signal(p *os.Process, n nudge) error {
	s := map[nudge]syscall.Signal{ask: syscall.SIGTERM, freeze: syscall.SIGSTOP, kill: syscall.SIGKILL}[n]
	if err := p.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

// deathSignal is the name of the signal that ended a program, or "".
func deathSignal(s *os.ProcessState) string {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return w.Signal().String()
	}
	return ""
}

func envKey(k string) string { return k }

func mayEnter(dir string) error { return unix.Access(dir, unix.X_OK) }

// find looks a program up: by its path, or by its bare name on the PATH of env.
// Folders on it that are not absolute are passed over.
func find(name, dir string, env []string) (string, error) {
	if name == "" {
		return "", &StartError{Reason: NotFound, Err: errors.New("no program was named")}
	}
	if strings.Contains(name, "/") {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, name)
		}
		return path, runnable(name, path)
	}
	err := error(&StartError{Reason: NotFound, Path: name, Err: errors.New("not in any folder of PATH")})
	for _, folder := range filepath.SplitList(valueOf(env, "PATH")) {
		if !filepath.IsAbs(folder) {
			continue
		}
		path := filepath.Join(folder, name)
		e := runnable(name, path)
		if e == nil {
			return path, nil
		}
		var se *StartError
		if errors.As(e, &se) && se.Reason == NotExecutable {
			err = e
		}
	}
	return "", err
}

func runnable(name, path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist) || errors.Is(err, unix.ENOTDIR):
		return &StartError{Reason: NotFound, Path: name, Err: unix.ENOENT}
	case err != nil:
		return &StartError{Reason: NotExecutable, Path: name, Err: unix.EACCES}
	case info.IsDir():
		return &StartError{Reason: NotExecutable, Path: name, Err: unix.EISDIR}
	}
	if err := unix.Access(path, unix.X_OK); err != nil {
		return &StartError{Reason: NotExecutable, Path: name, Err: err}
	}
	return nil
}

// reasonOf sorts an error of the system.
func reasonOf(err error) Reason {
	for _, row := range []struct {
		err    error
		reason Reason
	}{
		{unix.ENOENT, NotFound},
		{unix.EACCES, NotExecutable},
		{unix.EPERM, NotExecutable},
		{unix.ENOEXEC, WrongFormat},
		{unix.E2BIG, TooLong},
		{unix.ETXTBSY, Busy},
		{unix.EAGAIN, NoResources},
		{unix.ENOMEM, NoResources},
		{unix.EMFILE, NoResources},
		{unix.ENFILE, NoResources},
	} {
		if errors.Is(err, row.err) {
			return row.reason
		}
	}
	return OtherReason
}

package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// This file is type-checked only: nothing in it was run on Windows yet.

// hold is what the system offers to keep a family together: here a job object
// that the system itself ends when its last handle is closed, be it by a kill of
// Turnwatch.
type hold struct {
	mu  sync.Mutex
	job windows.Handle // 0 once closed
}

func newHold() (*hold, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("create job object: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		_ = windows.CloseHandle(job)
		return nil, fmt.Errorf("set up job object: %w", err)
	}
	return &hold{job: job}, nil
}

// attr starts the program suspended, so that it has no child before it is in the
// job, and without a console window.
func (h *hold) attr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP,
	}
}

// adopt puts the program into the job and lets it run. Should Turnwatch be killed
// just before, a program stays behind that has not run one instruction.
func (h *hold) adopt(p *os.Process) error {
	var failed error
	err := p.WithHandle(func(handle uintptr) {
		failed = windows.AssignProcessToJobObject(h.job, windows.Handle(handle))
	})
	if err = errors.Join(err, failed); err != nil {
		return fmt.Errorf("put program into job: %w", err)
	}
	return resume(uint32(p.Pid))
}

// resume starts the one thread of a program that was started suspended.
func resume(pid uint32) error {
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return fmt.Errorf("list threads: %w", err)
	}
	defer func() { _ = windows.CloseHandle(snap) }()
	row := windows.ThreadEntry32{}
	row.Size = uint32(unsafe.Sizeof(row))
	for err = windows.Thread32First(snap, &row); err == nil; err = windows.Thread32Next(snap, &row) {
		if row.OwnerProcessID != pid {
			continue
		}
		t, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, row.ThreadID)
		if err != nil {
			return fmt.Errorf("open thread: %w", err)
		}
		defer func() { _ = windows.CloseHandle(t) }()
		if _, err := windows.ResumeThread(t); err != nil {
			return fmt.Errorf("resume thread: %w", err)
		}
		return nil
	}
	return fmt.Errorf("find thread: %w", err)
}

// end ends everything in the job.
func (h *hold) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.job != 0 {
		_ = windows.TerminateJobObject(h.job, 1)
	}
}

// release closes the job, which ends whatever is left in it.
func (h *hold) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.job != 0 {
		_ = windows.CloseHandle(h.job)
		h.job = 0
	}
}

func deathSignal(*os.ProcessState) string { return "" }

func envKey(k string) string { return strings.ToUpper(k) }

func mayEnter(string) error { return nil }

// find looks a program up: by its path, or by its bare name on the PATH of env,
// with the usual extensions. A command shim (.cmd) is found and started as it is.
func find(name, dir string, env []string) (string, error) {
	if name == "" {
		return "", &StartError{Reason: NotFound, Err: errors.New("no program was named")}
	}
	if strings.ContainsAny(name, `/\`) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, name)
		}
		return look(name, path)
	}
	for _, folder := range filepath.SplitList(valueOf(env, "PATH")) {
		if !filepath.IsAbs(folder) {
			continue
		}
		if path, err := look(name, filepath.Join(folder, name)); err == nil {
			return path, nil
		}
	}
	return "", &StartError{Reason: NotFound, Path: name, Err: errors.New("not in any folder of PATH")}
}

func look(name, path string) (string, error) {
	found, err := exec.LookPath(path)
	if err != nil {
		return "", &StartError{Reason: NotFound, Path: name, Err: windows.ERROR_FILE_NOT_FOUND}
	}
	return found, nil
}

// reasonOf sorts an error of the system.
func reasonOf(err error) Reason {
	for _, row := range []struct {
		err    error
		reason Reason
	}{
		{windows.ERROR_FILE_NOT_FOUND, NotFound},
		{windows.ERROR_PATH_NOT_FOUND, NotFound},
		{windows.ERROR_ACCESS_DENIED, NotExecutable},
		{windows.ERROR_BAD_EXE_FORMAT, WrongFormat},
		{windows.ERROR_FILENAME_EXCED_RANGE, TooLong},
		{windows.ERROR_SHARING_VIOLATION, Busy},
		{windows.ERROR_NOT_ENOUGH_MEMORY, NoResources},
	} {
		if errors.Is(err, row.err) {
			return row.reason
		}
	}
	return OtherReason
}

package proc

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"github.com/shirou/gopsutil/v4/process"
	"golang.org/x/sys/windows"
)

// This file is type-checked only: nothing in it was run on Windows yet.

// list reads the process table and asks mark about each row. A parent's pid is never updated here, which is
// why a child older than its parent is none.
func list(mark func(entry) bool) ([]entry, error) {
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil, fmt.Errorf("read process table: %w", err)
	}
	defer func() { _ = windows.CloseHandle(snap) }()
	row := windows.ProcessEntry32{}
	row.Size = uint32(unsafe.Sizeof(row))
	var all []entry
	for err = windows.Process32First(snap, &row); err == nil; err = windows.Process32Next(snap, &row) {
		pid := int(row.ProcessID)
		e := entry{
			ident: ident{pid: pid, start: startOf(pid)},
			ppid:  int(row.ParentProcessID),
			name:  windows.UTF16ToString(row.ExeFile[:]),
		}
		e.marked = mark(e)
		all = append(all, e)
	}
	if !errors.Is(err, windows.ERROR_NO_MORE_FILES) {
		return nil, fmt.Errorf("read process table: %w", err)
	}
	return all, nil
}

// lookup reads one row of the process table.
func lookup(pid int) (entry, bool) {
	start := startOf(pid)
	return entry{ident: ident{pid: pid, start: start}}, start != 0
}

// startOf is the creation time in units of 100 ns, 0 where it cannot be read.
func startOf(pid int) uint64 {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return 0
	}
	defer func() { _ = windows.CloseHandle(h) }()
	return created(h)
}

func created(h windows.Handle) uint64 {
	var c, e, k, u windows.Filetime
	if windows.GetProcessTimes(h, &c, &e, &k, &u) != nil {
		return 0
	}
	return uint64(c.HighDateTime)<<32 | uint64(c.LowDateTime)
}

// measure fills in time and memory, which the table does not hold.
func measure(e *entry) {
	p, err := process.NewProcess(int32(e.pid))
	if err != nil {
		return
	}
	if t, err := p.Times(); err == nil {
		e.cpu = time.Duration((t.User + t.System) * float64(time.Second))
	}
	if m, err := p.MemoryInfo(); err == nil {
		e.rss = m.RSS
	}
}

// carries is always false: the environment of others is not read here. The job
// object finds what the launch id finds elsewhere.
func carries(entry, string) (yes, sure bool) { return false, true }

// send kills a process, if it is still the one that is meant; asking and freezing
// do nothing. The handle pins the pid.
func send(id ident, n nudge) error {
	if n != kill || id.start == 0 {
		return nil
	}
	h, err := windows.OpenProcess(windows.PROCESS_TERMINATE|windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(id.pid))
	if err != nil {
		return nil
	}
	defer func() { _ = windows.CloseHandle(h) }()
	if created(h) != id.start {
		return nil
	}
	return windows.TerminateProcess(h, 1)
}

// boot is empty: start times are times of day.
func boot() string { return "" }

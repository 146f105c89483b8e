package proc

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"github.com/shirou/gopsutil/v4/process"
	"golang.org/x/sys/unix"
)

// This file is type-checked only: nothing in it was run on a Mac yet.

// SSTOP and SZOMB of sys/proc.h.
const (
	halted = 4
	zombie = 5
)

// list reads the process table and asks mark about each row.
func list(mark func(entry) bool) ([]entry, error) {
	rows, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, fmt.Errorf("read process table: %w", err)
	}
	all := make([]entry, 0, len(rows))
	for i := range rows {
		e := entryOf(&rows[i])
		e.marked = mark(e)
		all = append(all, e)
	}
	return all, nil
}

// lookup reads one row of the process table.
func lookup(pid int) (entry, bool) {
	row, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(row.Proc.P_pid) != pid {
		return entry{}, false
	}
	return entryOf(row), true
}

// entryOf takes the start in microseconds since 1970.
func entryOf(row *unix.KinfoProc) entry {
	pid := int(row.Proc.P_pid)
	sid, err := unix.Getsid(pid)
	if err != nil {
		sid = 0
	}
	name, _, _ := bytes.Cut(row.Proc.P_comm[:], []byte{0})
	t := row.Proc.P_starttime
	return entry{
		ident: ident{pid: pid, start: uint64(t.Sec)*1e6 + uint64(t.Usec)},
		ppid:  int(row.Eproc.Ppid), pgid: int(row.Eproc.Pgid), sid: sid,
		dead:    row.Proc.P_stat == zombie,
		stopped: row.Proc.P_stat == halted,
		name:    string(name),
	}
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

// carries reports whether the launch id stands in what the system shows of a
// process's start. It shows none of system programs: those are found by session
// and parent only.
func carries(e entry, launch string) (yes, sure bool) {
	raw, err := unix.SysctlRaw("kern.procargs2", e.pid)
	return err == nil && holds(raw, launch), true
}

// send does something to a process, if it is still the one that is meant. There
// are no process handles here: between the comparison and the signal lie a few
// microseconds in which the pid could change hands.
func send(id ident, n nudge) error {
	if now, ok := lookup(id.pid); !ok || now.ident != id {
		return nil
	}
	p, err := os.FindProcess(id.pid)
	if err != nil {
		return nil
	}
	return signal(p, n)
}

// boot is empty: start times are times of day.
func boot() string { return "" }

package proc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// userTicks is USER_HZ, in which the kernel counts for user space on every
// architecture that Go runs on.
const userTicks = 100

// environLimit bounds what is read of another process's environment.
const environLimit = 4 << 20

// relists bounds how often one reading goes back for newcomers.
const relists = 100

// list reads the process table and asks mark about each row at once. It goes back
// for whoever was started meanwhile until nobody was: a process that starts its
// successor and ends, again and again, is overtaken that way, as reading a row is
// quicker than starting a program. One that ends meanwhile is left out.
func list(mark func(entry) bool) ([]entry, error) {
	var all []entry
	read := map[int]bool{}
	for range relists {
		pids, err := numbers()
		if err != nil {
			return nil, fmt.Errorf("read process table: %w", err)
		}
		news := false
		for _, pid := range pids {
			if read[pid] {
				continue
			}
			read[pid], news = true, true
			if e, ok := lookup(pid); ok {
				e.marked = mark(e)
				all = append(all, e)
			}
		}
		if !news {
			break
		}
	}
	return all, nil
}

// numbers lists who is there.
func numbers() ([]int, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	pids := make([]int, 0, len(names))
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// lookup reads one row of the process table.
func lookup(pid int) (entry, bool) {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return entry{}, false
	}
	e, err := parseStat(raw)
	return e, err == nil && e.pid == pid
}

// parseStat reads a line of /proc/PID/stat. The name stands in round brackets
// and may itself hold blanks and brackets; the last one ends it.
func parseStat(raw []byte) (entry, error) {
	open, end := bytes.IndexByte(raw, '('), bytes.LastIndexByte(raw, ')')
	if open < 1 || end < open {
		return entry{}, errors.New("parse process row: no name")
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw[:open])))
	if err != nil || pid <= 0 {
		return entry{}, errors.New("parse process row: no pid")
	}
	f := strings.Fields(string(raw[end+1:]))
	if len(f) < 22 {
		return entry{}, errors.New("parse process row: too short")
	}
	n := func(i int) uint64 { // by the field numbers of proc(5)
		v, e := strconv.ParseUint(f[i-3], 10, 64)
		if e != nil && err == nil {
			err = fmt.Errorf("parse process row: field %d", i)
		}
		return v
	}
	e := entry{
		ident: ident{pid: pid, start: n(22)},
		ppid:  int(n(4)), pgid: int(n(5)), sid: int(n(6)),
		dead:    f[0] == "Z" || f[0] == "X",
		stopped: f[0] == "T" || f[0] == "t",
		name:    string(raw[open+1 : end]),
		cpu:     time.Duration(n(14)+n(15)) * (time.Second / userTicks),
		rss:     n(24) * uint64(os.Getpagesize()),
	}
	return e, err
}

// measure fills in what list left out: nothing here.
func measure(*entry) {}

// carries reports whether the environment that a process was started with holds
// the launch id. One that may not be read does not. It is not sure of an empty
// one, which a process also shows while it turns into another program.
func carries(e entry, launch string) (yes, sure bool) {
	f, err := os.Open("/proc/" + strconv.Itoa(e.pid) + "/environ")
	if err != nil {
		return false, true
	}
	defer func() { _ = f.Close() }()
	env, err := io.ReadAll(io.LimitReader(f, environLimit))
	if err != nil {
		return false, true
	}
	kernel := e.pgid == 0 // the kernel's own threads have none at all
	return holds(env, launch), len(env) > 0 || kernel
}

// send does something to a process, if it is still the one that is meant. The
// handle is opened first and the start time compared after that, so the pid
// cannot change hands in between. A process that is gone is no error.
func send(id ident, n nudge) error {
	p, err := os.FindProcess(id.pid)
	if err != nil {
		return nil
	}
	defer func() { _ = p.Release() }()
	if now, ok := lookup(id.pid); !ok || now.ident != id {
		return nil
	}
	return signal(p, n)
}

// boot names this run of the system: start times of different boots cannot be
// compared.
func boot() string {
	raw, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(raw))
}

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

// list reads the process table. A process that ends meanwhile is left out.
func list() ([]entry, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("read process table: %w", err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("read process table: %w", err)
	}
	var all []entry
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if e, ok := lookup(pid); ok {
			all = append(all, e)
		}
	}
	return all, nil
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
		dead: f[0] == "Z" || f[0] == "X",
		name: string(raw[open+1 : end]),
		cpu:  time.Duration(n(14)+n(15)) * (time.Second / userTicks),
		rss:  n(24) * uint64(os.Getpagesize()),
	}
	return e, err
}

// measure fills in what list left out: nothing here.
func measure(*entry) {}

// carries reports whether the environment that a process was started with holds
// the launch id. One that may not be read does not.
func carries(pid int, launch string) bool {
	f, err := os.Open("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	defer f.Close()
	env, err := io.ReadAll(io.LimitReader(f, environLimit))
	return err == nil && holds(env, launch)
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

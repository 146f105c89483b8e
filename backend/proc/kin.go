package proc

import "bytes"

// marks are the signs by which the members of a family are known.
type marks struct {
	root  ident              // the program itself; zero where it is not known
	known map[ident]struct{} // seen as members before
}

// kin picks the members of a family out of the process table: the program, all
// that descend from it by parent, all in the sessions of those, all that were
// members before, all that carry the launch id, and what descends from these.
//
// The program leads a session of its own, and a session is joined only by being
// born into it: whoever shares one with the program or with its line belongs to
// the family. This is not concluded from the launch id alone, which a program
// outside the family may have been handed.
func kin(all []entry, m marks) []entry {
	in := map[int]bool{}
	leads := false
	for _, e := range all {
		leads = leads || e.ident == m.root && e.sid == e.pid
	}
	grow(all, in, func(e entry) bool { return m.root.pid > 0 && e.ident == m.root }, leads)
	grow(all, in, func(e entry) bool {
		_, ok := m.known[e.ident]
		return ok || e.marked
	}, false)
	var out []entry
	for _, e := range all {
		if in[e.pid] {
			out = append(out, e)
		}
	}
	return out
}

// grow adds the seeds to the set, and then whoever descends from a member or,
// where sessions count, shares a session with one, until nobody is added.
func grow(all []entry, in map[int]bool, seed func(entry) bool, sessions bool) {
	starts := make(map[int]uint64, len(all))
	sids := map[int]bool{}
	add := func(e entry) {
		in[e.pid] = true
		if sessions && e.sid != 0 {
			sids[e.sid] = true
		}
	}
	for _, e := range all {
		starts[e.pid] = e.start
		if !in[e.pid] && seed(e) {
			add(e)
		}
	}
	for more := true; more; {
		more = false
		for _, e := range all {
			if in[e.pid] {
				continue
			}
			// A child is never older than its parent; where it is, the parent's
			// pid was given to somebody else.
			born := in[e.ppid] && e.start >= starts[e.ppid]
			if born || sids[e.sid] {
				add(e)
				more = true
			}
		}
	}
}

// lineage is a process and its ancestors: whoever must not be ended from within.
func lineage(all []entry, pid int) map[int]bool {
	parents := make(map[int]int, len(all))
	for _, e := range all {
		parents[e.pid] = e.ppid
	}
	line := map[int]bool{}
	for p := pid; p > 0 && !line[p]; p = parents[p] {
		line[p] = true
	}
	return line
}

// holds reports whether a block of NUL-ended KEY=value entries holds the launch
// id.
func holds(env []byte, launch string) bool {
	want := []byte(LaunchVar + "=" + launch)
	for len(env) > 0 {
		one, rest, _ := bytes.Cut(env, []byte{0})
		if bytes.Equal(one, want) {
			return true
		}
		env = rest
	}
	return false
}

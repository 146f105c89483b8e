package proc

import (
	"context"
	"os"
	"sync"
	"time"
)

// tick is the pause between two looks at the process table while something is
// awaited there.
const tick = 10 * time.Millisecond

// freezes is how many times newcomers are frozen before anybody is killed.
const freezes = 16

// blankLooks is how many looks in a row have to find an environment empty before
// it is believed to be.
const blankLooks = 5

// family is a program and all that descends from it. Its methods read the
// process table and may be called from several goroutines.
type family struct {
	launch string
	root   ident // zero where it is not known
	hold   *hold // nil for a family of a former run

	mu    sync.Mutex
	known map[ident]struct{} // members at the last look
	blank map[ident]int      // whose environment was empty, and at how many looks
}

// sighting is what a look at the process table shows of a family, the dead and
// uncollected included.
type sighting struct {
	found  []entry
	spared []entry // this process and its ancestors: members where Turnwatch runs inside an agent's tool
	unsure bool    // somebody may belong to it; look again
}

// look reads the process table. What it saw is remembered, so that a member is
// known again after it lost its parent.
func (f *family) look() (sighting, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var s sighting
	blank := map[ident]int{}
	all, err := list(func(e entry) bool {
		if e.dead || e.start < f.root.start {
			return false
		}
		yes, sure := carries(e, f.launch)
		if !sure {
			blank[e.ident] = f.blank[e.ident] + 1
			s.unsure = s.unsure || blank[e.ident] < blankLooks
		}
		return yes
	})
	if err != nil {
		return sighting{}, err
	}
	f.blank = blank
	members := kin(all, marks{root: f.root, known: f.known})
	spare := lineage(all, os.Getpid())
	f.known = make(map[ident]struct{}, len(members))
	for _, e := range members {
		if spare[e.pid] {
			s.spared = append(s.spared, e)
			continue
		}
		f.known[e.ident] = struct{}{}
		s.found = append(s.found, e)
	}
	return s, nil
}

// tell does one thing to every living member but the program itself, and to that
// too where all is set. It returns how many there were.
func (f *family) tell(n nudge, all bool) int {
	s, err := f.look()
	if err != nil {
		return 0
	}
	count := 0
	for _, e := range living(s.found) {
		if all || e.ident != f.root {
			count++
			_ = send(e.ident, n)
		}
	}
	return count
}

// end kills every member and blocks until the table holds none alive, or ctx
// ends. Nobody is killed before everybody stands still: a frozen parent still
// names its children, and starts no more of them. It returns who was there and
// who is left; an error says that the table could not be read, so nobody knows.
func (f *family) end(ctx context.Context) (ended, left []entry, err error) {
	seen := map[ident]entry{}
	for round, clean := 0, 0; ; round++ {
		s, err := f.look()
		alive := living(s.found)
		if err == nil && len(alive) == 0 && !s.unsure {
			// A pid that was given anew while the table was read was not read
			// again: one more look must find nobody.
			if clean++; clean == 2 {
				return values(seen), living(s.spared), nil
			}
			continue
		}
		clean = 0
		if f.freeze(alive, seen) && round < freezes && ctx.Err() == nil {
			continue
		}
		if f.hold != nil && (len(alive) > 0 || err != nil) {
			f.hold.end()
		}
		for _, e := range alive {
			_ = send(e.ident, kill)
		}
		if !pause(ctx, tick) {
			s, err := f.look()
			left = append(living(s.found), living(s.spared)...)
			return without(seen, left), left, err
		}
	}
}

// freeze stops who was not seen before, and reports whether there was anybody.
func (f *family) freeze(alive []entry, seen map[ident]entry) bool {
	fresh := false
	for _, e := range alive {
		if _, ok := seen[e.ident]; !ok {
			seen[e.ident], fresh = e, true
			_ = send(e.ident, freeze)
		}
	}
	return fresh
}

// pause waits for d and reports whether ctx lasted as long.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func values(seen map[ident]entry) []entry {
	out := make([]entry, 0, len(seen))
	for _, e := range seen {
		out = append(out, e)
	}
	return out
}

func without(seen map[ident]entry, left []entry) []entry {
	for _, e := range left {
		delete(seen, e.ident)
	}
	return values(seen)
}

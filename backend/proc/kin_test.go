package proc

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// program is the launch's own program in every table here.
var program = ident{pid: 9, start: 100}

func row(pid int, start uint64, ppid, sid int) entry {
	return entry{ident: ident{pid, start}, ppid: ppid, pgid: sid, sid: sid}
}

func TestWhoBelongsToAFamily(t *testing.T) {
	for _, r := range []struct {
		name    string
		others  []entry
		known   []ident
		carries []int
		want    []int
	}{
		{"the program alone", []entry{row(5, 50, 1, 5)}, nil, nil, []int{9}},
		{"children of children", []entry{row(10, 110, 9, 9), row(11, 120, 10, 9)}, nil, nil, []int{9, 10, 11}},
		{"whatever the order of the table", []entry{row(2, 120, 3, 9), row(3, 110, 9, 9)}, nil, nil, []int{2, 3, 9}},
		{"a child in its own session", []entry{row(10, 110, 9, 10)}, nil, nil, []int{9, 10}},
		{"an orphan of the program's session", []entry{row(10, 110, 1, 9)}, nil, nil, []int{9, 10}},
		{"an orphan of a child's session", []entry{row(10, 110, 9, 10), row(11, 120, 1, 10)}, nil, nil, []int{9, 10, 11}},
		{"an orphan with the launch id", []entry{row(10, 110, 1, 10)}, nil, []int{10}, []int{9, 10}},
		{"its children without", []entry{row(10, 110, 1, 10), row(11, 111, 10, 11)}, nil, []int{10}, []int{9, 10, 11}},
		{"not its session: the id may have been handed on", []entry{row(10, 110, 1, 7), row(7, 60, 1, 7)}, nil, []int{10}, []int{9, 10}},
		{"an orphan that was seen before", []entry{row(10, 110, 1, 10)}, []ident{{10, 110}}, nil, []int{9, 10}},
		{"not who has its pid now", []entry{row(10, 115, 1, 10)}, []ident{{10, 110}}, nil, []int{9}},
		{"not a child older than its parent", []entry{row(10, 90, 9, 10)}, nil, nil, []int{9}},
		{"not the parent", []entry{row(5, 50, 1, 5), row(6, 60, 5, 5)}, nil, nil, []int{9}},
		{"not the system's own, which have no session", []entry{row(2, 1, 0, 0), row(3, 1, 2, 0)}, nil, nil, []int{9}},
	} {
		t.Run(r.name, func(t *testing.T) {
			known := map[ident]struct{}{}
			for _, id := range r.known {
				known[id] = struct{}{}
			}
			all := append([]entry{row(9, 100, 5, 9)}, r.others...)
			for i, e := range all {
				all[i].marked = slices.Contains(r.carries, e.pid)
			}
			got := kin(all, marks{root: program, known: known})
			var pids []int
			for _, e := range got {
				pids = append(pids, e.pid)
			}
			assert.ElementsMatch(t, r.want, pids)
		})
	}
}

func TestWithoutAProgramOnlyTheLaunchIDCounts(t *testing.T) {
	all := []entry{{ident: ident{0, 0}}, row(1, 1, 0, 1), row(9, 100, 1, 9), row(10, 110, 1, 10)}
	all[3].marked = true
	got := kin(all, marks{})
	assert.Equal(t, all[3:], got)
}

func TestAProgramThatLeadsNoSessionLendsItToNobody(t *testing.T) {
	all := []entry{row(9, 100, 1, 7), row(7, 50, 1, 7), row(8, 120, 7, 7)}
	got := kin(all, marks{root: program})
	assert.Equal(t, all[:1], got)
}

// world is a system in which processes are born, leave and die. Every process
// knows whether it descends from the program, which kin has to find out.
type world struct {
	rows    []entry
	ours    map[ident]bool
	carries map[int]bool
	clock   uint64
	pid     int
}

func (w *world) fork(t *rapid.T) {
	parent := rapid.SampledFrom(w.rows).Draw(t, "parent")
	w.clock++
	w.pid = 10 + (w.pid+1)%40 // few pids, so that they are used again
	for _, e := range w.rows {
		if e.pid == w.pid || e.sid == w.pid {
			return
		}
	}
	child := row(w.pid, w.clock, parent.pid, parent.sid)
	if rapid.Bool().Draw(t, "setsid") {
		child.sid = child.pid
	}
	w.ours[child.ident] = w.ours[parent.ident]
	w.carries[child.pid] = w.carries[parent.pid] && rapid.IntRange(0, 4).Draw(t, "clears") > 0
	w.rows = append(w.rows, child)
}

func (w *world) die(t *rapid.T) {
	if len(w.rows) < 4 {
		return
	}
	i := rapid.IntRange(3, len(w.rows)-1).Draw(t, "dies")
	pid := w.rows[i].pid
	w.rows = slices.Delete(w.rows, i, i+1)
	for j := range w.rows {
		if w.rows[j].ppid == pid {
			w.rows[j].ppid = 1
		}
	}
}

func TestNobodyElseIsEverTakenForAMember(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{clock: 100, ours: map[ident]bool{program: true}, carries: map[int]bool{9: true}}
		w.rows = []entry{row(1, 1, 0, 1), row(5, 50, 1, 5), row(9, 100, 5, 9)}
		known := map[ident]struct{}{}
		for range rapid.IntRange(0, 80).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				w.die(t)
			case 1: // a look
				found := w.check(t, known)
				clear(known)
				for id := range found {
					known[id] = struct{}{}
				}
			default:
				w.fork(t)
			}
		}
		w.check(t, known)
	})
}

// check looks, and fails when a stranger was found, or when one was not found
// that carries the id, was known, or whose parent was found.
func (w *world) check(t *rapid.T, known map[ident]struct{}) map[ident]bool {
	found := map[ident]bool{}
	pids := map[int]bool{}
	for i, e := range w.rows {
		w.rows[i].marked = w.carries[e.pid]
	}
	for _, e := range kin(w.rows, marks{root: program, known: known}) {
		if !w.ours[e.ident] {
			t.Fatalf("a stranger was found: %+v in %+v", e, w.rows)
		}
		found[e.ident], pids[e.pid] = true, true
	}
	for _, e := range w.rows {
		_, was := known[e.ident]
		if (was || w.carries[e.pid] || pids[e.ppid]) && !found[e.ident] {
			t.Fatalf("a member was not found: %+v in %+v", e, w.rows)
		}
	}
	return found
}

func TestALineageEndsWhateverTheTableSays(t *testing.T) {
	all := []entry{row(1, 1, 0, 1), row(2, 2, 1, 1), row(3, 3, 2, 1), row(4, 4, 2, 1), row(7, 7, 8, 7), row(8, 8, 7, 7)}
	assert.Equal(t, map[int]bool{1: true, 2: true, 3: true}, lineage(all, 3))
	assert.Equal(t, map[int]bool{7: true, 8: true}, lineage(all, 7))
}

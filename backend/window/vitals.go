package window

import (
	"strconv"

	"turnwatch/backend/core"
)

// Vitals tells what can be seen of a session beside its transcript.
func (t *Tasks) Vitals(session string) (Vitals, error) {
	return answer(t.r, usually, func(c call) (Vitals, error) {
		id, err := sessionID(session)
		if err != nil {
			return Vitals{}, err
		}
		v, err := c.core.Vitals(c.ctx, id)
		if err != nil {
			return Vitals{}, err
		}
		return vitalsOf(v), nil
	})
}

func vitalsOf(v core.Vitals) Vitals {
	p := v.Pace
	out := Vitals{
		At: ms(v.At), Turn: uint64(p.Generation), Sent: ms(p.Sent), First: ms(p.First), Last: ms(p.Last),
		Quiet: ms(p.Quiet), Ended: ms(p.Settled), Tree: treeOf(v.Processes),
		Strip: Strip{Step: p.Strip.Step.Milliseconds(), Counts: make([]int, len(p.Strip.Counts))},
	}
	for i, n := range p.Strip.Counts {
		out.Strip.Counts[i] = int(n)
	}
	if e := v.Earlier; e.Runs > 0 {
		out.Earlier = Phrase{Key: "vitals.earlier", Args: map[string]string{
			"Count": strconv.Itoa(e.Runs), "tool": e.Tool, "longest_ms": strconv.FormatInt(e.Longest.Milliseconds(), 10),
		}}
	}
	return out
}

func treeOf(p core.Processes) Processes {
	out := Processes{
		At: ms(p.At), More: p.More, Known: p.Known, Busy: p.Busy, Halted: p.Halted, Memory: p.Memory,
		List: make([]Process, 0, len(p.List)),
	}
	depth := make(map[int]int, len(p.List))
	for _, n := range p.List {
		d := 0
		if above, ok := depth[n.Parent]; ok {
			d = above + 1
		}
		depth[n.PID] = d
		out.List = append(out.List, Process{PID: n.PID, Depth: d, Name: n.Name, CPU: n.CPU, Memory: n.Memory, Halted: n.Halted})
	}
	return out
}

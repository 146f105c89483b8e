package turn_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/turn"
)

var errDisk = errors.New("disk is full")

// rig drives the machine by hand at virtual time. Records are answered at once
// unless hold is set; an Open is answered by the test.
type rig struct {
	t      testing.TB
	state  *turn.State
	now    agent.Moment
	policy turn.Policy
	hold   bool
	refuse bool          // the history refuses what may be refused
	owed   []agent.Event // answers of the history that are held back

	facts  []agent.Fact
	gens   []agent.Generation // of the facts
	seqs   []uint64           // of their records
	sent   []agent.Message
	armed  []agent.Arm
	denied []agent.Reason
	logs   []string
}

func newRig(t testing.TB) *rig {
	return &rig{t: t, state: turn.New(), now: agent.Moment{Wall: time.Unix(1_000_000, 0)}}
}

// running is a rig whose first turn was dispatched as generation 1.
func running(t testing.TB) *rig {
	r := newRig(t)
	r.do(submit("p1"), agent.Opened{Info: agent.SessionInfo{ID: "ses_1"}})
	require.Equal(t, agent.Dispatch{Generation: 1, Prompt: prompt("p1", r.now.Wall)}, r.last())
	return r
}

func (r *rig) do(events ...agent.Event) *rig {
	for _, ev := range events {
		if d, ok := ev.(wait); ok {
			r.now = agent.Moment{Wall: r.now.Wall.Add(d.d), Awake: r.now.Awake + d.d}
			continue
		}
		var effects []agent.Effect
		r.state, effects = turn.Step(r.state, ev, r.now, r.policy)
		r.carry(effects)
	}
	return r
}

func (r *rig) carry(effects []agent.Effect) {
	var acks []agent.Event
	for _, e := range effects {
		switch e := e.(type) {
		case agent.Record:
			if r.refuse && !e.Must {
				acks = append(acks, agent.Persisted{Seq: e.Seq, Err: errDisk})
				continue
			}
			for _, f := range e.Facts {
				r.facts, r.gens, r.seqs = append(r.facts, f), append(r.gens, e.Generation), append(r.seqs, e.Seq)
			}
			if e.Ack {
				acks = append(acks, agent.Persisted{Seq: e.Seq})
			}
		case agent.Send:
			r.sent = append(r.sent, e.Message)
		case agent.Arm:
			r.armed = append(r.armed, e)
		case agent.Log:
			r.logs = append(r.logs, e.Kind)
		case agent.Refuse:
			r.denied = append(r.denied, e.Reason)
		}
	}
	if r.hold {
		r.owed = append(r.owed, acks...)
		return
	}
	r.do(acks...)
}

func (r *rig) last() agent.Message {
	if len(r.sent) == 0 {
		return nil
	}
	return r.sent[len(r.sent)-1]
}

func settled(r *rig) []agent.TurnSettled { return of[agent.TurnSettled](r) }

func of[F agent.Fact](r *rig) []F {
	var out []F
	for _, f := range r.facts {
		if x, ok := f.(F); ok {
			out = append(out, x)
		}
	}
	return out
}

func count[M agent.Message](r *rig) int {
	n := 0
	for _, m := range r.sent {
		if _, ok := m.(M); ok {
			n++
		}
	}
	return n
}

// texts is what a reader sees of the text parts, in order.
func texts(r *rig) []string {
	var out []string
	at := map[uint64]int{}
	for _, f := range r.facts {
		switch f := f.(type) {
		case agent.PartSet:
			if f.Part.Kind == agent.PartText || f.Part.Kind == agent.PartThought {
				at[f.Part.Seq] = len(out)
				out = append(out, f.Part.Text)
			}
		case agent.PartAppended:
			i := at[f.Seq]
			require.Equal(r.t, len(out[i]), f.Offset, "offset of an appended text")
			out[i] += f.Text
		}
	}
	return out
}

// wait lets virtual time go by between two events; the watchdog does not look.
type wait struct {
	agent.Event
	d time.Duration
}

func after(d time.Duration) agent.Event { return wait{d: d} }

func prompt(id string, at time.Time) agent.Prompt {
	return agent.Prompt{ID: agent.PromptID(id), Blocks: []agent.Block{agent.TextBlock("do " + id)}, At: at}
}

func submit(id string) agent.Event {
	return agent.Submit{Prompt: prompt(id, time.Unix(1_000_000, 0))}
}

func chunk(g agent.Generation, id, text string) agent.Event {
	return agent.Updated{Stamp: agent.Stamp{Generation: g}, Update: agent.Update{
		Kind: agent.MessageChunk, MessageID: id, Block: agent.TextBlock(text),
	}}
}

func thought(g agent.Generation, text string) agent.Event {
	return agent.Updated{Stamp: agent.Stamp{Generation: g}, Update: agent.Update{
		Kind: agent.ThoughtChunk, Block: agent.TextBlock(text),
	}}
}

func tool(g agent.Generation, id string, st agent.ToolStatus) agent.Event {
	return agent.Updated{Stamp: agent.Stamp{Generation: g}, Update: agent.Update{
		Kind: agent.ToolChanged, Tool: agent.ToolCall{ID: id, Title: "bash", Status: st},
	}}
}

func usage(g agent.Generation) agent.Event {
	return agent.Updated{Stamp: agent.Stamp{Generation: g}, Update: agent.Update{Kind: agent.UsageChanged}}
}

func plan(g agent.Generation) agent.Event {
	return agent.Updated{Stamp: agent.Stamp{Generation: g}, Update: agent.Update{
		Kind: agent.PlanChanged, Plan: []agent.PlanEntry{{Content: "look", Status: "pending"}},
	}}
}

func ask(g agent.Generation, id string) agent.Event {
	return agent.Asked{Stamp: agent.Stamp{Generation: g}, Ask: agent.Ask{
		ID: agent.AskID(id), Kind: agent.AskPermission,
		Options: []agent.AskOption{{ID: "once", Kind: "allow_once"}, {ID: "no", Kind: "reject_once"}},
	}}
}

func answer(g agent.Generation, s agent.StopReason) agent.Event {
	return agent.Answered{Generation: g, Stop: s}
}

func refusal(g agent.Generation, c agent.Code) agent.Event {
	return agent.Answered{Generation: g, Failure: &agent.Failure{Code: c}}
}

func exit() agent.Event { return agent.Exited{Failure: agent.Failure{Code: "agent_crashed"}} }

func seen(g agent.Generation) agent.Event {
	return agent.FailureSeen{Stamp: agent.Stamp{Generation: g}, Failure: agent.Failure{Code: "quota_limited"}}
}

func bound(timer agent.Timer, g agent.Generation) agent.Event {
	return agent.TimerFired{Timer: timer, Generation: g}
}

package turn

import (
	"time"

	"turnwatch/backend/agent"
)

// keep bounds how many messages and tool calls of the past are remembered by
// their ids. An update of a forgotten one becomes a part of its own.
const keep = 512

// transcript turns updates into parts. It remembers, for the ids that the agent
// used lately, which part and which turn they belong to.
type transcript struct {
	seq   uint64 // of the last part
	texts map[string]*text
	tools map[string]*agent.Part
	order []string // keys of both maps, oldest first
	last  *text    // the text that a chunk without an id goes on with
	plan  agent.Part
}

func newTranscript(seq uint64) transcript {
	return transcript{seq: seq, texts: map[string]*text{}, tools: map[string]*agent.Part{}}
}

// text is a message or thought that may still grow.
type text struct {
	part agent.Part // without its text
	echo echo
}

// prompt is the part that shows what the user asked.
func (w *transcript) prompt(p agent.Prompt, g agent.Generation, now time.Time) agent.Part {
	part := w.add(agent.PartPrompt, "", g, now)
	for _, b := range p.Blocks {
		if b.Kind == agent.BlockText && part.Text == "" {
			part.Text = b.Text
		} else {
			part.Blocks = append(part.Blocks, b)
		}
	}
	return part
}

// owner tells the turn that first carried the message or tool call of an update.
func (w *transcript) owner(u agent.Update) (agent.Generation, bool) {
	if x, ok := w.texts[textKey(u)]; ok && u.MessageID != "" {
		return x.part.Generation, true
	}
	if p, ok := w.tools[u.Tool.ID]; ok && u.Tool.ID != "" {
		return p.Generation, true
	}
	return 0, false
}

// take adds an update to the transcript and returns the facts of it.
func (w *transcript) take(u agent.Update, g agent.Generation, at time.Time, late bool) []agent.Fact {
	switch u.Kind {
	case agent.MessageChunk, agent.ThoughtChunk:
		return w.chunk(u, g, at, late)
	case agent.ToolCalled, agent.ToolChanged:
		return w.tool(u.Tool, g, at, late)
	case agent.PlanChanged:
		return w.plans(u.Plan, g, at, late)
	case agent.NoticeSent:
		if u.Block.Text != "" {
			return w.remark(u, g, at, late)
		}
	}
	w.last = nil
	part := w.add(agent.PartOther, string(u.Kind), g, at)
	part.Raw, part.Late = u.Raw, late
	return set(part)
}

func (w *transcript) chunk(u agent.Update, g agent.Generation, at time.Time, late bool) []agent.Fact {
	kind := agent.PartText
	if u.Kind == agent.ThoughtChunk {
		kind = agent.PartThought
	}
	if u.Block.Kind != agent.BlockText && u.Block.Kind != "" {
		w.last = nil
		part := w.add(kind, u.MessageID, g, at)
		part.Blocks, part.Late = []agent.Block{u.Block}, late
		return set(part)
	}
	if u.Block.Text == "" {
		return nil
	}
	x := w.growing(u, kind, g)
	if x == nil {
		return w.begin(u, kind, g, at, late)
	}
	w.last = x
	if u.MessageID == "" {
		return x.echo.show(x.part, u.Block.Text)
	}
	return x.echo.take(u.Block.Text, at, x.part)
}

// growing finds the text that a chunk goes on with, if there is one.
func (w *transcript) growing(u agent.Update, kind agent.PartKind, g agent.Generation) *text {
	x := w.last
	if u.MessageID != "" {
		x = w.texts[textKey(u)]
	}
	if x == nil || x.part.Kind != kind || x.part.Key != u.MessageID ||
		x.part.Generation != g || x.part.Marked != u.NotOutput {
		return nil
	}
	return x
}

func (w *transcript) begin(u agent.Update, kind agent.PartKind, g agent.Generation, at time.Time, late bool) []agent.Fact {
	part := w.add(kind, u.MessageID, g, at)
	part.Late, part.Marked = late, u.NotOutput
	x := &text{part: part}
	w.last = x
	x.echo.first(u.Block.Text, at)
	if u.MessageID != "" {
		w.remember(textKey(u))
		w.texts[textKey(u)] = x
	}
	part.Text = u.Block.Text
	return set(part)
}

// remark is a notice of the agent: words of its own that nothing goes on with.
func (w *transcript) remark(u agent.Update, g agent.Generation, at time.Time, late bool) []agent.Fact {
	w.last = nil
	part := w.add(agent.PartText, string(u.Kind), g, at)
	part.Text, part.Late, part.Marked = u.Block.Text, late, true
	return set(part)
}

func (w *transcript) tool(c agent.ToolCall, g agent.Generation, at time.Time, late bool) []agent.Fact {
	w.last = nil
	p, ok := w.tools[c.ID]
	if !ok || c.ID == "" {
		part := w.add(agent.PartTool, c.ID, g, at)
		part.Tool, part.Late = c, late
		if part.Tool.Status == "" {
			part.Tool.Status = agent.ToolPending
		}
		if part.Tool.Name == "" {
			part.Tool.Name = c.Title
		}
		stampEnd(&part, at)
		if c.ID != "" {
			w.remember(c.ID)
			w.tools[c.ID] = &part
		}
		return set(part)
	}
	p.Tool = p.Tool.Merge(c)
	stampEnd(p, at)
	return set(*p)
}

func (w *transcript) plans(entries []agent.PlanEntry, g agent.Generation, at time.Time, late bool) []agent.Fact {
	w.last = nil
	if w.plan.Seq == 0 || w.plan.Generation != g {
		w.plan = w.add(agent.PartPlan, "", g, at)
		w.plan.Late = late
	}
	w.plan.Plan = entries
	return set(w.plan)
}

// closeTools marks the open tool calls of a turn cancelled. What the agent says
// of them later does not change that.
func (w *transcript) closeTools(g agent.Generation, at time.Time) []agent.Fact {
	var facts []agent.Fact
	for _, key := range w.order {
		p, ok := w.tools[key]
		if ok && p.Generation == g && p.Tool.Status.Open() {
			p.Tool.Status = agent.ToolCancelled
			stampEnd(p, at)
			facts = append(facts, agent.PartSet{Part: *p})
		}
	}
	return facts
}

// stampEnd notes when a tool call was first seen closed.
func stampEnd(p *agent.Part, at time.Time) {
	if !p.Tool.Status.Open() && p.Ended.IsZero() {
		p.Ended = at
	}
}

// seal ends the texts of a turn: what an echo still holds back is shown.
func (w *transcript) seal(g agent.Generation) []agent.Fact {
	w.last = nil
	var facts []agent.Fact
	for _, key := range w.order {
		if x, ok := w.texts[key]; ok && x.part.Generation == g {
			facts = append(facts, x.echo.end(x.part)...)
		}
	}
	return facts
}

func (w *transcript) add(kind agent.PartKind, key string, g agent.Generation, at time.Time) agent.Part {
	w.seq++
	return agent.Part{Seq: w.seq, Generation: g, Kind: kind, Key: key, At: at}
}

func (w *transcript) remember(key string) {
	if len(w.order) >= keep {
		delete(w.texts, w.order[0])
		delete(w.tools, w.order[0])
		w.order = w.order[1:]
	}
	w.order = append(w.order, key)
}

func textKey(u agent.Update) string { return string(u.Kind) + "\x00" + u.MessageID }

func set(p agent.Part) []agent.Fact { return []agent.Fact{agent.PartSet{Part: p}} }

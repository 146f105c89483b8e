package turn

import (
	"slices"
	"strings"

	"turnwatch/backend/agent"
)

// submit takes a prompt. While a turn is in hand it waits in the queue and is
// never joined to that turn. Typed while the queue is held, it goes first: the
// user has just said what comes next.
func (t *step) submit(p agent.Prompt) {
	if empty(p.Blocks) {
		t.refuse(agent.EmptyPrompt)
		return
	}
	if p.At.IsZero() {
		p.At = t.now.Wall
	}
	if t.turn.phase == idle {
		t.start(p, false)
		return
	}
	t.queue.prompts = append(t.queue.prompts, p)
	seq := t.try(0, agent.PromptQueued{Prompt: p})
	t.waiting = append(t.waiting, wait{seq: seq, queued: p.ID})
}

func (t *step) editQueued(e agent.EditQueued) {
	i := t.queue.find(e.ID)
	switch {
	case i < 0:
		t.refuse(agent.NoSuchPrompt)
	case empty(e.Blocks):
		t.refuse(agent.EmptyPrompt)
	default:
		t.queue.prompts[i].Blocks = e.Blocks
		t.noteAck(0, agent.PromptEdited{ID: e.ID, Blocks: e.Blocks})
	}
}

func (t *step) removeQueued(id agent.PromptID) {
	i := t.queue.find(id)
	if i < 0 {
		t.refuse(agent.NoSuchPrompt)
		return
	}
	t.queue.prompts = slices.Delete(t.queue.prompts, i, i+1)
	t.noteAck(0, agent.PromptRemoved{ID: id})
	if len(t.queue.prompts) == 0 && t.queue.held {
		t.queue.held = false
		t.stand(t.session, t.task)
	}
}

func (t *step) releaseQueue() {
	if !t.queue.held {
		return
	}
	t.queue.held = false
	t.stand(t.session, t.task)
	t.next()
}

// next starts the first waiting prompt where nothing stands against it.
func (t *step) next() {
	if t.turn.phase != idle || t.queue.held || len(t.queue.prompts) == 0 {
		return
	}
	p := t.queue.prompts[0]
	t.queue.prompts = slices.Delete(t.queue.prompts, 0, 1)
	t.start(p, true)
}

// start begins a turn with a prompt of the user, who thereby has said what comes
// next: a failed one is not sent again.
func (t *step) start(p agent.Prompt, queued bool) {
	t.drop(agent.DropPrompt)
	t.begin(current{prompt: p, queued: queued})
}

// begin writes down that a turn begins. Nothing is sent before that is on disk.
func (t *step) begin(c current) {
	t.gen++
	c.phase, c.gen = recording, t.gen
	t.turn = c
	part := t.words.prompt(c.prompt, t.gen, t.now.Wall)
	part.Try, part.Auto = c.chance.try, c.auto
	t.session, t.task = agent.SessionRunning, agent.TaskRunning
	seq := t.try(t.gen,
		agent.TurnStarted{Generation: t.gen, Prompt: c.prompt, Again: c.chance.of, Try: c.chance.try, Auto: c.auto},
		agent.PartSet{Part: part},
		agent.StateSet{Session: t.session, Task: t.task, Held: t.queue.held})
	t.waiting = append(t.waiting, wait{seq: seq, start: true})
}

// started goes on once the start is on disk: to the agent, or to bring it up.
func (t *step) started() {
	switch {
	case t.turn.stopped:
		t.settle(end{outcome: agent.Cancelled})
	case t.turn.chance.undone:
		t.undo()
	case t.link == up:
		t.dispatch()
	default:
		t.turn.phase = starting
		t.open()
	}
}

// dispatch sends the prompt of the turn in hand. Activity counts from here: the
// state is set before the prompt leaves, so no event can overtake it.
func (t *step) dispatch() {
	t.turn.phase = dispatched
	t.rearm()
	t.send(agent.Dispatch{Generation: t.turn.gen, Prompt: t.turn.prompt})
}

// notStarted takes back a turn whose start could not be written. A prompt from
// the queue goes back to its place; a new one is refused to whoever sent it.
func (t *step) notStarted() {
	p, queued, again := t.turn.prompt, t.turn.queued, t.turn.chance
	t.turn = current{}
	t.session, t.task = agent.SessionWaiting, agent.TaskNeedsYou
	if queued {
		t.queue.prompts = slices.Insert(t.queue.prompts, 0, p)
	}
	t.queue.held = len(t.queue.prompts) > 0
	if again.of != 0 {
		t.note(again.of, agent.RetryDropped{Why: agent.DropUnstored, Try: again.try - 1})
		t.stand(t.session, t.task)
	}
}

func (q queue) find(id agent.PromptID) int {
	return slices.IndexFunc(q.prompts, func(p agent.Prompt) bool { return p.ID == id })
}

func empty(blocks []agent.Block) bool {
	for _, b := range blocks {
		if b.Kind != agent.BlockText || strings.TrimSpace(b.Text) != "" {
			return false
		}
	}
	return true
}

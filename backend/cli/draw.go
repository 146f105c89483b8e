package cli

import (
	"io"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/locale"
	"turnwatch/backend/view"
)

// drawer shows a run. One goroutine calls it; any call may block on the writer.
type drawer interface {
	entries([]agent.Entry)
	ask(agent.Ask)
	keys(agent.Ask) // those that answer it
	answer(agent.Ask, agent.Decision)
	tick(now time.Time)
	remark(key string, args locale.Args) // about the run, for stderr
	end(view.Final, *agent.Failure, time.Duration)
	err() error
}

// textDrawer draws for a person: the page on stdout, remarks and failures on
// stderr, requests wherever there is a terminal.
type textDrawer struct {
	page  *terminal.Printer // stdout
	side  *terminal.Printer // stderr
	asks  *terminal.Printer // one of the two
	width func() int        // of the terminal behind the page; 0 where there is none
	name  string            // the agent's name for itself
}

func (d *textDrawer) entries(entries []agent.Entry) {
	for _, e := range entries {
		if ready, ok := e.Fact.(agent.SessionReady); ok {
			d.name = ready.Info.Agent
		}
	}
	d.page.Entries(entries)
}

func (d *textDrawer) ask(a agent.Ask) {
	d.page.Break()
	d.asks.Question(a, d.name)
}

func (d *textDrawer) keys(a agent.Ask) { d.asks.AnswerKeys(a) }

func (d *textDrawer) answer(a agent.Ask, chosen agent.Decision) { d.asks.Answer(a, chosen) }

func (d *textDrawer) tick(now time.Time) {
	d.page.Resize(d.width())
	d.page.Flush()
	d.page.Tick(now)
}

func (d *textDrawer) remark(key string, args locale.Args) {
	d.page.Break()
	d.side.Remark(key, args)
}

func (d *textDrawer) end(final view.Final, f *agent.Failure, took time.Duration) {
	d.page.Ending(final.Outcome, took)
	d.side.Card(f)
	if final.Denied {
		d.side.Remark("run.permission_needed", nil)
	}
}

func (d *textDrawer) err() error { return d.page.Err() }

// jsonDrawer writes for a program: one object a line on stdout, ending with the
// outcome. Remarks go to stderr.
type jsonDrawer struct {
	script view.Script
	out    jsonl
	side   *terminal.Printer
}

func newJSONDrawer(w io.Writer, side *terminal.Printer, origin time.Time) *jsonDrawer {
	return &jsonDrawer{script: view.Script{Origin: origin}, out: jsonl{w: w}, side: side}
}

func (d *jsonDrawer) entries(entries []agent.Entry) {
	for _, line := range d.script.Lines(entries) {
		d.out.put(line)
	}
}

func (d *jsonDrawer) ask(agent.Ask) {}

func (d *jsonDrawer) keys(agent.Ask) {}

func (d *jsonDrawer) answer(agent.Ask, agent.Decision) {}

func (d *jsonDrawer) tick(time.Time) {}

func (d *jsonDrawer) remark(key string, args locale.Args) { d.side.Remark(key, args) }

func (d *jsonDrawer) end(final view.Final, _ *agent.Failure, _ time.Duration) { d.out.put(final) }

func (d *jsonDrawer) err() error { return d.out.err }

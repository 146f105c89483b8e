package proc

import (
	"context"
	"os"
	"time"
)

// Bounds of what happens after a program has ended.
const (
	strayGrace = 500 * time.Millisecond // for descendants to end by themselves when asked
	killBound  = 5 * time.Second        // for the system to carry out a kill
)

// watch waits for the program's end, ends what it left behind and closes done.
// It is the only one that collects the program.
func (p *Process) watch(stderr *os.File) {
	awaitEnd(p.cmd)
	at := time.Now()
	exit := p.sweep()
	p.hold.release()
	_ = p.cmd.Wait() // collects it; how it ended stands in ProcessState
	exit.Code, exit.Signal, exit.At = p.cmd.ProcessState.ExitCode(), deathSignal(p.cmd.ProcessState), at
	p.exit = exit
	_ = p.stdin.Close()
	p.stdout.expire()
	_ = stderr.SetReadDeadline(time.Now().Add(linger))
	if exit.clean() {
		p.ledger.forget(p.family.launch)
	} else {
		p.log.Warn("descendants may be left running", "count", len(exit.Left), "error", exit.Err)
	}
	p.log.Debug("program ended", "code", exit.Code, "signal", exit.Signal, "strays", exit.Strays)
	close(p.done)
}

// sweep ends the descendants that outlived the program: it asks, waits a little,
// and kills. It fills in what Exit says of them.
func (p *Process) sweep() Exit {
	strays := p.family.tell(ask, false)
	if strays > 0 {
		ctx, cancel := context.WithTimeout(context.Background(), strayGrace)
		for p.others() && pause(ctx, tick) {
		}
		cancel()
	}
	ctx, cancel := context.WithTimeout(context.Background(), killBound)
	defer cancel()
	_, left, err := p.family.end(ctx)
	return Exit{Strays: strays, Left: nodes(left), Err: err}
}

// others reports whether a member other than the program is alive.
func (p *Process) others() bool {
	s, err := p.family.look()
	if err != nil {
		return false
	}
	for _, e := range living(s.found) {
		if e.ident != p.family.root {
			return true
		}
	}
	return false
}

// clean reports whether nothing is left.
func (e Exit) clean() bool { return len(e.Left) == 0 && e.Err == nil }

package proc

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Stopping says how much time a program gets. A zero field is its default; a
// negative one is no time at all.
type Stopping struct {
	Grace time.Duration // after its stdin was closed; 5 s
	Term  time.Duration // after it and its family were asked to end; 2 s
}

// Times a program gets where nothing else is said.
const (
	DefaultGrace = 5 * time.Second
	DefaultTerm  = 2 * time.Second
)

// Stop ends the program and its family, whatever it takes, and blocks until
// nothing of them is left. Its order: look who belongs to the family; close
// stdin and give Grace; ask everybody to end and give Term; freeze and kill what
// is left. Work of the caller's before that, such as session/cancel, is the
// caller's.
//
// Stop may be called more than once and by several callers; the first one's
// times count. When ctx ends Stop returns its error at once, and the stop goes on
// without giving any more time. Any other error names processes that could not
// be ended.
func (p *Process) Stop(ctx context.Context, s Stopping) error {
	p.ending.begin.Do(func() { go p.wind(s.orDefault()) })
	select {
	case <-p.done:
		return p.again(ctx)
	case <-p.ending.spent:
		select {
		case <-p.done:
			return p.again(ctx)
		default:
			return leftError(p.Tree())
		}
	case <-ctx.Done():
		p.ending.hasten.Do(func() { close(p.ending.hurry) })
		return fmt.Errorf("stop program: %w", ctx.Err())
	}
}

// wind carries the stop order out, once. It ends in bounded time.
func (p *Process) wind(s Stopping) {
	defer close(p.ending.spent)
	if _, err := p.family.look(); err != nil {
		p.log.Warn("process tree not read", "error", err)
	}
	_ = p.stdin.Close()
	if p.ended(s.Grace) {
		return
	}
	p.family.tell(ask, true)
	if p.ended(s.Term) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), killBound)
	defer cancel()
	if _, _, err := p.family.end(ctx); err != nil {
		p.log.Warn("process tree not read", "error", err)
	}
	select { // watch does its own sweep within its bounds
	case <-p.done:
	case <-time.After(killBound + strayGrace):
	}
}

// ended waits for the program's end for d, and less when there is a hurry.
func (p *Process) ended(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-p.done:
		return true
	case <-t.C:
	case <-p.ending.hurry:
	}
	return false
}

// again is a Stop after the end: it tries once more where something was left.
func (p *Process) again(ctx context.Context) error {
	if p.exit.clean() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, killBound)
	defer cancel()
	_, left, err := p.family.end(ctx)
	if err != nil {
		return fmt.Errorf("stop program: %w", err)
	}
	if len(left) > 0 {
		return leftError(nodes(left))
	}
	p.ledger.forget(p.family.launch)
	return nil
}

func (s Stopping) orDefault() Stopping {
	if s.Grace == 0 {
		s.Grace = DefaultGrace
	}
	if s.Term == 0 {
		s.Term = DefaultTerm
	}
	return s
}

func leftError(left []Node) error {
	names := make([]string, len(left))
	for i, n := range left {
		names[i] = fmt.Sprintf("%s (%d)", n.Name, n.PID)
	}
	return fmt.Errorf("stop program: these could not be ended, end them by hand: %s", strings.Join(names, ", "))
}

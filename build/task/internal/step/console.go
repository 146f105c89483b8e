// Package step shows and runs the steps of the task runner: one line for a step
// that worked, everything a step said when it failed.
//
// It may touch the console and child processes. Do blocks while the step works;
// one goroutine per running step keeps its line alive and ends with it.
package step

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Console writes progress. It is safe for use from several goroutines, though
// one step runs at a time.
type Console struct {
	verbose bool
	live    bool          // a terminal: the running step has a line that is rewritten
	pulse   time.Duration // how often a running step shows that it is alive

	mu      sync.Mutex
	out     io.Writer
	pending bool // the cursor stands behind a line that may be rewritten
}

// Options says how a console shows steps.
type Options struct {
	Verbose bool // what commands print is shown while they run
	Live    bool // out is a terminal
}

// New makes a console that writes to out.
func New(out io.Writer, o Options) *Console {
	pulse := time.Minute
	if o.Live {
		pulse = time.Second
	}
	return &Console{out: out, verbose: o.Verbose, live: o.Live, pulse: pulse}
}

// Do runs one step. Its work writes what its commands say to log, which is
// shown as it comes when the console is verbose, in full when the step fails,
// and never otherwise; the note it returns stands behind the result. The error
// of the work is returned as it is.
func (c *Console) Do(ctx context.Context, name string, work func(ctx context.Context, log io.Writer) (note string, err error)) error {
	start := time.Now()
	stop := c.keepAlive(name, start)
	log := &keeper{console: c}
	note, err := work(ctx, log)
	stop()
	took := time.Since(start)
	if err != nil {
		if said := log.text(); !c.verbose && len(said) > 0 {
			c.write(append(bytes.TrimRight(said, "\n"), '\n'))
		}
		c.line(fmt.Sprintf("%-22s FAILED  %8s  %v", name, Seconds(took), err))
		return err
	}
	c.line(strings.TrimRight(fmt.Sprintf("%-22s ok      %8s  %s", name, Seconds(took), note), " "))
	return nil
}

// Println shows a line of text at once.
func (c *Console) Println(text string) { c.line(text) }

// Seconds shows how long something took, in seconds or minutes.
func Seconds(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%dm %02ds", int(d.Minutes()), int(d.Seconds())%60)
}

// keepAlive shows that a step runs until the returned function is called; that
// function waits for the goroutine to end.
func (c *Console) keepAlive(name string, start time.Time) (stop func()) {
	if c.verbose {
		c.line("--- " + name)
	} else if c.live {
		c.rewrite(name + " …")
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(c.pulse)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				c.alive(name, time.Since(start))
			}
		}
	}()
	return func() { close(quit); <-done }
}

func (c *Console) alive(name string, since time.Duration) {
	switch {
	case c.verbose:
	case c.live:
		c.rewrite(fmt.Sprintf("%s … %s", name, Seconds(since)))
	default:
		c.line(fmt.Sprintf("%-22s running %8s", name, Seconds(since)))
	}
}

// clear takes a rewritable line away. The lock is held.
func (c *Console) clear() {
	if c.pending {
		_, _ = io.WriteString(c.out, "\r\x1b[K")
		c.pending = false
	}
}

func (c *Console) rewrite(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	_, _ = io.WriteString(c.out, text)
	c.pending = true
}

func (c *Console) line(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	_, _ = fmt.Fprintln(c.out, text)
}

func (c *Console) write(text []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	_, _ = c.out.Write(text)
}

// keeper keeps what a step says, and passes it on when the console is verbose.
type keeper struct {
	console *Console
	mu      sync.Mutex
	kept    bytes.Buffer
}

// Write never fails.
func (k *keeper) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept.Write(p)
	if k.console.verbose {
		k.console.write(p)
	}
	return len(p), nil
}

func (k *keeper) text() []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	return bytes.Clone(k.kept.Bytes())
}

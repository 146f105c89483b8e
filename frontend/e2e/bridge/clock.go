package main

import (
	"bufio"
	"io"
	"sync"
	"time"

	"turnwatch/backend/agent"
)

// clock is the system's clock, set ahead when a test says so: five minutes of
// silence need not be waited for. What was due by then happens at once.
type clock struct {
	mu     sync.Mutex
	ahead  time.Duration
	timers map[*time.Timer]time.Time // by when they are due, in the time of this clock
}

func newClock() *clock { return &clock{timers: map[*time.Timer]time.Time{}} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

// awake is what silence is measured with.
func (c *clock) awake() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return agent.Awake() + c.ahead
}

func (c *clock) AfterFunc(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	var t *time.Timer
	t = time.AfterFunc(d, func() {
		c.mu.Lock() // not before t is known
		delete(c.timers, t)
		c.mu.Unlock()
		f()
	})
	c.timers[t] = time.Now().Add(c.ahead + d)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.timers, t)
		return t.Stop()
	}
}

// set moves the clock on by d.
func (c *clock) set(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
	now := time.Now().Add(c.ahead)
	for t, due := range c.timers {
		if t.Stop() {
			t.Reset(max(0, due.Sub(now)))
		}
	}
}

// follow sets the clock ahead by every duration that comes, until in ends.
func (c *clock) follow(in io.Reader) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if d, err := time.ParseDuration(lines.Text()); err == nil {
			c.set(d)
		}
	}
}

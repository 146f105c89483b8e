package managed

import "sync"

// calls counts the prompt calls that wait for their answer. Once shut it takes
// no more. Safe for several goroutines; no method blocks.
type calls struct {
	mu   sync.Mutex
	n    int
	shut bool
	idle chan struct{} // made for whoever waits for n to be 0
}

// begin counts one more; false where no more are taken.
func (c *calls) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shut {
		return false
	}
	c.n++
	return true
}

func (c *calls) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n--
	if c.n == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
}

func (c *calls) any() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n > 0
}

// none is closed when no call waits, or did not when it was asked for.
func (c *calls) none() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle == nil {
		c.idle = make(chan struct{})
	}
	idle := c.idle
	if c.n == 0 {
		close(c.idle)
		c.idle = nil
	}
	return idle
}

// close takes no more calls from here on, and is none.
func (c *calls) close() <-chan struct{} {
	c.mu.Lock()
	c.shut = true
	c.mu.Unlock()
	return c.none()
}

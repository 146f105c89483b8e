package window

import "sync"

// crew runs what goes on beside the calls, and knows when all of it has ended.
// The zero value is ready.
type crew struct {
	mu   sync.Mutex
	home bool // nothing begins any more
	work sync.WaitGroup
}

// Go runs f beside; false where nothing begins any more.
func (c *crew) Go(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.home {
		return false
	}
	c.work.Go(f)
	return true
}

// dismiss lets nothing begin any more and waits for what runs.
func (c *crew) dismiss() {
	c.mu.Lock()
	c.home = true
	c.mu.Unlock()
	c.work.Wait()
}

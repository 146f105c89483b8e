package failure

import "slices"

// retrySigns say that the agent tries again by itself.
var retrySigns = []string{
	"retrying", `"willretry":true`, `"type":"retry"`, `"subtype":"api_retry"`, "reconnecting...", "will retry in", "backing off for",
}

// goneBy are words that take the retry back: the agent speaks of one that is over, or that it
// will not make.
var goneBy = []string{"not ", "stopped ", "stop ", "without ", "after ", "up ", "before ", "instead of ", "try ", "worth "}

// harmlessSigns make a line of a log one that tells of no failure.
var harmlessSigns = []string{
	`"level":"info"`, `"level":"debug"`, `"level":"trace"`, "level=info", "level=debug", "level=trace", `"level":30`,
}

// retries reports whether the text says that the agent tries again by itself.
func (c *catalogue) retries(low []byte, f *found) bool {
	for i, id := range c.retry {
		if !f.has(id) {
			continue
		}
		start := int(f.last[id]) - len(retrySigns[i])
		if i > 0 || !endsWith(low[:start], goneBy...) {
			return true
		}
	}
	return false
}

func (c *catalogue) harmless(f *found) bool {
	return slices.ContainsFunc(c.calm, f.has)
}

package settings

import (
	"fmt"
	"time"
)

// Keep says how much is kept, and for how long.
type Keep struct {
	Days  int `json:"days"`  // a transcript is dropped when its session did not change for so long; 0 is never
	MiB   int `json:"mib"`   // the history is kept below this size, the oldest transcripts go first; 0 is no limit
	Idle  int `json:"idle"`  // minutes until an idle agent is stopped that can take its session up again; 0 is never
	Purge int `json:"purge"` // days until a deleted task is gone for good; 0 is never
}

// Bounds of Keep. A history smaller than 64 MiB would drop what was just said.
const (
	fewestMiB = 64
	mostMiB   = 1 << 20
	mostDays  = 36_500
	mostIdle  = 24 * 60
)

func keepDefaults() Keep { return Keep{Days: 180, MiB: 2048, Idle: 10, Purge: 1} }

// Check says what is out of bounds; nil where nothing is.
func (k Keep) Check() error {
	switch {
	case k.Days < 0 || k.Days > mostDays:
		return fmt.Errorf("keep.days is 0 to %d, not %d", mostDays, k.Days)
	case k.MiB != 0 && (k.MiB < fewestMiB || k.MiB > mostMiB):
		return fmt.Errorf("keep.mib is 0, or %d to %d, not %d", fewestMiB, mostMiB, k.MiB)
	case k.Idle < 0 || k.Idle > mostIdle:
		return fmt.Errorf("keep.idle is 0 to %d minutes, not %d", mostIdle, k.Idle)
	case k.Purge < 0 || k.Purge > mostDays:
		return fmt.Errorf("keep.purge is 0 to %d, not %d", mostDays, k.Purge)
	}
	return nil
}

// IdleWait is Idle as a duration; 0 is never.
func (k Keep) IdleWait() time.Duration { return time.Duration(k.Idle) * time.Minute }

// Age is Days as a duration; 0 is no limit.
func (k Keep) Age() time.Duration { return days(k.Days) }

// Undo is Purge as a duration; 0 is never.
func (k Keep) Undo() time.Duration { return days(k.Purge) }

// Bytes is MiB in bytes; 0 is no limit.
func (k Keep) Bytes() int64 { return int64(k.MiB) << 20 }

func days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }

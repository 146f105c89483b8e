// Package figures reads what was measured of the window and renders it beside the
// aims. It is pure: nothing here measures, waits or writes.
package figures

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Run is what one run measured. Lists have one value for each round; maps are by
// the name of the window: hello, window, chromium.
type Run struct {
	Rounds   int                  `json:"rounds"`
	Seconds  float64              `json:"seconds"`  // of idling and of streaming
	Start    map[string][]float64 `json:"start"`    // ms from the start of the program to the first paint
	Complete map[string][]float64 `json:"complete"` // ms until the first picture changed no more
	Work     map[string][]float64 `json:"work"`     // ms of the processor a second after that
	Memory   map[string][]float64 `json:"memory"`   // PSS of the process tree, bytes
	Idle     map[string]float64   `json:"idle"`     // hundredths of a core
	Stream   map[string]float64   `json:"stream"`   // hundredths of a core, at 500 updates a second
	Parts    int                  `json:"parts"`    // in the transcript in which frames were counted
	Follow   *Frames              `json:"follow"`   // while the text streams and the reader is at its end
	Scroll   *Frames              `json:"scroll"`   // while it streams and the reader scrolls
	Load     []float64            `json:"load"`     // of the machine, at the begin and at the end
}

// Frames are the frames of a while, and how long updates took to be seen in them.
type Frames struct {
	PerSecond float64  `json:"frames"`
	Gap99     float64  `json:"gap99"`   // ms between two frames
	Long      float64  `json:"long"`    // frames a minute that took more than 50 ms
	Updates   float64  `json:"updates"` // seen a second
	Way50     *float64 `json:"way50"`   // ms from the agent's write to the painted frame; nil where none was seen
	Way99     *float64 `json:"way99"`
}

// Parse reads a run, and refuses one in which something was not measured.
func Parse(data []byte) (Run, error) {
	var r Run
	if err := json.Unmarshal(data, &r); err != nil {
		return Run{}, fmt.Errorf("read figures: %w", err)
	}
	for _, list := range []map[string][]float64{r.Start, r.Complete, r.Work, r.Memory} {
		for _, name := range []string{"hello", "window", "chromium"} {
			if len(list[name]) == 0 {
				return Run{}, fmt.Errorf("read figures: nothing was measured of %s", name)
			}
		}
	}
	if r.Follow == nil || r.Scroll == nil || r.Follow.Way99 == nil || r.Follow.Way50 == nil {
		return Run{}, fmt.Errorf("read figures: no frame was seen")
	}
	return r, nil
}

// median is the value in the middle; of two, their mean. It is 0 of none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	at := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[at]
	}
	return (sorted[at-1] + sorted[at]) / 2
}

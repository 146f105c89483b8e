package window

// Vitals is what can be seen of a session beside its transcript: what was heard
// of the turn in hand or the last one, the agent's processes, and what earlier
// runs of the tool that is waited for did. It informs and changes nothing. Ask
// for it only while it is on the screen, about once a second.
type Vitals struct {
	At      int64     `json:"at"`    // of this look, by the clock that the other times are of
	Turn    uint64    `json:"turn"`  // 0 where there was no turn yet
	Sent    int64     `json:"sent"`  // when the prompt went to the agent
	First   int64     `json:"first"` // first genuine event
	Last    int64     `json:"last"`  // latest one
	Quiet   int64     `json:"quiet"` // nothing genuine since then; 0 while nothing is waited for
	Ended   int64     `json:"ended"`
	Strip   Strip     `json:"strip"`
	Tree    Processes `json:"tree"`
	Earlier Phrase    `json:"earlier"` // what earlier runs of the tool did; key "" where nothing is known
}

// Strip is the number of events in equal stretches of time, from the start of the
// turn to its end or to now: at most 180. Times are of the awake computer.
type Strip struct {
	Step   int64 `json:"step"` // ms of one stretch
	Counts []int `json:"counts"`
}

// Processes is the agent's process tree.
type Processes struct {
	At     int64     `json:"at"` // 0 where there is none to be seen
	List   []Process `json:"list"`
	More   int       `json:"more"`   // left out of the list
	Known  bool      `json:"known"`  // CPU and busy are known: there was an earlier look
	Busy   bool      `json:"busy"`   // at least one of them is at work
	Halted bool      `json:"halted"` // none is at work, and at least one was told to stand still
	Memory uint64    `json:"memory"`
}

// Process is one process by its short name, never its arguments. Parents come
// before their children; Depth is 0 for the agent itself.
type Process struct {
	PID    int     `json:"pid"`
	Depth  int     `json:"depth"`
	Name   string  `json:"name"`
	CPU    float64 `json:"cpu"`    // share of a core, 1 for a whole one
	Memory uint64  `json:"memory"` // bytes
	Halted bool    `json:"halted"` // it was told to stand still, and does nothing until it is let go on
}

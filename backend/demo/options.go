package demo

import (
	"fmt"
	"strings"

	"turnwatch/backend/agent"
)

// Options says how the agent behaves. The zero value plays the default scenario
// as fast as possible, on the system's clock and without any child process.
type Options struct {
	// Scenario is played by a session until another is chosen. "" is the default.
	Scenario string
	// Pace scales every delay of the scripts: 1 is reading pace, 2 is twice as
	// slow, 0 or less is as fast as possible. Waits that never end by themselves
	// (a hung provider, a limit) do not depend on it.
	Pace float64
	// Clock times the delays and stamps the records. Nil is the system's clock.
	Clock agent.Clock
	// RealTools lets the tools scenario run a harmless child process (it sleeps),
	// so that the end of whole process trees can be tried.
	RealTools bool
	// Port is where the agent tells on the loopback what its sessions are doing, as
	// OpenCode does, to who knows the password. 0 is nowhere.
	Port     int
	Password string
	// Version is what the agent calls its version. "" is "dev".
	Version string
}

// withDefaults fills in what was left out, or says what is wrong.
func (o Options) withDefaults() (Options, error) {
	s, ok := Find(o.Scenario)
	if !ok {
		return o, fmt.Errorf("choose scenario: there is none named %q; choose one of %s", o.Scenario, names())
	}
	o.Scenario = s.Name
	if o.Clock == nil {
		o.Clock = agent.SystemClock{}
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	return o, nil
}

func names() string {
	var b strings.Builder
	for i, s := range Scenarios() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(s.Name)
	}
	return b.String()
}

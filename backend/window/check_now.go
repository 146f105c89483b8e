package window

import (
	"context"
	"os"
	"slices"
	"time"

	"turnwatch/backend/core/checkup"
	"turnwatch/backend/managed"
	"turnwatch/backend/settings"
)

// Check is one thing that Turnwatch needs on this machine, and how it is: ok,
// note or bad.
type Check struct {
	Name  string `json:"name"`
	State string `json:"state"`
	What  Phrase `json:"what"`
}

// Check looks at everything anew; it may take some seconds. Nothing in the answer
// is private, so it may be copied.
func (s *Settings) Check() ([]Check, error) {
	return answer(s.r, slowly, func(c call) ([]Check, error) {
		home, err := os.UserHomeDir()
		if err != nil {
			home = ""
		}
		list := checkup.Run(c.ctx, checkup.Options{
			Dir: c.o.Dir, Home: home, Version: c.o.Version, Now: time.Now(), Trouble: settings.Check(c.o.Dir),
			Agents: func(ctx context.Context) []managed.Found { return c.core.Agents(ctx) },
		})
		// The page is the proof that the window has what it needs.
		list = slices.DeleteFunc(list, func(f checkup.Finding) bool { return f.Name == "webkit" })
		out := make([]Check, len(list))
		for i, f := range list {
			out[i] = Check{Name: f.Name, State: string(f.State), What: phrase(f.What)}
		}
		return out, nil
	})
}

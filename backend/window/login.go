package window

import (
	"turnwatch/backend/core"
	"turnwatch/backend/local"
)

// LogIn opens the user's terminal with the login command of a session's agent, in
// the session's folder. The command is ours, by the kind of the agent, and is shown
// on the card before.
func (t *Tasks) LogIn(session string) error {
	return do(t.r, usually, func(c call) error {
		id, err := sessionID(session)
		if err != nil {
			return err
		}
		s, err := c.living(id)
		if err != nil {
			return err
		}
		command := core.LoginOf(s.Kind)
		if command == nil || c.o.Terminal == nil {
			return wrong("agent")
		}
		if err := c.o.Terminal(command, s.Dir); err != nil {
			c.o.Log.Warn("terminal could not be opened", "err", err)
			return &Error{Key: "error.no_terminal", Args: map[string]string{"command": local.Quoted(command)}}
		}
		return nil
	})
}

package failure

import (
	"strconv"

	"turnwatch/backend/agent"
)

// OfExit says what the end of an agent's process proves about the turn in hand:
// the agent is gone. Args hold code or signal, whichever is known.
func OfExit(e Exit) agent.Failure {
	f := agent.Failure{
		Code: AgentCrashed, Source: SourceExit, Hint: HintRestart,
		OccurredAt: e.At, Args: map[string]string{},
	}
	switch {
	case e.Lost:
		f.Rule = "exit.lost"
	case e.Signal != "":
		f.Rule, f.Args["signal"] = "exit.signal", e.Signal
	case e.Code == 0:
		f.Rule, f.Args["code"] = "exit.zero", "0"
	default:
		f.Rule, f.Args["code"] = "exit.code", strconv.Itoa(e.Code)
	}
	return f
}

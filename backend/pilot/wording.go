package pilot

import "turnwatch/backend/policy/autoresume"

// Wording is what is sent for each kind of prompt: short, in English, and saying
// no more than is known. The user may put other words in its place.
func Wording() map[autoresume.Kind]string {
	return map[autoresume.Kind]string{
		autoresume.Continue:      "Your last turn stopped in the middle. Continue where you left off.",
		autoresume.ToolText:      "Your last message holds a tool call as plain text, so it was not run. Make the call again, as a real tool call.",
		autoresume.ThinkingTool:  "A tool call stands in your reasoning, so it was not run. Make the call again, as a real tool call.",
		autoresume.ToolLoop:      "You have made the same tool calls several times with the same result. Say in one sentence what you expected, then try something else.",
		autoresume.ActionIntent:  "You said what you would do next and stopped. Do it now.",
		autoresume.ReadyToGoOn:   "Go on with the next step.",
		autoresume.DoneOpenTodos: "You said that you are done, but entries of your list are open. Finish them, or mark those as cancelled that are no longer needed.",
		autoresume.DoneNoDetail:  "You said that you are done. Say briefly what you changed, in which files, and how you checked it.",
		autoresume.TodoReminder:  "Entries of your list are still open. Continue with the next one, or mark those as cancelled that are no longer needed.",
		autoresume.StreamFailure: "The provider failed in the middle of your last turn. Continue where you left off.",
		autoresume.DeadStream:    "Your last message ended without any text or tool call. Continue where you left off.",
		autoresume.UnknownTool:   "You called a tool that does not exist. Use only the tools that you were given.",
		autoresume.Subagent:      "Your turn has been silent for long. Finish it, and report what you have.",
		autoresume.Truncated:     "Your last message reached the length limit. Continue exactly where it ended, in smaller steps.",
	}
}

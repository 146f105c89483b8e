package autoresume

// Wording is what each kind of prompt says to the agent. It is English, whatever
// the user's language: agents follow it best.
func Wording() map[Kind]string {
	return map[Kind]string{
		Continue:      "You stopped in the middle. Go on from where you were.",
		ToolText:      "Your last message has a tool call written out as text, so nothing was run. Make the call with the tool itself.",
		ThinkingTool:  "You wrote a tool call inside your reasoning, so nothing was run. Make the call with the tool itself.",
		ToolLoop:      "You repeat the same calls and get the same results. Stop, say what you have learned, and try another way.",
		ActionIntent:  "You said what you would do next, but did not do it. Do it now.",
		ReadyToGoOn:   "Yes, go on with the next step.",
		DoneOpenTodos: "You say that the work is done, but entries of your plan are still open. Finish them, or mark them as they are.",
		DoneNoDetail:  "You say that the work is done. Check it, then report what you changed, in which files, and how you verified it.",
		TodoReminder:  "Entries of your plan are still open. Go on with the next one, and keep the plan up to date.",
		StreamFailure: "The connection to the model was lost. Go on from where you were.",
		DeadStream:    "Your last answer was cut off before it said anything. Go on from where you were.",
		UnknownTool:   "You called a tool that does not exist, more than once. Use one of the tools that you have.",
		Subagent:      "You have been silent for a while. Go on, or report what you have found so far.",
		Truncated:     "Your last answer was cut off at the length limit. Go on from where it ends.",
	}
}

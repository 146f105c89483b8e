package detect

import "regexp"

// Names lists the detectors by the names that the command line has for them.
func Names() []string {
	return []string{
		"tool_text", "thinking_tool", "action_intent", "ready_to_continue", "done_claim", "work_description",
		"celebration", "asks_user",
	}
}

// Match asks a detector by its name; false for a name that there is not.
func Match(name, text string) (match, known bool) {
	t := Read(text)
	switch name {
	case "tool_text", "thinking_tool":
		return t.ToolText(), true
	case "action_intent":
		return t.ActionIntent(), true
	case "ready_to_continue":
		return t.ReadyToContinue(), true
	case "done_claim":
		return t.DoneClaim(), true
	case "work_description":
		return t.WorkDescription(), true
	case "celebration":
		return t.Celebration(), true
	case "asks_user":
		return t.AsksUser(), true
	}
	return false, false
}

// expressions are compiled once; they never change.
var (
	schemeEnd   = regexp.MustCompile(`(?i)(?:^|[^\w])(?:https?|ftps?|sftp|wss?|mailto|jdbc):$`)
	timeEnd     = regexp.MustCompile(`(?i)(?:\d{1,2}:\d{2}|(?:^|\s)(?:at|by|until|since|from|um|gegen|bis|ab|à|a las|las|às|alle|om|o|в|kl\.?)\s+\d{1,2}):$`)
	questioning = regexp.MustCompile(`(?i)^(?:which |should i |shall i |do you |would you |could you |can you |may i |are you |(?:how|what|where|when|why) (?:do|would|should|can) (?:you|i|we) |is it ok)`)

	readyPhrase = regexp.MustCompile(`(?i)\b(?:ready|continuing|proceeding|moving on(?:wards)?|moving onto)\b(?:[^.!?\n]{0,40}?\b(?:with|to)\b)?\s+(?:the\s+)?(?:(?:next|following|remaining|second|third)\s+)?(?:task|step)s?\b`)
	readyTo     = regexp.MustCompile(`(?i)\b(?:with|to|onto)\s`)
	readyBarred = regexp.MustCompile(`(?i)\b(?:not|never|cannot|can't|no longer|unable|without|isn't|aren't|won't|don't|doesn't|didn't|wasn't|haven't|hasn't|instead of|before|unless|until|if|once|you can|you may|you could|you should|you are|you're|you want|your)\b`)
)

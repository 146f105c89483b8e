package view

import "turnwatch/backend/agent"

// ToolName is how a tool call is named outside the transcript.
func ToolName(t agent.ToolCall) string { return t.PublicName() }

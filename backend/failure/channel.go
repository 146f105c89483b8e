package failure

import "strings"

// ChannelOf reads a channel as people and records name it, in free words: "ACP
// JSON-RPC error on session/load", "stderr progress line", "tool output". It also
// finds the ACP method among them. Where several are named, what is never evidence
// wins, then what says most. Nothing known is ChannelOwn.
func ChannelOf(words string) (c Channel, method string) {
	w := strings.ToLower(words)
	for _, c := range []Channel{
		ChannelRPC, ChannelSignal, ChannelRetry, ChannelStderr, ChannelStart, ChannelHTTP,
		ChannelOwn, ChannelLog, ChannelProse, ChannelTool,
	} {
		if w == string(c) {
			return c, ""
		}
	}
	method = methodIn(w)
	has := func(any ...string) bool {
		for _, s := range any {
			if strings.Contains(w, s) {
				return true
			}
		}
		return false
	}
	switch {
	case has("tool", "terminal output", "command output", "file content", "diff"):
		return ChannelTool, method
	case has("prose", "quoted text", "quotation", "user message", "user prompt", "thought", "message_chunk", "transcript", "markdown"):
		return ChannelProse, method
	case has("assistant", "agent message", "model output", "model text") && !has("error", "log"):
		return ChannelProse, method
	case has("type=retry", "api_retry", "retry notice"):
		return ChannelRetry, method
	case has("json-rpc error", "rpc error", "acp error", "acp_error"):
		return ChannelRPC, method
	case has("stderr") && has("start", "exit"):
		return ChannelStart, method
	case has("stderr"):
		return ChannelStderr, method
	case has("http"):
		return ChannelHTTP, method
	case has("log"):
		return ChannelLog, method
	case has("event", "sdk", "record", "_meta", "notification", "payload", "session/update"):
		return ChannelSignal, method
	}
	return ChannelOwn, method
}

func methodIn(w string) string {
	for _, m := range []string{"session/new", "session/load", "session/resume", "session/prompt", "initialize", "authenticate"} {
		if strings.Contains(w, m) {
			return m
		}
	}
	return ""
}

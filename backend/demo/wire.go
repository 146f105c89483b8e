package demo

// What the agent says, in ACP's own names. Only what the scripts use is here;
// the requests of clients are read into these types as well.

type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func text(s string) *content { return &content{Type: "text", Text: s} }

// toolContent is a block or a diff, by its type.
type toolContent struct {
	Type    string   `json:"type"` // content, diff
	Content *content `json:"content,omitzero"`
	Path    string   `json:"path,omitzero"`
	OldText *string  `json:"oldText,omitzero"`
	NewText string   `json:"newText,omitzero"`
}

func shown(s string) []toolContent { return []toolContent{{Type: "content", Content: text(s)}} }

type location struct {
	Path string `json:"path"`
	Line int    `json:"line,omitzero"`
}

// toolFields are those of a tool call and of a change to one.
type toolFields struct {
	ToolCallID string         `json:"toolCallId,omitzero"`
	Title      string         `json:"title,omitzero"`
	Kind       string         `json:"kind,omitzero"`
	Status     string         `json:"status,omitzero"`
	Tool       []toolContent  `json:"content,omitzero"`
	Locations  []location     `json:"locations,omitzero"`
	RawInput   map[string]any `json:"rawInput,omitzero"`
	RawOutput  map[string]any `json:"rawOutput,omitzero"`
}

type toolUpdate struct {
	SessionUpdate string `json:"sessionUpdate"` // tool_call, tool_call_update
	toolFields
}

type chunkUpdate struct {
	SessionUpdate string   `json:"sessionUpdate"` // the three chunk kinds
	MessageID     string   `json:"messageId,omitzero"`
	Content       *content `json:"content"`
}

type planEntry struct {
	Content  string `json:"content"`
	Status   string `json:"status"`
	Priority string `json:"priority"`
}

type planUpdate struct {
	SessionUpdate string      `json:"sessionUpdate"`
	Entries       []planEntry `json:"entries"`
}

type cost struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
}

type usageUpdate struct {
	SessionUpdate string `json:"sessionUpdate"`
	Used          int    `json:"used"`
	Size          int    `json:"size"`
	Cost          cost   `json:"cost"`
}

type command struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type commandsUpdate struct {
	SessionUpdate     string    `json:"sessionUpdate"`
	AvailableCommands []command `json:"availableCommands"`
}

type optionsUpdate struct {
	SessionUpdate string         `json:"sessionUpdate"`
	ConfigOptions []configOption `json:"configOptions"`
}

type infoUpdate struct {
	SessionUpdate string `json:"sessionUpdate"`
	Title         string `json:"title"`
}

type modeUpdate struct {
	SessionUpdate string `json:"sessionUpdate"`
	CurrentModeID string `json:"currentModeId"`
}

// sessionUpdate is the notification around any of them.
type sessionUpdate struct {
	SessionID string `json:"sessionId"`
	Update    any    `json:"update"`
}

type configValue struct {
	Value       string `json:"value"`
	Name        string `json:"name"`
	Description string `json:"description,omitzero"`
}

type configOption struct {
	ID           string        `json:"id"`
	Type         string        `json:"type"` // select
	Category     string        `json:"category"`
	Name         string        `json:"name"`
	CurrentValue string        `json:"currentValue"`
	Options      []configValue `json:"options"`
}

type authMethod struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

type permissionOption struct {
	OptionID string `json:"optionId"`
	Name     string `json:"name"`
	Kind     string `json:"kind"`
}

type permissionRequest struct {
	SessionID string             `json:"sessionId"`
	ToolCall  toolFields         `json:"toolCall"`
	Options   []permissionOption `json:"options"`
}

type permissionAnswer struct {
	Outcome struct {
		Outcome  string `json:"outcome"` // selected, cancelled
		OptionID string `json:"optionId"`
	} `json:"outcome"`
}

// tokens is the usage of one turn.
type tokens struct {
	InputTokens  int `json:"inputTokens"`
	OutputTokens int `json:"outputTokens"`
	TotalTokens  int `json:"totalTokens"`
}

type promptAnswer struct {
	StopReason string `json:"stopReason"`
	Usage      tokens `json:"usage"`
}

// sessionParams are those of every request that names a session.
type sessionParams struct {
	SessionID string    `json:"sessionId"`
	Cwd       string    `json:"cwd"`
	ConfigID  string    `json:"configId"`
	Value     any       `json:"value"`
	ModeID    string    `json:"modeId"`
	MethodID  string    `json:"methodId"`
	Prompt    []content `json:"prompt"`

	Servers []toolServer `json:"mcpServers"`
}

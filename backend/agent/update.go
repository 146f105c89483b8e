package agent

// UpdateKind is the discriminator of a session update, in ACP's own words.
type UpdateKind string

// Update kinds that Turnwatch reads. Any other value is kept with its raw frame.
const (
	UserChunk      UpdateKind = "user_message_chunk"
	MessageChunk   UpdateKind = "agent_message_chunk"
	ThoughtChunk   UpdateKind = "agent_thought_chunk"
	ToolCalled     UpdateKind = "tool_call"
	ToolChanged    UpdateKind = "tool_call_update"
	PlanChanged    UpdateKind = "plan"
	UsageChanged   UpdateKind = "usage_update"
	CommandsListed UpdateKind = "available_commands_update"
	ModeChanged    UpdateKind = "current_mode_update"
	OptionsChanged UpdateKind = "config_option_update"
	InfoChanged    UpdateKind = "session_info_update"
	NoticeSent     UpdateKind = "notice" // the agent's own words about itself; its Block is text, NotOutput
)

// Genuine reports whether an update of this kind shows the agent at work: a
// message or thought chunk, a tool call or its update, a plan. Metadata and user
// echoes are not genuine: they neither prove a start nor postpone a notice.
func (k UpdateKind) Genuine() bool {
	switch k {
	case MessageChunk, ThoughtChunk, ToolCalled, ToolChanged, PlanChanged:
		return true
	}
	return false
}

// Update is one session update. Only the fields of its kind are set.
type Update struct {
	Kind      UpdateKind
	MessageID string // of a chunk; "" where the agent names none
	Block     Block  // of a chunk or a notice
	Tool      ToolCall
	Plan      []PlanEntry
	Usage     Usage
	Commands  []Command
	Options   []Option // modes, models and config options, as one list
	Title     string   // of InfoChanged
	Raw       []byte   // the update object of a kind that is not known; at most 64 KiB

	// Replayed marks history that the agent repeats while a session is loaded.
	// It is not genuine and belongs to no turn.
	Replayed bool
	// NotOutput marks text that the agent's adapter knows as that agent's own
	// error or progress form. It is kept in the transcript and is no output.
	NotOutput bool
}

// Genuine reports whether the update shows the agent at work on a turn.
func (u Update) Genuine() bool { return u.Kind.Genuine() && !u.Replayed }

// Output reports whether the update is output in the sense of the turn's
// outcome: text, a tool call or a plan. Thoughts are not.
func (u Update) Output() bool {
	if u.Replayed || u.NotOutput {
		return false
	}
	switch u.Kind {
	case MessageChunk:
		return u.Block.Kind != BlockText || u.Block.Text != ""
	case ToolCalled, ToolChanged:
		return true
	case PlanChanged:
		return len(u.Plan) > 0
	}
	return false
}

// Usage is what an agent says about its context window and cost. Tokens; the
// cost is in the currency that the agent names.
type Usage struct {
	Used     int64   `json:"used,omitempty"`
	Size     int64   `json:"size,omitempty"`
	Input    int64   `json:"input,omitempty"`
	Output   int64   `json:"output,omitempty"`
	Cost     float64 `json:"cost,omitempty"`
	Currency string  `json:"currency,omitempty"`
}

// Command is a slash command that the agent offers.
type Command struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Hint        string `json:"hint,omitempty"`
}

// Option is something about a session that the user may choose: its model, its
// mode, an effort level. Category is "model", "mode", "thought_level" or the
// agent's own word. A boolean option has the choices "true" and "false".
type Option struct {
	ID       string   `json:"id"`
	Category string   `json:"category,omitempty"`
	Name     string   `json:"name,omitempty"`
	Current  string   `json:"current"`
	Choices  []Choice `json:"choices,omitempty"`
}

// ModelOf is the model in use; "" where the agent names none.
func ModelOf(options []Option) string {
	for _, o := range options {
		if o.Category == "model" {
			return o.Current
		}
	}
	return ""
}

// Choice is one value of an Option.
type Choice struct {
	Value       string `json:"value"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
}

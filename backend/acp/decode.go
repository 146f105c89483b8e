package acp

import (
	"bytes"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/agent"
)

// maxRaw is what is kept of an update that nobody here can read, in bytes.
const maxRaw = 64 << 10

// ErrIncomplete says that an update lacks what its kind cannot be without.
var ErrIncomplete = errors.New("incomplete update")

// Decode reads an update into the noun that the rest of Turnwatch knows. Nothing
// in the result points into the reader's buffer. A bad optional field is left
// out, never the update. A kind that is not known, and one that is incomplete
// (no object, a tool call without anything), keeps its raw object, cut to 64 KiB;
// the latter also gives ErrIncomplete. A tool call without an id keeps what it
// says: nothing can refer to it, so that each is one of its own.
//
// A notice, which SDKs of today take for a message of the user, gives a text that is
// no output: its title and, in a paragraph of its own, its description.
//
// A mode update gives one option of the id "mode" with its current value alone:
// the owner knows its choices.
func Decode(u Update) (agent.Update, error) {
	a := agent.Update{Kind: u.Kind, MessageID: u.MessageID}
	if u.plain {
		a.Block = agent.TextBlock(u.Text)
		return a, nil
	}
	if u.Raw.Kind() != '{' {
		return keepRaw(a, u.Raw), ErrIncomplete
	}
	var err error
	switch u.Kind {
	case agent.UserChunk, agent.MessageChunk, agent.ThoughtChunk:
		a.Block, err = chunkBlock(u.Raw)
	case agent.ToolCalled, agent.ToolChanged:
		a.Tool, err = toolCall(u.Raw, u.Kind == agent.ToolCalled)
	case agent.PlanChanged:
		a.Plan, err = plan(u.Raw)
	case agent.UsageChanged:
		a.Usage, err = usage(u.Raw)
	case agent.CommandsListed:
		a.Commands, err = commands(u.Raw)
	case agent.ModeChanged, agent.OptionsChanged:
		a.Options, err = options(u.Raw)
	case agent.InfoChanged:
		var w struct {
			Title opt[string] `json:"title"`
		}
		err = object(u.Raw, &w)
		a.Title = w.Title.v
	case agent.NoticeSent:
		a.Block, err = notice(u.Raw)
		a.NotOutput = true
	default:
		return keepRaw(a, u.Raw), nil
	}
	if err != nil {
		return keepRaw(agent.Update{Kind: u.Kind, MessageID: u.MessageID}, u.Raw), ErrIncomplete
	}
	return a, nil
}

func keepRaw(a agent.Update, raw jsontext.Value) agent.Update {
	a.Raw = bytes.Clone(raw[:min(len(raw), maxRaw)])
	return a
}

// chunkBlock reads the content of a chunk: a block, or against the rules a bare
// text or a list of blocks, of which the texts are joined.
func chunkBlock(raw jsontext.Value) (agent.Block, error) {
	var w struct {
		Content jsontext.Value `json:"content"`
	}
	if err := object(raw, &w); err != nil {
		return agent.Block{}, err
	}
	switch w.Content.Kind() {
	case '{':
		var b wireBlock
		err := object(w.Content, &b)
		return b.block(), err
	case '"':
		return agent.TextBlock(str(w.Content)), nil
	case '[':
		var all list[wireBlock]
		err := decode(w.Content, &all)
		var text strings.Builder
		for _, b := range all {
			text.WriteString(b.Text.v)
		}
		return agent.TextBlock(text.String()), err
	}
	return agent.Block{}, ErrIncomplete
}

// notice reads the text of a notice. One without any is incomplete.
func notice(raw jsontext.Value) (agent.Block, error) {
	var w struct {
		Title       opt[string] `json:"title"`
		Description opt[string] `json:"description"`
	}
	if err := object(raw, &w); err != nil {
		return agent.Block{}, err
	}
	text := strings.TrimSpace(w.Title.v + "\n\n" + w.Description.v)
	if text == "" {
		return agent.Block{}, ErrIncomplete
	}
	return agent.TextBlock(text), nil
}

func toolCall(raw jsontext.Value, first bool) (agent.ToolCall, error) {
	var w wireTool
	if err := object(raw, &w); err != nil {
		return agent.ToolCall{}, err
	}
	t := w.call(first)
	if t.ID == "" && !said(t) {
		return t, ErrIncomplete
	}
	return t, nil
}

// said reports whether a call without an id says anything that can be shown.
func said(t agent.ToolCall) bool {
	return t.Title != "" || t.Name != "" || t.Kind != "" || t.Status != "" || len(t.Content) > 0 ||
		len(t.Locations) > 0 || t.RawInput != nil || t.RawOutput != nil
}

func plan(raw jsontext.Value) ([]agent.PlanEntry, error) {
	var w struct {
		Entries list[struct {
			Content  opt[string] `json:"content"`
			Status   opt[string] `json:"status"`
			Priority opt[string] `json:"priority"`
		}] `json:"entries"`
	}
	if err := object(raw, &w); err != nil {
		return nil, err
	}
	p := make([]agent.PlanEntry, 0, len(w.Entries))
	for _, e := range w.Entries {
		p = append(p, agent.PlanEntry{Content: e.Content.v, Status: e.Status.v, Priority: e.Priority.v})
	}
	return p, nil
}

func usage(raw jsontext.Value) (agent.Usage, error) {
	var w struct {
		Used num `json:"used"`
		Size num `json:"size"`
		Cost opt[struct {
			Amount   num         `json:"amount"`
			Currency opt[string] `json:"currency"`
		}] `json:"cost"`
	}
	err := object(raw, &w)
	return agent.Usage{
		Used: w.Used.whole(), Size: w.Size.whole(),
		Cost: float64(w.Cost.v.Amount), Currency: w.Cost.v.Currency.v,
	}, err
}

func commands(raw jsontext.Value) ([]agent.Command, error) {
	var w struct {
		All list[struct {
			Name        opt[string] `json:"name"`
			Description opt[string] `json:"description"`
			Input       opt[struct {
				Hint opt[string] `json:"hint"`
			}] `json:"input"`
		}] `json:"availableCommands"`
	}
	if err := object(raw, &w); err != nil {
		return nil, err
	}
	all := make([]agent.Command, 0, len(w.All))
	for _, c := range w.All {
		if c.Name.v != "" {
			all = append(all, agent.Command{Name: c.Name.v, Description: c.Description.v, Hint: c.Input.v.Hint.v})
		}
	}
	return all, nil
}

// options reads a config_option_update or a current_mode_update.
func options(raw jsontext.Value) ([]agent.Option, error) {
	var w struct {
		wireChoices
		Mode opt[string] `json:"currentModeId"`
	}
	if err := object(raw, &w); err != nil {
		return nil, err
	}
	all := w.choices().Options()
	if w.Mode.v != "" {
		all = append(all, agent.Option{ID: "mode", Category: "mode", Current: w.Mode.v})
	}
	return all, nil
}

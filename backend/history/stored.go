package history

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"turnwatch/backend/agent"
)

// The stored forms of lists and small records. They are written down here and
// not taken from the domain, so that a change there never changes what old rows
// mean. Fields are only ever added.

type storedBlock struct {
	Kind string `json:"k"`
	Text string `json:"t,omitempty"`
	Mime string `json:"m,omitempty"`
	Data string `json:"d,omitempty"`
	URI  string `json:"u,omitempty"`
	Name string `json:"n,omitempty"`
}

type storedOption struct {
	ID       string         `json:"id"`
	Category string         `json:"category,omitempty"`
	Name     string         `json:"name,omitempty"`
	Current  string         `json:"current"`
	Choices  []storedChoice `json:"choices,omitempty"`
}

type storedChoice struct {
	Value       string `json:"value"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
}

type storedCommand struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Hint        string `json:"hint,omitempty"`
}

type storedUsage struct {
	Used     int64   `json:"used,omitempty"`
	Size     int64   `json:"size,omitempty"`
	Input    int64   `json:"input,omitempty"`
	Output   int64   `json:"output,omitempty"`
	Cost     float64 `json:"cost,omitempty"`
	Currency string  `json:"currency,omitempty"`
}

// storedInfo is SessionInfo without what has a column of its own.
type storedInfo struct {
	Agent   string `json:"agent,omitempty"`
	Version string `json:"version,omitempty"`
	Resumes bool   `json:"resumes,omitempty"`
	Images  bool   `json:"images,omitempty"`
	Embeds  bool   `json:"embeds,omitempty"`
	Resumed bool   `json:"resumed,omitempty"`
}

func blocksOut(in []agent.Block) []storedBlock {
	out := make([]storedBlock, len(in))
	for i, b := range in {
		out[i] = storedBlock{string(b.Kind), b.Text, b.Mime, b.Data, b.URI, b.Name}
	}
	return out
}

func blockIn(b storedBlock) agent.Block {
	return agent.Block{
		Kind: agent.BlockKind(b.Kind), Text: b.Text, Mime: b.Mime, Data: b.Data, URI: b.URI, Name: b.Name,
	}
}

func blocksIn(in []storedBlock) []agent.Block {
	return each(in, blockIn)
}

func optionsOut(in []agent.Option) []storedOption {
	out := make([]storedOption, len(in))
	for i, o := range in {
		out[i] = storedOption{o.ID, o.Category, o.Name, o.Current, nil}
		for _, c := range o.Choices {
			out[i].Choices = append(out[i].Choices, storedChoice(c))
		}
	}
	return out
}

func optionIn(o storedOption) agent.Option {
	out := agent.Option{ID: o.ID, Category: o.Category, Name: o.Name, Current: o.Current}
	out.Choices = each(o.Choices, func(c storedChoice) agent.Choice { return agent.Choice(c) })
	return out
}

func commandsOut(in []agent.Command) []storedCommand {
	out := make([]storedCommand, len(in))
	for i, c := range in {
		out[i] = storedCommand(c)
	}
	return out
}

func infoOut(i agent.SessionInfo) storedInfo {
	return storedInfo{i.Agent, i.Version, i.Resumes, i.Images, i.Embeds, i.Resumed}
}

// each converts a list; an empty one becomes nil.
func each[S, T any](in []S, f func(S) T) []T {
	var out []T
	for _, v := range in {
		out = append(out, f(v))
	}
	return out
}

// write makes the JSON text of a stored form.
func write(v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("write stored form: %w", err)
	}
	return string(b), nil
}

// read fills a stored form. A row that somebody else wrote into gives an error
// that says where.
func read(text string, v any, what string) error {
	if text == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), v); err != nil {
		return fmt.Errorf("read %s: %w", what, &Error{Kind: ErrDamaged, Hint: HintDamaged, Err: err})
	}
	return nil
}

// millis is the stored form of a time; nil where it is zero.
func millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// resetForm is the stored form of a reset time: RFC 3339 to the millisecond.
const resetForm = "2006-01-02T15:04:05.000Z07:00"

func name(what string, n uint64) string { return what + " " + strconv.FormatUint(n, 10) }

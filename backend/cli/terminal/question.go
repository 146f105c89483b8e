package terminal

import (
	"encoding/json"
	"slices"
	"strings"

	"turnwatch/backend/agent"
	"turnwatch/backend/locale"
)

// answerKeys stand for the options of a request, in order. c is left out: it
// cancels.
const answerKeys = "123456789abdefghijklmnopqrstuvwxyz"

// Question draws a request of the agent with everything that it shows of itself,
// uncut, and the keys that answer it. name is the agent's. The answer is drawn by
// Answer.
func (p *Printer) Question(a agent.Ask, name string) {
	p.section()
	p.page.para("", Bold, p.page.look.signs().ask+" "+p.words.Say("ask."+askWord(a.Kind), locale.Args{
		"agent": OneLine(name), "kind": p.kind(a.Tool.Kind),
	}))
	margin := "  " + p.page.look.signs().bar + " "
	if title := strings.TrimSpace(Clean(a.Tool.Title)); title != "" {
		p.page.para(margin, None, title)
	}
	for _, value := range inputs(a.Tool) {
		p.page.para(margin, None, value)
	}
	p.content(a.Tool.Content, true)
	for i, o := range a.Options {
		if i == len(answerKeys) {
			break
		}
		p.page.line(
			piece{style: Cyan, text: "  " + answerKeys[i:i+1] + "  "},
			piece{text: OneLine(o.Name), give: true})
	}
	p.page.line(piece{style: Cyan, text: "  c  "}, piece{text: p.words.Say("ask.cancel", nil), give: true})
}

// Answer draws what was chosen.
func (p *Printer) Answer(a agent.Ask, d agent.Decision) {
	name := p.words.Say("ask.cancelled", nil)
	for _, o := range a.Options {
		if o.ID == d.Option {
			name = OneLine(o.Name)
		}
	}
	p.page.line(piece{style: Dim, text: "  " + p.page.look.signs().now + " "}, piece{text: name, give: true})
}

// AnswerKeys tells which keys answer a request, for who pressed another.
func (p *Printer) AnswerKeys(a agent.Ask) {
	n := min(len(a.Options), len(answerKeys))
	to := "-"
	if p.page.look.Unicode {
		to = "\u2013"
	}
	keys := ""
	switch {
	case n == 10:
		keys = "1" + to + "9, a"
	case n > 10:
		keys = "1" + to + "9, a" + to + answerKeys[n-1:n]
	case n > 1:
		keys = "1" + to + answerKeys[n-1:n]
	case n == 1:
		keys = "1"
	}
	p.page.para("  ", Dim, p.words.Say("ask.keys", locale.Args{"keys": keys}))
}

// OptionFor gives the decision that a key stands for.
func OptionFor(a agent.Ask, k Key) (agent.Decision, bool) {
	if k == KeyEscape || k == 'c' || k == 'C' {
		return agent.Decision{By: agent.ByUser}, true
	}
	i := strings.IndexRune(answerKeys, rune(k))
	if i < 0 || i >= len(a.Options) {
		return agent.Decision{}, false
	}
	return agent.Decision{Option: a.Options[i].ID, By: agent.ByUser}, true
}

// inputs are the texts of a call's input that neither its title nor its content
// shows: what is approved must be seen.
func inputs(c agent.ToolCall) []string {
	var in any
	if json.Unmarshal(c.RawInput, &in) != nil {
		return nil
	}
	seen := told(c)
	var found []string
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch v := v.(type) {
		case string:
			v = strings.TrimSpace(Clean(v))
			if v != "" && !strings.Contains(seen, v) {
				found = append(found, OneLine(name)+": "+v)
			}
		case []any:
			for _, x := range v {
				walk(name, x)
			}
		case map[string]any:
			for _, k := range sortedKeys(v) {
				walk(k, v[k])
			}
		}
	}
	walk("", in)
	return found
}

// told is everything that a request shows of a call beside its input.
func told(c agent.ToolCall) string {
	var b strings.Builder
	b.WriteString(c.Title)
	for _, x := range c.Content {
		b.WriteByte('\n')
		switch {
		case x.Diff != nil:
			b.WriteString(x.Diff.Path + "\n" + x.Diff.New)
			if x.Diff.Old != nil {
				b.WriteString("\n" + *x.Diff.Old)
			}
		case x.Block != nil:
			b.WriteString(x.Block.Text)
		}
	}
	return Clean(b.String())
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func askWord(k agent.AskKind) string {
	if k == agent.AskPermission {
		return string(k)
	}
	return string(agent.AskQuestion)
}

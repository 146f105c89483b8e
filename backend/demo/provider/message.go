package provider

import "strings"

// message is one entry of a conversation: what a person wrote, and how many
// results of tools it carries.
type message struct {
	user    bool
	text    string
	results int
}

// messagesOf reads the conversation of any dialect.
func messagesOf(b map[string]any) []message {
	for _, key := range []string{"messages", "input", "contents"} {
		switch list := b[key].(type) {
		case string:
			return []message{{user: true, text: list}}
		case []any:
			all := make([]message, 0, len(list))
			for _, e := range list {
				m, _ := e.(map[string]any)
				all = append(all, messageOf(m))
			}
			return all
		}
	}
	return nil
}

func messageOf(m map[string]any) message {
	role, _ := m["role"].(string)
	kind, _ := m["type"].(string)
	out := message{user: role == "user"}
	if role == "tool" || strings.HasSuffix(kind, "_call_output") {
		out.results = 1
		return out
	}
	content := m["content"]
	if content == nil {
		content = m["parts"]
	}
	switch c := content.(type) {
	case string:
		out.text = c
	case []any:
		out.addParts(c)
	}
	return out
}

// addParts reads the parts of a message. Several results in one message are one
// step: the tools were called together.
func (m *message) addParts(parts []any) {
	var texts []string
	for _, e := range parts {
		p, _ := e.(map[string]any)
		if p["type"] == "tool_result" || p["functionResponse"] != nil {
			m.results = 1
			continue
		}
		if t, ok := p["text"].(string); ok {
			texts = append(texts, t)
		}
	}
	m.text = strings.Join(texts, "\n")
}

// newest finds the directive of the newest prompt, and counts the tool results
// that came after it. A user message that holds nothing but an agent's own notes
// (<system-reminder>…</system-reminder> and the like) or tool results is no
// prompt. A newest prompt without a directive gives an empty one.
func newest(all []message) (directive, int) {
	step := 0
	for i := len(all) - 1; i >= 0; i-- {
		m := all[i]
		if m.user {
			d, ok := findDirective(m.text)
			if ok || (m.results == 0 && hasProse(m.text)) {
				return d, step
			}
		}
		step += m.results
	}
	return directive{}, step
}

// hasProse reports whether anything is left of a text without its outermost
// tagged stretches.
func hasProse(text string) bool {
	for {
		text = strings.TrimSpace(text)
		if !strings.HasPrefix(text, "<") {
			return text != ""
		}
		name, _, ok := strings.Cut(text[1:], ">")
		if !ok || name == "" {
			return true
		}
		name, _, _ = strings.Cut(name, " ")
		_, rest, ok := strings.Cut(text, "</"+name+">")
		if !ok {
			return true
		}
		text = rest
	}
}

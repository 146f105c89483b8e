package agent

import (
	"bytes"
	"encoding/json"
	"strings"
)

// PublicName is how a tool call is named outside the transcript: by its title
// where that holds nothing of what the call was given, else by its earlier name,
// else "" and the kind says it. Some agents put the command itself into the title.
// It is untrusted text of at most 200 bytes.
func (t ToolCall) PublicName() string {
	secrets := given(t.RawInput)
	for _, name := range []string{t.Title, t.Name} {
		if name = strings.TrimSpace(name); name != "" && !holds(name, secrets) {
			return cut(name)
		}
	}
	return ""
}

// longest is how many bytes of a name are shown.
const longest = 200

func cut(s string) string {
	if len(s) > longest {
		s = s[:longest]
	}
	return strings.ToValidUTF8(s, "")
}

// shortest is how long a value must be to count.
const shortest = 3

// given lists the string values of a call's input and the segments of those that
// are paths.
func given(raw []byte) []string {
	if len(raw) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	var v any
	if err := d.Decode(&v); err != nil {
		return []string{string(raw)}
	}
	var out []string
	collect(v, &out)
	return out
}

func collect(v any, out *[]string) {
	switch v := v.(type) {
	case string:
		add(out, v)
		if strings.ContainsAny(v, `/\`) {
			for _, s := range strings.FieldsFunc(v, func(r rune) bool { return r == '/' || r == '\\' }) {
				add(out, s)
			}
		}
	case []any:
		for _, e := range v {
			collect(e, out)
		}
	case map[string]any:
		for _, e := range v {
			collect(e, out)
		}
	}
}

func add(out *[]string, s string) {
	if s = strings.TrimSpace(s); len(s) >= shortest {
		*out = append(*out, s)
	}
}

func holds(name string, values []string) bool {
	for _, v := range values {
		if strings.Contains(name, v) {
			return true
		}
	}
	return false
}

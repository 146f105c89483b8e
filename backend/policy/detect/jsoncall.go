package detect

import (
	"encoding/json"
	"regexp"
	"strings"
)

// longestJSON is how far an object that begins like a call is read.
const longestJSON = 64 << 10

var (
	callKey = regexp.MustCompile(`^\{\s*"(name|tool|tool_name|toolName|function|function_call|tool_calls?|type|id|call_id|index|arguments|args|parameters|input|action|recipient_name)"`)
	// cutKey is the beginning of a call in which a text ends.
	cutKey  = regexp.MustCompile(`^\{\s*(?:"(?:type|function|function_call|tool_calls?|tool|tool_name)"?|"type"\s*:\s*(?:"(?:f(?:u(?:n(?:c(?:t(?:i(?:o(?:n(?:_call)?)?)?)?)?)?)?)?|t(?:o(?:o(?:l(?:_(?:u(?:se?)?|c(?:a(?:ll?)?)?)?)?)?)?)?)?)?|"function"\s*:?\s*\{?)$`)
	cutCall = regexp.MustCompile(`^\{\s*(?:"(?:type|id)"\s*:\s*"[\w-]*"\s*,\s*)*(?:"function"\s*:\s*\{\s*)?"(?:name|tool|tool_name)"\s*:\s*"[\w.:-]+"\s*,\s*"(?:arg|argument|param|parameter|input)`)
	cutName = regexp.MustCompile(`^\{\s*"(?:name|tool|tool_name)"\s*:\s*"(?:` + verbTags + `)"?\s*,?\s*"?$`)
	cutType = regexp.MustCompile(`^\{\s*"type"\s*:\s*"(?:function|tool_use|tool_call)"\s*,\s*"?(?:f|id|n|$)`)
)

// jsonCall reports whether a JSON object that begins here is a call, whole or cut
// off by the end of the text.
func (p place) jsonCall() bool {
	ahead := p.ahead()
	cut := len(p.s)-p.at < longestTag && p.lineStart()
	if p.quoted() || cut && cutKey.MatchString(ahead) {
		return !p.quoted()
	}
	if !callKey.MatchString(ahead) {
		return false
	}
	text := p.far()
	end := closing(text)
	*p.budget -= max(end, 64)
	if end < 0 {
		*p.budget -= len(text)
	}
	if end < 0 {
		return len(p.s)-p.at <= longestJSON && cutCall.MatchString(ahead) || cut && (cutType.MatchString(ahead) || cutName.MatchString(ahead))
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(text[:end]), &fields) != nil {
		return cutCall.MatchString(ahead) && !strings.Contains(text[:end], `"properties"`)
	}
	return isCall(fields, 0)
}

// closing finds the end of the object that a text begins with, -1 where it has
// none.
func closing(s string) int {
	depth, in := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case in && c == '\\':
			i++
		case c == '"':
			in = !in
		case in:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// isCall judges an object by its keys: a name and the arguments of a call. What
// describes a tool, or anything else that has a name, is none.
func isCall(fields map[string]json.RawMessage, depth int) bool {
	if depth > 3 {
		return false
	}
	for _, key := range []string{"function", "function_call", "tool_call"} {
		var inner map[string]json.RawMessage
		if json.Unmarshal(fields[key], &inner) == nil && len(inner) > 0 && isCall(inner, depth+1) {
			return true
		}
	}
	var list []map[string]json.RawMessage
	if json.Unmarshal(fields["tool_calls"], &list) == nil && len(list) > 0 && isCall(list[0], depth+1) {
		return true
	}
	name := false
	for _, key := range []string{"name", "tool", "tool_name", "toolName", "function", "action", "recipient_name"} {
		var word string
		name = name || json.Unmarshal(fields[key], &word) == nil && word != "" && !strings.ContainsAny(word, " \n")
	}
	if !name {
		return false
	}
	if args, ok := fields["arguments"]; ok {
		return arguments(args)
	}
	for _, key := range []string{"args", "parameters", "input", "tool_input"} {
		if args, ok := fields[key]; ok && args[0] == '{' && arguments(args) && onlyOfCalls(fields) {
			return true
		}
	}
	return false
}

// arguments reports whether a value is that of a call: an object or a text, but no
// schema.
func arguments(raw json.RawMessage) bool {
	if raw[0] == '"' {
		return true
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return false
	}
	_, schema := fields["properties"]
	return !schema
}

func onlyOfCalls(fields map[string]json.RawMessage) bool {
	for key := range fields {
		if !strings.Contains(" type id call_id index name tool tool_name toolName function action recipient_name args parameters input tool_input thought reasoning status ", " "+key+" ") {
			return false
		}
	}
	return true
}

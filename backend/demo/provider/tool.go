package provider

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// tool is one that a request offers.
type tool struct {
	name   string
	custom bool // takes free text in place of JSON
	schema map[string]any
}

// call is what the model asks of a tool.
type call struct {
	name, args string
	custom     bool
}

// toolsOf reads the tools of any dialect.
func toolsOf(b map[string]any) []tool {
	list, _ := b["tools"].([]any)
	var all []tool
	for _, e := range list {
		m, _ := e.(map[string]any)
		if decl, ok := firstList(m, "functionDeclarations", "function_declarations"); ok {
			for _, d := range decl {
				all = appendTool(all, d)
			}
			continue
		}
		if f, ok := m["function"].(map[string]any); ok {
			all = appendTool(all, f)
			continue
		}
		all = appendTool(all, m)
	}
	return all
}

func firstList(m map[string]any, keys ...string) ([]any, bool) {
	for _, k := range keys {
		if l, ok := m[k].([]any); ok {
			return l, true
		}
	}
	return nil, false
}

func appendTool(all []tool, v any) []tool {
	m, _ := v.(map[string]any)
	t := tool{custom: m["type"] == "custom"}
	t.name, _ = m["name"].(string)
	if t.name == "" {
		t.name, _ = m["type"].(string)
	}
	if t.name == "" {
		return all
	}
	for _, k := range []string{"parameters", "input_schema", "parametersJsonSchema", "inputSchema"} {
		if s, ok := m[k].(map[string]any); ok {
			t.schema = s
			break
		}
	}
	return append(all, t)
}

// pick returns the first tool offered under one of the names, in the order of
// the names.
func pick(tools []tool, names ...string) (tool, bool) {
	for _, n := range names {
		for _, t := range tools {
			if strings.EqualFold(t.name, n) {
				return t, true
			}
		}
	}
	return tool{}, false
}

// shellCall asks the agent's own shell to run a command.
func shellCall(tools []tool, cmd string) (call, bool) {
	t, ok := pick(tools, "bash", "shell_command", "exec_command", "shell", "run_shell_command",
		"local_shell", "container.exec", "run_command", "execute_command", "execute", "terminal", "powershell")
	if !ok {
		return call{}, false
	}
	known := map[string]any{"description": "Run the command of the test"}
	switch {
	case t.has("cmd") && !t.has("command"):
		known["cmd"] = cmd
	case t.typeOf("command") == "array":
		known["command"] = []any{"bash", "-lc", cmd}
	default:
		known["command"] = cmd
	}
	return t.call(known), true
}

// editCall asks the agent's own tool for writing files to write one; an agent
// that has none gets a call of its shell.
func editCall(tools []tool, file, content string) (call, bool) {
	if t, ok := pick(tools, "write", "write_file", "create_file", "create"); ok {
		known := map[string]any{}
		for _, k := range []string{"filePath", "file_path", "path", "absolute_path"} {
			if t.has(k) {
				known[k] = file
			}
		}
		for _, k := range []string{"content", "contents", "file_text", "text"} {
			if t.has(k) {
				known[k] = content
			}
		}
		return t.call(known), true
	}
	if t, ok := pick(tools, "apply_patch"); ok {
		patch := patchOf(file, content)
		if t.custom {
			return call{name: t.name, args: patch, custom: true}, true
		}
		return t.call(map[string]any{"input": patch}), true
	}
	return shellCall(tools, "printf %s "+quote(content)+" > "+quote(file))
}

func patchOf(file, content string) string {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n*** Add File: " + file + "\n")
	for line := range strings.Lines(content) {
		b.WriteString("+" + strings.TrimSuffix(line, "\n") + "\n")
	}
	b.WriteString("*** End Patch")
	return b.String()
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (t tool) has(key string) bool { return dig(t.schema, "properties", key) != nil }

func (t tool) typeOf(key string) string { return typeName(dig(t.schema, "properties", key, "type")) }

// call makes a call with the arguments that are known, and with the smallest
// value that the tool's own schema allows for what else it requires. A tool
// without properties gets all that is known.
func (t tool) call(known map[string]any) call {
	args := maps.Clone(known)
	if _, ok := t.schema["properties"].(map[string]any); ok {
		maps.DeleteFunc(args, func(k string, _ any) bool { return !t.has(k) })
	}
	required, _ := t.schema["required"].([]any)
	for _, r := range required {
		k, _ := r.(string)
		if _, ok := args[k]; !ok {
			args[k] = instance(dig(t.schema, "properties", k), 8)
		}
	}
	b, _ := json.Marshal(args)
	return call{name: t.name, args: string(b)}
}

// instance is a small value of a JSON schema, at most depth levels deep.
func instance(schema any, depth int) any {
	s, _ := schema.(map[string]any)
	if s == nil || depth == 0 {
		return "ok"
	}
	if e, ok := s["enum"].([]any); ok && len(e) > 0 {
		return e[0]
	}
	props, _ := s["properties"].(map[string]any)
	switch kind := typeName(s["type"]); {
	case kind == "object" || kind == "" && props != nil:
		out := map[string]any{}
		for _, k := range slices.Sorted(maps.Keys(props)) {
			out[k] = instance(props[k], depth-1)
		}
		return out
	case kind == "array":
		return []any{}
	case kind == "number" || kind == "integer":
		if m, ok := s["minimum"].(float64); ok {
			return m
		}
		return 1
	case kind == "boolean":
		return false
	}
	return "ok"
}

// typeName is the (first) type of a schema in lower case, as Gemini shouts.
func typeName(v any) string {
	if l, ok := v.([]any); ok && len(l) > 0 {
		v = l[0]
	}
	s, _ := v.(string)
	return strings.ToLower(s)
}

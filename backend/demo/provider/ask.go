package provider

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// ask is a request as it was understood.
type ask struct {
	dialect   Dialect
	method    string
	path      string // as asked, without the query
	route     string // the scenario that the path names, or ""
	model     string
	stream    bool
	side      bool
	step      int
	tools     []tool
	schema    any // of a structured answer, or nil
	directive directive
}

// read understands a request. A body that is not JSON is an empty one.
func read(r *http.Request, body []byte) ask {
	a := ask{method: r.Method, path: r.URL.Path}
	rest := a.path
	if after, ok := strings.CutPrefix(a.path, "/s/"); ok {
		a.route, rest, _ = strings.Cut(after, "/")
		rest = "/" + rest
	}
	if r.Method != http.MethodPost {
		return a
	}
	a.dialect = dialectOf(rest)
	var b map[string]any
	_ = json.Unmarshal(body, &b)
	a.model, _ = b["model"].(string)
	a.stream, _ = b["stream"].(bool)
	if a.dialect == Gemini {
		a.stream = strings.Contains(rest, ":stream")
		a.model = modelOf(rest)
	}
	a.tools = toolsOf(b)
	a.side = len(a.tools) == 0
	a.schema = schemaOf(b)
	a.directive, a.step = newest(messagesOf(b))
	return a
}

func dialectOf(path string) Dialect {
	path = strings.TrimSuffix(path, "/")
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
		return Chat
	case strings.HasSuffix(path, "/responses"):
		return Responses
	case strings.HasSuffix(path, "/messages"):
		return Messages
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		return Gemini
	}
	return None
}

// modelOf takes the model out of …/models/NAME:generateContent.
func modelOf(path string) string {
	last := path[strings.LastIndex(path, "/")+1:]
	name, _, _ := strings.Cut(last, ":")
	return name
}

// fallback is the directive of a request that carries none.
func (a ask) fallback() directive {
	d := directive{name: "ok", kv: map[string]string{}}
	if a.route != "" {
		d.name, d.raw = a.route, a.route
	}
	if a.side && d.name == "ok" {
		d.kv["text"] = "Short title"
	}
	return d
}

func (a ask) record(at time.Time, scenario string) Request {
	names := make([]string, len(a.tools))
	for i, t := range a.tools {
		names[i] = t.name
	}
	return Request{
		At: at, Method: a.method, Path: a.path, Dialect: a.dialect, Model: a.model,
		Scenario: scenario, Side: a.side, Step: a.step, Tools: names,
	}
}

// schemaOf finds the schema that a structured answer must have, wherever a
// dialect keeps it.
func schemaOf(b map[string]any) any {
	for _, path := range [][]string{
		{"response_format", "json_schema", "schema"},
		{"text", "format", "schema"},
		{"output_config", "format", "schema"},
		{"output_format", "schema"},
		{"generationConfig", "responseJsonSchema"},
		{"generationConfig", "responseSchema"},
	} {
		if s := dig(b, path...); s != nil {
			return s
		}
	}
	return nil
}

// dig follows keys through objects; nil where there is nothing.
func dig(v any, keys ...string) any {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}

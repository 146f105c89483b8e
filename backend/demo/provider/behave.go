package provider

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Behaviours lists the names that a directive may have, with what each does.
func Behaviours() [][2]string {
	return [][2]string{
		{"ok", "text, then stop: n=WORDS or text='…', delay=MS between words (default 15)"},
		{"text", "the same as ok"},
		{"echo", "n pieces of size bytes as fast as they go"},
		{"think", "n thoughts, then text"},
		{"bash", "a call of the agent's shell: cmd='…', steps=N calls, then text"},
		{"edit", "a call of the agent's file writer: file=PATH content='…', then text"},
		{"tool", "a call of any tool: name=… args='{…}' steps=N, then text; any=1: also of one that is not offered"},
		{"badargs", "a shell call whose arguments are broken JSON, then text"},
		{"length", "text, then the finish reason for too many tokens"},
		{"filter", "text, then the finish reason of a content filter"},
		{"empty", "an answer that ends at once without any content"},
		{"reason-null", "text, and an end without finish reason"},
		{"reason-weird", "text, and a finish reason that nobody knows"},
		{"eof", "n words, then a clean end of the stream without any end of the answer"},
		{"hang", "never sends headers"},
		{"hang-body", "sends headers and nothing else"},
		{"hang-part", "n words, then silence"},
		{"drip", "n words, then comments for ever, every=MS"},
		{"drip-empty", "n words, then empty pieces for ever, every=MS"},
		{"cut-head", "closes the connection before the headers"},
		{"cut", "n words, then closes the connection: mode=fin|rst"},
		{"garbage", "status 200 with an HTML page"},
		{"malformed", "words, then lines that are no JSON, then an end"},
		{"error-event", "words, then an error inside the stream: msg='…' code=…"},
		{"go5h", "429 of OpenCode's gateway: 5-hour limit; retry_after=7620 as the real one sends"},
		{"goweekly", "the same, weekly limit"},
		{"gomonthly", "the same, monthly limit"},
		{"free", "429 of OpenCode's gateway: free usage"},
		{"gorate", "429 of OpenCode's gateway: rate limit"},
		{"credits", "401 of OpenCode's gateway: balance too low"},
		{"200err", "status 200 whose JSON body is the 5-hour limit"},
		{"limit", "the dialect's own usage limit: 429 with its reset in 5 h where the dialect tells it"},
		{"quota", "the dialect's own word for used-up quota or credit"},
		{"rate", "a short 429 with retry-after 3"},
		{"overloaded", "529 (messages) or 503 with the dialect's own body"},
		{"auth", "401 (Gemini: 400) for a wrong key; also 401"},
		{"403", "forbidden"},
		{"404", "the model does not exist"},
		{"400", "a request that is refused"},
		{"overflow", "400, the context is too long"},
		{"500", "an error of the server"},
		{"502html", "a gateway's HTML page"},
		{"503", "service unavailable"},
		{"529", "overloaded, in Anthropic's shape"},
	}
}

// behave turns a directive into what is to be done. A name that is not known is
// answered by an error that says so.
func behave(a ask, d directive, now time.Time) answer {
	if steps, ok := script(a, d); ok {
		return answer{steps: steps}
	}
	if ans, ok := plainAnswer(d); ok {
		return withRetry(ans, d)
	}
	ans, ok := failure(a.dialect, d.name, now)
	if !ok {
		ans = openAI(500, fmt.Sprintf("fake provider: there is no behaviour named %q", d.name), "server_error", nil)
	}
	return withRetry(ans, d)
}

// script is a behaviour that answers as a model, well or badly.
func script(a ask, d directive) ([]step, bool) {
	if s, ok := toolScript(a, d); ok {
		return s, true
	}
	done := step{kind: end, end: finishStop, usage: d.usage()}
	switch d.name {
	case "ok", "text":
		return append(opening(a, d), done), true
	case "echo":
		return append(pieces(d.num("n", 100), strings.Repeat("x", max(d.num("size", 20), 1)-1)+" ", d.ms("delay", 0)), done), true
	case "think":
		return append(append(thoughts(d), saying(d, 2)...), done), true
	case "length":
		return append(saying(d, 3), done.ending(finishLength)), true
	case "filter":
		return append(saying(d, 1), done.ending(finishFilter)), true
	case "reason-null":
		return append(saying(d, 2), done.ending(finishNull)), true
	case "reason-weird":
		return append(saying(d, 2), done.ending(finishWeird)), true
	case "empty":
		return []step{done}, true
	case "malformed":
		return append(append(saying(d, 2), step{kind: raw, text: "data: {\"id\":\"x\",\"choices\":[{\"ind\n\ndata: not json at all\n\n"}), done), true
	case "error-event":
		return append(saying(d, 2), step{kind: fail, text: d.str("msg", "upstream failed")}), true
	}
	return breaking(d)
}

// breaking is a behaviour that never comes to an end of its answer.
func breaking(d directive) ([]step, bool) {
	switch d.name {
	case "eof":
		return append([]step{{kind: head}}, saying(d, 3)...), true
	case "hang":
		return []step{{kind: hang}}, true
	case "hang-body":
		return []step{{kind: head}, {kind: hang}}, true
	case "hang-part":
		return append(saying(d, 3), step{kind: hang}), true
	case "drip":
		return append(saying(d, 1), step{kind: drip, wait: d.ms("every", 1000)}), true
	case "drip-empty":
		return append(saying(d, 1), step{kind: drip, text: "empty", wait: d.ms("every", 1000)}), true
	case "cut-head":
		return []step{{kind: cut}}, true
	case "cut":
		k := cut
		if d.str("mode", "fin") == "rst" {
			k = cutRST
		}
		return append(append([]step{{kind: head}}, saying(d, 3)...), step{kind: k}), true
	}
	return nil, false
}

// toolScript is a behaviour that calls tools first. A request that does not
// offer what is needed gets text that says so.
func toolScript(a ask, d directive) ([]step, bool) {
	var c call
	var ok bool
	switch d.name {
	case "bash":
		c, ok = shellCall(a.tools, d.str("cmd", "echo hello"))
	case "edit":
		c, ok = editCall(a.tools, d.str("file", "hello.txt"), d.str("content", "hello\n"))
	case "tool":
		t, found := pick(a.tools, d.str("name", "read"))
		c, ok = call{name: t.name, args: d.str("args", "{}"), custom: t.custom}, found
		if !found && d.num("any", 0) == 1 {
			c.name, ok = d.str("name", ""), len(a.tools) > 0
		}
	case "badargs":
		c, ok = shellCall(a.tools, "true")
		c.args = `{"command": "ec`
	default:
		return nil, false
	}
	done := step{kind: end, end: finishStop, usage: d.usage()}
	if !ok {
		none := directive{kv: map[string]string{"text": "The request offers no tool for " + d.name + "."}}
		return append(saying(none, 1), done), true
	}
	if a.step >= d.num("steps", 1) {
		return append(saying(d, 3), done), true
	}
	return []step{{kind: say, text: "Working on it. "}, {kind: use, call: c}, done.ending(finishTools)}, true
}

func (s step) ending(f finish) step {
	s.end = f
	return s
}

// opening is the text of a good answer; a structured one where it is asked for.
func opening(a ask, d directive) []step {
	if a.schema != nil {
		b, _ := json.Marshal(instance(a.schema, 8))
		return []step{{kind: say, text: string(b)}}
	}
	return saying(d, 0)
}

// saying is n=WORDS, or text='…', or else or words, or else a sentence.
func saying(d directive, or int) []step {
	delay := d.ms("delay", 15)
	if text, ok := d.kv["text"]; ok {
		return pieces(1, text, delay)
	}
	n := d.num("n", or)
	if n == 0 && d.kv["n"] == "" {
		return pieces(1, "Hello from the fake provider.", delay)
	}
	out := make([]step, 0, n)
	for i := range n {
		out = append(out, step{kind: say, text: fmt.Sprintf("word%d ", i), wait: delay})
	}
	return out
}

func thoughts(d directive) []step {
	n := d.num("n", 5)
	out := make([]step, 0, n)
	for i := range n {
		out = append(out, step{kind: think, text: fmt.Sprintf("thought%d ", i), wait: d.ms("delay", 15)})
	}
	return out
}

// pieces says a text n times, word by word.
func pieces(n int, text string, wait time.Duration) []step {
	var out []step
	for range n {
		for _, w := range sentence(text) {
			if w != "" {
				out = append(out, step{kind: say, text: w, wait: wait})
			}
		}
	}
	return out
}

func (d directive) usage() usage { return usage{in: d.num("in", 1000), out: d.num("out", 50)} }

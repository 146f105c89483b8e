package provider

import (
	"maps"
	"strconv"
)

// responsesEncoder speaks OpenAI responses: items that are added, filled and
// done, one at a time, and repeated whole at the end.
type responsesEncoder struct {
	id, model string
	created   int64
	seq       int
	kind      string // of the open item: message, reasoning or ""
	text      string // of the open item
	output    []any  // the items that are done
	calls     int
}

func (e *responsesEncoder) event(name string, more map[string]any) event {
	m := map[string]any{"type": name, "sequence_number": e.seq}
	e.seq++
	maps.Copy(m, more)
	return event{name: name, data: m}
}

func (e *responsesEncoder) response(status string, more map[string]any) map[string]any {
	m := map[string]any{"id": "resp_" + e.id, "object": "response", "created_at": e.created, "model": e.model, "status": status, "output": e.items()}
	maps.Copy(m, more)
	return map[string]any{"response": m}
}

func (e *responsesEncoder) items() []any { return append([]any{}, e.output...) }

func (e *responsesEncoder) open() []event {
	return []event{
		e.event("response.created", e.response("in_progress", nil)),
		e.event("response.in_progress", e.response("in_progress", nil)),
	}
}

// place names the item in hand and where it stands.
func (e *responsesEncoder) place(more map[string]any) map[string]any {
	m := map[string]any{"item_id": e.itemID(), "output_index": len(e.output)}
	maps.Copy(m, more)
	return m
}

func (e *responsesEncoder) itemID() string { return "item_" + e.id + "_" + strconv.Itoa(len(e.output)) }

func (e *responsesEncoder) message(status, text string) map[string]any {
	content := []any{}
	if status == "completed" {
		content = append(content, map[string]any{"type": "output_text", "text": text, "annotations": []any{}})
	}
	return map[string]any{"id": e.itemID(), "type": "message", "status": status, "role": "assistant", "content": content}
}

func (e *responsesEncoder) reasoning(text string) map[string]any {
	summary := []any{}
	if text != "" {
		summary = append(summary, map[string]any{"type": "summary_text", "text": text})
	}
	return map[string]any{"id": e.itemID(), "type": "reasoning", "summary": summary}
}

func (e *responsesEncoder) added(item map[string]any) event {
	return e.event("response.output_item.added", map[string]any{"output_index": len(e.output), "item": item})
}

func (e *responsesEncoder) done(item map[string]any) event {
	ev := e.event("response.output_item.done", map[string]any{"output_index": len(e.output), "item": item})
	e.output = append(e.output, item)
	return ev
}

func (e *responsesEncoder) say(text string) []event {
	var evs []event
	if e.kind != "message" {
		evs = append(e.shut(), e.added(e.message("in_progress", "")),
			e.event("response.content_part.added", e.place(map[string]any{"content_index": 0, "part": map[string]any{"type": "output_text", "text": "", "annotations": []any{}}})))
		e.kind = "message"
	}
	e.text += text
	return append(evs, e.event("response.output_text.delta", e.place(map[string]any{"content_index": 0, "delta": text})))
}

func (e *responsesEncoder) think(text string) []event {
	var evs []event
	if e.kind != "reasoning" {
		evs = append(e.shut(), e.added(e.reasoning("")),
			e.event("response.reasoning_summary_part.added", e.place(map[string]any{"summary_index": 0, "part": map[string]any{"type": "summary_text", "text": ""}})))
		e.kind = "reasoning"
	}
	e.text += text
	return append(evs, e.event("response.reasoning_summary_text.delta", e.place(map[string]any{"summary_index": 0, "delta": text})))
}

// shut ends the open item.
func (e *responsesEncoder) shut() []event {
	kind, text := e.kind, e.text
	e.kind, e.text = "", ""
	switch kind {
	case "message":
		part := map[string]any{"type": "output_text", "text": text, "annotations": []any{}}
		return []event{
			e.event("response.output_text.done", e.place(map[string]any{"content_index": 0, "text": text})),
			e.event("response.content_part.done", e.place(map[string]any{"content_index": 0, "part": part})),
			e.done(e.message("completed", text)),
		}
	case "reasoning":
		return []event{
			e.event("response.reasoning_summary_text.done", e.place(map[string]any{"summary_index": 0, "text": text})),
			e.done(e.reasoning(text)),
		}
	}
	return nil
}

func (e *responsesEncoder) use(c call) []event {
	evs := e.shut()
	id := callID(e.id, e.calls)
	e.calls++
	evs = append(evs, e.added(e.callItem(c, id, "in_progress", "")))
	name, key := "response.function_call_arguments", "arguments"
	if c.custom {
		name, key = "response.custom_tool_call_input", "input"
	}
	return append(evs,
		e.event(name+".delta", e.place(map[string]any{"delta": c.args})),
		e.event(name+".done", e.place(map[string]any{key: c.args})),
		e.done(e.callItem(c, id, "completed", c.args)))
}

func (e *responsesEncoder) callItem(c call, id, status, args string) map[string]any {
	m := map[string]any{"id": e.itemID(), "type": "function_call", "status": status, "call_id": id, "name": c.name, "arguments": args}
	if c.custom {
		delete(m, "arguments")
		m["type"], m["input"] = "custom_tool_call", args
	}
	return m
}

func (e *responsesEncoder) close(f finish, u usage) []event {
	evs := e.shut()
	status, more := responsesEnd(f)
	more["usage"] = responsesUsage(u)
	return append(evs, e.event("response."+status, e.response(status, more)))
}

func (e *responsesEncoder) fail(message, code string) []event {
	return []event{e.event("response.failed", e.response("failed", map[string]any{"error": map[string]any{"code": code, "message": message}}))}
}

func (e *responsesEncoder) whole(r reply) any {
	if r.thought != "" {
		e.done(e.reasoning(r.thought))
	}
	if r.text != "" {
		e.done(e.message("completed", r.text))
	}
	for i, c := range r.calls {
		e.done(e.callItem(c, callID(e.id, i), "completed", c.args))
	}
	status, more := responsesEnd(r.end)
	more["usage"] = responsesUsage(r.usage)
	return e.response(status, more)["response"]
}

// responsesEnd is the status of a response, and what explains it.
func responsesEnd(f finish) (string, map[string]any) {
	switch f {
	case finishLength:
		return "incomplete", map[string]any{"incomplete_details": map[string]any{"reason": "max_output_tokens"}}
	case finishFilter:
		return "incomplete", map[string]any{"incomplete_details": map[string]any{"reason": "content_filter"}}
	case finishWeird, finishNull:
		return "incomplete", map[string]any{"incomplete_details": nil}
	}
	return "completed", map[string]any{}
}

func responsesUsage(u usage) map[string]any {
	return map[string]any{
		"input_tokens": u.in, "input_tokens_details": map[string]any{"cached_tokens": 0},
		"output_tokens": u.out, "output_tokens_details": map[string]any{"reasoning_tokens": 0},
		"total_tokens": u.in + u.out,
	}
}

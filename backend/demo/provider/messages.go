package provider

import "encoding/json"

// messagesEncoder speaks Anthropic messages: blocks that open and close, one at
// a time.
type messagesEncoder struct {
	id, model string
	block     string // the kind of the open block, or ""
	index     int    // of the open block, or of the next
	calls     int
}

func named(name string, more map[string]any) event {
	m := map[string]any{"type": name}
	for k, v := range more {
		m[k] = v
	}
	return event{name: name, data: m}
}

func (e *messagesEncoder) open() []event {
	return []event{named("message_start", map[string]any{"message": map[string]any{
		"id": "msg_" + e.id, "type": "message", "role": "assistant", "model": e.model, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": anthropicUsage(usage{in: 10, out: 1}),
	}})}
}

// in makes sure that a block of a kind is open.
func (e *messagesEncoder) in(kind string, start map[string]any) []event {
	if e.block == kind {
		return nil
	}
	evs := e.shut()
	e.block = kind
	return append(evs, named("content_block_start", map[string]any{"index": e.index, "content_block": start}))
}

// shut closes the open block.
func (e *messagesEncoder) shut() []event {
	if e.block == "" {
		return nil
	}
	e.block = ""
	e.index++
	return []event{named("content_block_stop", map[string]any{"index": e.index - 1})}
}

func (e *messagesEncoder) delta(d map[string]any) event {
	return named("content_block_delta", map[string]any{"index": e.index, "delta": d})
}

func (e *messagesEncoder) say(text string) []event {
	return append(e.in("text", map[string]any{"type": "text", "text": ""}),
		e.delta(map[string]any{"type": "text_delta", "text": text}))
}

func (e *messagesEncoder) think(text string) []event {
	return append(e.in("thinking", map[string]any{"type": "thinking", "thinking": "", "signature": ""}),
		e.delta(map[string]any{"type": "thinking_delta", "thinking": text}))
}

func (e *messagesEncoder) use(c call) []event {
	evs := e.shut()
	evs = append(evs, e.in("tool_use", map[string]any{"type": "tool_use", "id": callID(e.id, e.calls), "name": c.name, "input": map[string]any{}})...)
	e.calls++
	evs = append(evs, e.delta(map[string]any{"type": "input_json_delta", "partial_json": c.args}))
	return append(evs, e.shut()...)
}

func (e *messagesEncoder) close(f finish, u usage) []event {
	return append(e.shut(),
		named("message_delta", map[string]any{
			"delta": map[string]any{"stop_reason": anthropicStop(f), "stop_sequence": nil},
			"usage": map[string]any{"output_tokens": u.out},
		}),
		named("message_stop", nil))
}

func (e *messagesEncoder) fail(message, _ string) []event {
	return []event{named("error", map[string]any{"error": map[string]any{"type": "overloaded_error", "message": message}})}
}

func (e *messagesEncoder) whole(r reply) any {
	content := []any{}
	if r.thought != "" {
		content = append(content, map[string]any{"type": "thinking", "thinking": r.thought, "signature": "fake"})
	}
	if r.text != "" {
		content = append(content, map[string]any{"type": "text", "text": r.text})
	}
	for i, c := range r.calls {
		content = append(content, map[string]any{"type": "tool_use", "id": callID(e.id, i), "name": c.name, "input": object(c.args)})
	}
	return map[string]any{
		"id": "msg_" + e.id, "type": "message", "role": "assistant", "model": e.model, "content": content,
		"stop_reason": anthropicStop(r.end), "stop_sequence": nil, "usage": anthropicUsage(r.usage),
	}
}

// object is the value of a call's arguments, or an empty object where they are
// broken: a whole answer cannot hold half a value.
func object(args string) any {
	var v map[string]any
	if json.Unmarshal([]byte(args), &v) != nil || v == nil {
		return map[string]any{}
	}
	return v
}

func anthropicStop(f finish) any {
	switch f {
	case finishStop:
		return "end_turn"
	case finishTools:
		return "tool_use"
	case finishLength:
		return "max_tokens"
	case finishFilter:
		return "refusal"
	case finishNull:
		return nil
	}
	return string(f)
}

func anthropicUsage(u usage) map[string]any {
	return map[string]any{"input_tokens": u.in, "output_tokens": u.out, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
}

package provider

// chatEncoder speaks OpenAI chat completions.
type chatEncoder struct {
	id, model string
	created   int64
	calls     int
}

func (e *chatEncoder) chunk(choices []any, more map[string]any) event {
	m := map[string]any{"id": "chatcmpl-" + e.id, "object": "chat.completion.chunk", "created": e.created, "model": e.model, "choices": choices}
	for k, v := range more {
		m[k] = v
	}
	return event{data: m}
}

func (e *chatEncoder) delta(delta map[string]any, finish any) []event {
	return []event{e.chunk([]any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}, nil)}
}

func (e *chatEncoder) open() []event {
	return e.delta(map[string]any{"role": "assistant", "content": ""}, nil)
}

func (e *chatEncoder) say(text string) []event {
	return e.delta(map[string]any{"content": text}, nil)
}

func (e *chatEncoder) think(text string) []event {
	return e.delta(map[string]any{"reasoning_content": text}, nil)
}

func (e *chatEncoder) use(c call) []event {
	i := e.calls
	e.calls++
	first := map[string]any{"index": i, "id": callID(e.id, i), "type": "function", "function": map[string]any{"name": c.name, "arguments": ""}}
	rest := map[string]any{"index": i, "function": map[string]any{"arguments": c.args}}
	return append(e.delta(map[string]any{"tool_calls": []any{first}}, nil), e.delta(map[string]any{"tool_calls": []any{rest}}, nil)...)
}

func (e *chatEncoder) close(f finish, u usage) []event {
	return append(e.delta(map[string]any{}, chatFinish(f)),
		e.chunk([]any{}, map[string]any{"usage": chatUsage(u)}), event{text: "[DONE]"})
}

func (e *chatEncoder) fail(message, code string) []event {
	return []event{{data: openAIError(message, "server_error", code)}, {text: "[DONE]"}}
}

func (e *chatEncoder) whole(r reply) any {
	m := map[string]any{"role": "assistant", "content": r.text}
	if r.thought != "" {
		m["reasoning_content"] = r.thought
	}
	var calls []any
	for i, c := range r.calls {
		calls = append(calls, map[string]any{"id": callID(e.id, i), "type": "function", "function": map[string]any{"name": c.name, "arguments": c.args}})
	}
	if calls != nil {
		m["tool_calls"] = calls
	}
	return map[string]any{
		"id": "chatcmpl-" + e.id, "object": "chat.completion", "created": e.created, "model": e.model,
		"choices": []any{map[string]any{"index": 0, "message": m, "finish_reason": chatFinish(r.end)}},
		"usage":   chatUsage(r.usage),
	}
}

func chatFinish(f finish) any {
	switch f {
	case finishTools:
		return "tool_calls"
	case finishFilter:
		return "content_filter"
	case finishNull:
		return nil
	}
	return string(f)
}

func chatUsage(u usage) map[string]any {
	return map[string]any{
		"prompt_tokens": u.in, "completion_tokens": u.out, "total_tokens": u.in + u.out,
		"prompt_tokens_details": map[string]any{"cached_tokens": 0},
	}
}

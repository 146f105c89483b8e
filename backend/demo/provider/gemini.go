package provider

// geminiEncoder speaks Gemini. Its stream is server-sent events, which is what
// its clients ask for (alt=sse).
type geminiEncoder struct {
	id, model string
	calls     int
}

func (e *geminiEncoder) part(p map[string]any) []event {
	return []event{{data: e.frame([]any{p}, finishNull, nil)}}
}

func (e *geminiEncoder) frame(parts []any, f finish, u *usage) map[string]any {
	c := map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "index": 0}
	if r := geminiFinish(f); r != "" {
		c["finishReason"] = r
	}
	m := map[string]any{"candidates": []any{c}, "modelVersion": e.model, "responseId": e.id}
	if u != nil {
		m["usageMetadata"] = map[string]any{"promptTokenCount": u.in, "candidatesTokenCount": u.out, "totalTokenCount": u.in + u.out}
	}
	return m
}

func (e *geminiEncoder) open() []event { return nil }

func (e *geminiEncoder) say(text string) []event { return e.part(map[string]any{"text": text}) }

func (e *geminiEncoder) think(text string) []event {
	return e.part(map[string]any{"text": text, "thought": true})
}

func (e *geminiEncoder) use(c call) []event {
	e.calls++
	return e.part(e.callPart(c, e.calls-1))
}

func (e *geminiEncoder) callPart(c call, i int) map[string]any {
	return map[string]any{"functionCall": map[string]any{"id": callID(e.id, i), "name": c.name, "args": object(c.args)}}
}

// close sends a last frame. Gemini has no reason of its own for tools: it stops.
func (e *geminiEncoder) close(f finish, u usage) []event {
	return []event{{data: e.frame([]any{map[string]any{"text": ""}}, f, &u)}}
}

func (e *geminiEncoder) fail(message, _ string) []event {
	return []event{{data: map[string]any{"error": map[string]any{"code": 503, "message": message, "status": "UNAVAILABLE"}}}}
}

func (e *geminiEncoder) whole(r reply) any {
	parts := []any{}
	if r.thought != "" {
		parts = append(parts, map[string]any{"text": r.thought, "thought": true})
	}
	if r.text != "" {
		parts = append(parts, map[string]any{"text": r.text})
	}
	for i, c := range r.calls {
		parts = append(parts, e.callPart(c, i))
	}
	return e.frame(parts, r.end, &r.usage)
}

func geminiFinish(f finish) string {
	switch f {
	case finishStop, finishTools:
		return "STOP"
	case finishLength:
		return "MAX_TOKENS"
	case finishFilter:
		return "SAFETY"
	case finishWeird:
		return "WEIRD"
	}
	return ""
}

package demo

import (
	"strings"
	"time"

	"turnwatch/backend/acp"
)

// pause waits for a retry and says so on the event stream. A cancel that comes
// meanwhile is answered as OpenCode answers it: end_turn, with no tokens used.
func (t *turn) pause(d time.Duration, attempt int, message string, more map[string]any) error {
	status := map[string]any{
		"type": "retry", "attempt": attempt, "message": message,
		"next": t.p.o.Clock.Now().Add(d).UnixMilli(),
	}
	if more != nil {
		status["action"] = more
	}
	t.p.events.status(t.s.id, status)
	t.paused = true
	if err := t.hold(d); err != nil {
		return err
	}
	t.paused = false
	t.p.events.status(t.s.id, map[string]any{"type": "busy"})
	return nil
}

// brokeDown tells the event stream that the turn has ended by an error.
func (t *turn) brokeDown(status int, message string) {
	t.p.events.publish("session.error", map[string]any{"sessionID": t.s.id, "error": map[string]any{
		"name": "APIError", "data": map[string]any{"message": message, "statusCode": status, "isRetryable": true, "responseBody": ""},
	}})
}

// playLimit meets a usage limit whose reset is hours away, and waits for it.
func playLimit(t *turn) error {
	if err := t.wait(300 * time.Millisecond); err != nil {
		return err
	}
	t.streamError(t.s.id, "limit", "AI_APICallError: "+limitText, false)
	limit := map[string]any{
		"reason": "account_rate_limit", "provider": "demo", "title": "Go limit reached",
		"message": limitText, "label": "open settings", "link": "https://opencode.ai/workspace/wrk_demo0001/go",
	}
	if err := t.pause(2*time.Hour+7*time.Minute, 1, limitText, limit); err != nil {
		return err
	}
	return t.say("The limit is over, and I can go on. ")
}

// playOverload tries six times and gives up.
func playOverload(t *turn) error {
	for i := range 6 {
		t.streamError(t.s.id, "overload", "AI_APICallError: "+overText, false)
		if i == 5 {
			break
		}
		if err := t.pause(t.paced(2*time.Second<<i), i+1, overText, nil); err != nil {
			return err
		}
	}
	t.gaveUp(overText)
	t.brokeDown(529, overText)
	return apiError(overText, nil)
}

// overloads is how many prompts the overload that passes refuses.
const overloads = 2

// playOverloadPasses refuses the first prompts of its session and then answers.
func playOverloadPasses(t *turn) error { return t.passes(busyText) }

// playOverloadAsks does so too, and asks to wait for five minutes.
func playOverloadAsks(t *turn) error { return t.passes(waitText) }

func (t *turn) passes(text string) error {
	if err := t.wait(300 * time.Millisecond); err != nil {
		return err
	}
	t.s.mu.Lock()
	t.s.refused++
	n := t.s.refused
	t.s.mu.Unlock()
	if n <= overloads {
		t.gaveUp(text)
		t.brokeDown(529, text)
		return apiError(text, nil)
	}
	return t.say("The provider has room again. Turnwatch sent your prompt once more by itself, because nothing had been done yet. ")
}

// apiError is how OpenCode answers a prompt whose provider failed.
func apiError(message string, more map[string]any) *failure {
	data := map[string]any{"service": "session", "errorName": "APIError"}
	for k, v := range more {
		data[k] = v
	}
	return &failure{code: acp.CodeInternal, message: "Internal error: " + message, data: data}
}

// playTitleError fails at the title alone.
func playTitleError(t *turn) error {
	t.streamError(t.s.id, "small", "AI_RetryError: Failed after 3 attempts. Last error: "+limitText, true)
	return playOK(t)
}

// playOtherSession fails in a session that is not this one.
func playOtherSession(t *turn) error {
	t.streamError(newID("ses"), "limit", "AI_APICallError: "+limitText, false)
	return playOK(t)
}

// playRetryHeals fails once and then answers.
func playRetryHeals(t *turn) error {
	t.streamError(t.s.id, "retry-heals", "AI_APICallError: "+overText, false)
	if err := t.pause(t.paced(2*time.Second), 1, overText, nil); err != nil {
		return err
	}
	return t.say("That took a moment: the provider was overloaded, and the second try went through. ")
}

// playActionURL answers with an error that says where to go.
func playActionURL(t *turn) error {
	if err := t.wait(300 * time.Millisecond); err != nil {
		return err
	}
	sentence, link, _ := strings.Cut(limitText, " To continue using this model now, enable usage from your available balance: ")
	return apiError(sentence, map[string]any{"action_url": link})
}

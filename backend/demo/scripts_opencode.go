package demo

import (
	"strings"
	"time"

	"turnwatch/backend/acp"
)

// pause waits for a retry. A cancel that comes meanwhile is answered as OpenCode
// answers it: end_turn, with no tokens used.
func (t *turn) pause(wait func(time.Duration) error, d time.Duration) error {
	t.paused = true
	if err := wait(d); err != nil {
		return err
	}
	t.paused = false
	return nil
}

// playLimit meets a usage limit whose reset is hours away, and waits for it.
func playLimit(t *turn) error {
	if err := t.wait(300 * time.Millisecond); err != nil {
		return err
	}
	t.streamError(t.s.id, "limit", "AI_APICallError: "+limitText, false)
	if err := t.pause(t.hold, 2*time.Hour+7*time.Minute); err != nil {
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
		if err := t.pause(t.wait, 2*time.Second<<i); err != nil {
			return err
		}
	}
	t.gaveUp(overText)
	return apiError(overText, nil)
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
	if err := t.pause(t.wait, 2*time.Second); err != nil {
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

package demo

import (
	"strings"
	"time"
)

// secretText has a made-up secret of every kind. Each holds the word CANARY, which
// must not come out of any raw channel.
const secretText = `key sk-CANARY1234567890abcdef of CANARY@example.com, OPENCODE_SERVER_PASSWORD=CANARY, {"api_key":"CANARY"}, Bearer CANARY.abc-def, in /home/CANARY/.local/share/opencode/auth.json and C:\Users\CANARY\auth.json, workspace wrk_CANARY0001, session ses_CANARY0001, https://CANARY.example/x and https://opencode.ai/workspace/wrk_CANARY0001/billing`

// secretModel is as long as the name of a model may be.
const secretModel = "a-family-of-models/with-a-name-that-goes-on/large-instruct-preview-2026-11-30-extended-context-thinking-high"

// playSecrets fails in one of three ways, with secrets in every raw channel: by a
// record on stderr while the event stream talks, by an error answer ("error" in
// the prompt), or by the end of the program ("exit").
func playSecrets(t *turn) error {
	t.p.err.print("CANARY is in no record: " + secretText + "\n")
	t.streamError(t.s.id, "small", "AI_RetryError: "+secretText, true)
	t.gaveUp(secretText)
	t.p.events.status(t.s.id, map[string]any{
		"type": "retry", "attempt": 1, "message": secretText, "next": t.p.o.Clock.Now().Add(2 * time.Second).UnixMilli(),
	})
	switch {
	case strings.Contains(t.asked, "exit"):
		t.p.err.print("panic: " + secretText + "\n\ngoroutine 1 [running]:\nCANARY.main()\n")
		return ErrCrashed
	case strings.Contains(t.asked, "error"):
		t.brokeDown(500, secretText)
		return apiError("no luck. "+secretText, map[string]any{
			"message": secretText, "action_url": "https://CANARY.example/workspace/wrk_CANARY0001/go",
		})
	}
	t.streamError(t.s.id, secretModel, "AI_APICallError: "+limitText+" "+secretText, false)
	return t.pause(2*time.Hour+7*time.Minute, 1, secretText, nil)
}

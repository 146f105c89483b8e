package managed

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/redact"
)

// sign is a failure that an adapter tells of in a field of its own, in the _meta of
// an answer or of a session_info_update. It is never asked for, since an adapter
// that is asked for it leaves out more exact fields; whoever sends it is heard.
type sign struct {
	Severity string `json:"severity"` // warning: it is retried; error: the turn has failed
	Title    string `json:"title"`
	raw      []byte
}

// sideSign finds the field; false where there is none.
func sideSign(raw []byte) (sign, bool) {
	var m struct {
		Meta struct {
			JetBrains struct {
				Air struct {
					Failure json.RawMessage `json:"sessionFailure"`
				} `json:"air"`
			} `json:"jetbrains"`
		} `json:"_meta"`
	}
	var t sign
	if json.Unmarshal(raw, &m) != nil || json.Unmarshal(m.Meta.JetBrains.Air.Failure, &t) != nil {
		return sign{}, false
	}
	t.raw = m.Meta.JetBrains.Air.Failure
	return t, true
}

// retries is the retry that a warning announces.
func (t sign) retries(k agent.Kind, st agent.Stamp) []agent.Event {
	if t.Severity != "warning" || !strings.HasPrefix(t.Title, "Retrying") && !strings.HasPrefix(t.Title, "Reconnecting") {
		return nil
	}
	r := agent.Retrying{Stamp: st, Attempt: attemptIn(t.Title)}
	return []agent.Event{because(r, failure.Evidence{Agent: k, Data: t.data()}, "")}
}

// failed is the failure that an error tells of.
func (t sign) failed(k agent.Kind, st agent.Stamp) *agent.Failure {
	if t.Severity != "error" {
		return nil
	}
	f := failure.OfSignal(k, "signal.session_failure", t.Title, t.data(), st.At)
	return &f
}

// data is the field as the registry reads it.
func (t sign) data() []byte {
	return append(append([]byte(`{"sessionFailure":`), t.raw...), '}')
}

// because adds to an announced retry what it is to get over: the code of the evidence,
// and the words of the provider, which are sanitised here.
func because(r agent.Retrying, e failure.Evidence, words string) agent.Retrying {
	e.Channel, e.OccurredAt = failure.ChannelRetry, r.Stamp.At
	if c := failure.Classify(e).Code; c != failure.UnknownProviderError {
		r.Code = c
	}
	r.Message = redact.Text(failure.Spoken(words))
	return r
}

var attempts = regexp.MustCompile(`(\d{1,4})(?:/| of )\d{1,4}`)

// attemptIn reads "2/5" and "attempt 2 of 10"; 0 where there is none.
func attemptIn(s string) int {
	m := attempts.FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

package diagnose

import (
	"bytes"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/redact"
)

// Scope is what a line has to belong to.
type Scope struct {
	Kind    agent.Kind            // whose dialect the program writes
	Session agent.ProviderSession // "" is any
	Turn    *Turn                 // nil where no turn is asked about
}

// Turn is a turn and the line that may end it.
type Turn struct {
	Generation agent.Generation // 0: none is in hand
	Dispatched time.Time        // when its prompt was sent
	Read       agent.Stamp      // when the line was read, and under which generation
}

// Prefilter reports whether a line is worth a Read. It is cheap: at least a
// gigabyte a second of lines that are not.
func Prefilter(line []byte) bool {
	// The rarer one first: hardly any other line has a capital E.
	return !Silent(line) && bytes.Contains(line, []byte("stream error"))
}

// Silent reports whether the prefilter would drop each line of which a byte is in
// a block.
func Silent(block []byte) bool { return !bytes.Contains(block, []byte("ERROR")) }

// Read says what one line of stderr proves: a Finding, or why it is ignored.
// Correlation comes first, then the link is taken from the raw bytes, then the raw
// text is classified, and last it is sanitised.
func Read(line []byte, s Scope) (Finding, Ignored) {
	switch {
	case s.Kind != agent.OpenCode:
		return Finding{}, OtherAgent
	case len(line) > LongestLine:
		return Finding{}, TooLong
	}
	r, ok := parse(line)
	if !ok {
		return Finding{}, NotARecord
	}
	at, ok := instant(r.stamp)
	if !ok {
		return Finding{}, NotARecord
	}
	if why := r.foreground(); why != "" {
		return Finding{}, why
	}
	if why := s.excludes(r, at); why != "" {
		return Finding{}, why
	}
	return find(r, line, at), ""
}

// foreground says why a record is not the failed stream of a session's own turn.
func (r record) foreground() Ignored {
	switch {
	case string(r.level) != "ERROR":
		return OtherLevel
	case string(r.message) != "stream error":
		return OtherMessage
	case !session(r.session):
		return NoSession
	case string(r.small) == "true":
		return Background
	case r.small != nil && string(r.small) != "false":
		return NotARecord
	case string(r.agent) == "title":
		return TitleRequest
	case r.small == nil && r.agent == nil:
		return NotARecord // nothing tells whose request it was
	}
	switch text := bytes.TrimSpace(r.failure); {
	case r.failure == nil, string(text) == "null", string(text) == "undefined":
		return NoError
	case aborted(text):
		return Aborted
	}
	return ""
}

// excludes says why a record does not belong to the scope.
func (s Scope) excludes(r record, at time.Time) Ignored {
	if s.Session != "" && string(s.Session) != string(r.session) {
		return OtherSession
	}
	if t := s.Turn; t != nil {
		switch {
		case t.Generation == 0, t.Generation != t.Read.Generation:
			return OtherGeneration
		case at.Before(t.Dispatched.Truncate(time.Millisecond)):
			return BeforeDispatch
		}
	}
	return ""
}

// aborted reports the words for a request that was called off from this side.
func aborted(text []byte) bool {
	return string(text) == "Aborted" || bytes.HasPrefix(text, []byte("AbortError")) ||
		bytes.HasPrefix(text, []byte("MessageAbortedError"))
}

func find(r record, line []byte, at time.Time) Finding {
	text := string(redact.Terminal(r.failure))
	f := Finding{Class: failure.Classify(failure.Evidence{
		Agent: agent.OpenCode, Channel: failure.ChannelStderr, Text: text, OccurredAt: at,
	})}
	if f.Class.Code == "" {
		f.Class.Code, f.Class.Class = failure.UnknownProviderError, failure.Unclassified
		f.Class.Confidence, f.Class.RuleID = failure.Low, "opencode.stream_error"
		f.Class.CatalogueVersion = failure.CatalogueVersion
	}
	f.Diagnostic = Diagnostic{
		Source: Source, ProviderID: name(r.provider), ModelID: name(r.model),
		Message: message(text), OccurredAt: at,
		// Only a duration from the record counts here, never an instant.
		ResetAt:        failure.TimesIn(text, at, true).Reset,
		RemediationURL: linkOf(r, line),
	}
	return f
}

// message is what may be shown of an error, without the name of its class.
func message(raw string) string {
	if m := redact.Text(withoutClass(raw)); m != "" {
		return m
	}
	return Generic
}

// withoutClass takes "AI_APICallError: " and its like off a text.
func withoutClass(s string) string {
	const suffix = "Error: "
	for n := 0; n < len(s) && n < 64; n++ {
		c := s[n]
		if c == ':' && n+2 <= len(s) && n+2 >= len(suffix) && s[n+2-len(suffix):n+2] == suffix {
			return s[n+2:]
		}
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '_' {
			break
		}
	}
	return s
}

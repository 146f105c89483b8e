package demo

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// The sentences of OpenCode's gateway. The account in the link is made up.
const (
	limitText = "5-hour usage limit reached. Resets in 2hr 7min. To continue using this model now, enable usage from your available balance: https://opencode.ai/workspace/wrk_demo0001/go"
	overText  = "Overloaded"
	busyText  = "Provider is overloaded"
	waitText  = "Provider is overloaded. Please try again in 5 minutes."
)

// field is one key and its value in a record.
type field struct{ key, value string }

// record is one line as OpenCode logs it at level ERROR: fields parted by
// blanks, a value bare where it can be and a JSON string where it cannot, so
// that a record never spans lines.
func record(at time.Time, run string, fields ...field) string {
	all := append([]field{
		{"timestamp", at.UTC().Format("2006-01-02T15:04:05.000Z")},
		{"level", "ERROR"},
		{"run", run},
	}, fields...)
	var b strings.Builder
	for i, f := range all {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(f.key + "=" + value(f.value))
	}
	return b.String() + "\n"
}

// value quotes what is not bare.
func value(s string) string {
	if regexp.MustCompile(`^[^\s="\\]+$`).MatchString(s) {
		return s
	}
	b, _ := jsontext.AppendQuote(nil, s) // broken UTF-8 is replaced, which is an error but no harm
	return string(b)
}

// streamError writes the record of one failed request to the model.
func (t *turn) streamError(session, model, failure string, small bool) {
	who := "build"
	if small {
		who = "title"
	}
	t.p.err.print(record(t.p.o.Clock.Now(), t.p.run(),
		field{"message", "stream error"},
		field{"providerID", "demo"},
		field{"modelID", model},
		field{"session.id", session},
		field{"small", strconv.FormatBool(small)},
		field{"agent", who},
		field{"mode", "primary"},
		field{"error.error", failure},
	))
}

// gaveUp writes what OpenCode logs when a turn ends by an error: a record, and a
// block of lines that is none.
func (t *turn) gaveUp(message string) {
	t.p.err.print(record(t.p.o.Clock.Now(), t.p.run(),
		field{"message", "process"},
		field{"session.id", t.s.id},
		field{"messageID", t.message},
		field{"error", message},
		field{"stack", "AI_APICallError: " + message + "\n    at <anonymous> (chunk-demo.js:6:14272)"},
	) + "Error handling request {\n  method: \"session/prompt\",\n  params: {\n    sessionId: \"" + t.s.id + "\",\n  },\n} {\n  code: -32603,\n  message: \"Internal error: " + message + "\",\n}\n")
}

// run is the id of this run of the program in its records.
func (p *program) run() string { return "d3300000" }

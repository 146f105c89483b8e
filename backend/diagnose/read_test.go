package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/diagnose"
	"turnwatch/backend/failure"
	"turnwatch/backend/redact"
)

var occurred = time.Date(2026, 11, 30, 17, 15, 33, 855e6, time.UTC)

var open = diagnose.Scope{Kind: agent.OpenCode}

func read(t *testing.T, line string) diagnose.Finding {
	t.Helper()
	f, why := diagnose.Read([]byte(line), open)
	require.Empty(t, why, "%.300s", line)
	return f
}

func TestTheObservedQuotaLine(t *testing.T) {
	f := read(t, limit)
	assert.Equal(t, diagnose.Diagnostic{
		Source: "opencode_stderr", ProviderID: "fake", ModelID: "main",
		Message:        "5-hour usage limit reached. Resets in 2hr 7min",
		OccurredAt:     occurred,
		ResetAt:        occurred.Add(2*time.Hour + 7*time.Minute),
		RemediationURL: "https://opencode.ai/workspace/wrk_01AbC/go",
	}, f.Diagnostic)
	assert.True(t, f.Quota())
	got := f.Failure()
	assert.Equal(t, failure.QuotaLimited, got.Code)
	assert.Equal(t, "opencode_stderr", got.Source)
	assert.Equal(t, "main", got.Model)
	assert.Equal(t, f.Diagnostic.RemediationURL, got.Link)
	assert.Equal(t, f.Diagnostic.ResetAt, got.ResetAt)
}

func TestTheResetOfALimit(t *testing.T) {
	const day = 24 * time.Hour
	for _, tc := range []struct {
		name, text string
		after      time.Duration // 0: unknown
	}{
		{"five hours", "5-hour usage limit reached. Resets in 4hr 19min.", 4*time.Hour + 19*time.Minute},
		{"weekly", "Weekly usage limit reached. Resets in 4 days.", 4 * day},
		{"monthly", "Monthly usage limit reached. Resets in 12 days.", 12 * day},
		{"minutes", "5-hour usage limit reached. Resets in 13min.", 13 * time.Minute},
		{"rounded up", "5-hour usage limit reached. Resets in 2hr 60min.", 3 * time.Hour},
		{"spelled", "5 hour usage limit reached. It will reset in 5 days 10 hours.", 5*day + 10*time.Hour},
		{"spelled short", "5 hour usage limit reached. It will reset in 2 hours 7 minutes.", 2*time.Hour + 7*time.Minute},
		{"less than a minute", "5 hour usage limit reached. It will reset in less than a minute.", time.Minute},
		{"empty", "5 hour usage limit reached. It will reset in .", 0},
		{"no words of it", "5-hour usage limit reached.", 0},
		{"months", "Monthly usage limit reached. Resets in 1 month.", 0},
		{"beyond a year", "Monthly usage limit reached. Resets in 400 days.", 0},
		{"overflow", "Weekly usage limit reached. Resets in 99999999999999999999 days.", 0},
		{"an instant", "Weekly usage limit reached. Resets at 2026-12-01T00:00:00Z.", 0},
		{"an epoch", "usage limit reached|1796070000", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := read(t, saying("AI_APICallError: "+tc.text))
			want := time.Time{}
			if tc.after > 0 {
				want = occurred.Add(tc.after)
			}
			assert.Equal(t, want, f.Diagnostic.ResetAt)
		})
	}
}

func TestFormsOfOneRecord(t *testing.T) {
	for _, tc := range []struct{ name, line string }{
		{"quoted values", swap("providerID=fake modelID=main", `providerID="fake" modelID="main"`)},
		{"all quoted", strings.NewReplacer("level=ERROR", `level="ERROR"`, "small=false", `small="false"`, "session.id=ses_1", `session.id="ses_1"`, "timestamp=2026-11-30T17:15:33.855Z", `timestamp="2026-11-30T17:15:33.855Z"`).Replace(limit)},
		{"escapes in a value", swap("modelID=main", `modelID="m\u0061in"`)},
		{"another order", said + " " + whose + ids + strings.TrimSpace(head)},
		{"more fields", limit + ` cause="a \"b\" c" stack=undefined`},
		{"flattened", swap("error.error=", "error.error.message=") + " error.error.type=server_error error.error.code=429"},
		{"blanks", "  " + strings.ReplaceAll(limit, " level", "  \t level") + "  "},
		{"colours", "\x1b[31m" + strings.ReplaceAll(limit, " message=", "\x1b[0m message=")},
		{"coloured level", swap("level=ERROR", "level=\x1b[1;31mERROR\x1b[0m")},
		{"terminal link", "\x1b]8;;file:///x\x07" + limit + "\x1b]8;;\x07"},
		{"another zone", swap("17:15:33.855Z", "18:15:33.855+01:00")},
		{"no agent named", swap("agent=build ", "")},
		{"not said whether small", swap("small=false ", "")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.True(t, diagnose.Prefilter([]byte(tc.line)))
			assert.Equal(t, read(t, limit), read(t, tc.line))
		})
	}
}

func TestLinesThatProveNothing(t *testing.T) {
	own := agent.ProviderSession("ses_1")
	for _, tc := range []struct {
		name, line string
		want       diagnose.Ignored
	}{
		{"another level", swap("level=ERROR", "level=INFO"), diagnose.OtherLevel},
		{"another message", swap(`"stream error"`, `process`), diagnose.OtherMessage},
		{"small request", swap("small=false", "small=true"), diagnose.Background},
		{"title agent", swap("agent=build", "agent=title"), diagnose.TitleRequest},
		{"title agent, quoted", swap("agent=build", `agent="title"`), diagnose.TitleRequest},
		{"another session", swap("ses_1", "ses_2"), diagnose.OtherSession},
		{"a session that only begins alike", swap("ses_1", "ses_11"), diagnose.OtherSession},
		{"no session", swap("session.id=ses_1 ", ""), diagnose.NoSession},
		{"session of another form", swap("ses_1", "sess-1"), diagnose.NoSession},
		{"session with other letters", swap("ses_1", "ses_1é"), diagnose.NoSession},
		{"empty session", swap("session.id=ses_1", `session.id=""`), diagnose.NoSession},
		{"only the prefix", swap("ses_1", "ses_"), diagnose.NoSession},
		{"overlong session", swap("ses_1", "ses_"+strings.Repeat("a", 125)), diagnose.NoSession},
		{"no error", swap(said, ""), diagnose.NoError},
		{"error of no value", swap(said, "error.error=undefined"), diagnose.NoError},
		{"null error", swap(said, "error.error=null"), diagnose.NoError},
		{"cancelled by the user", swap(said, "error.error=Aborted"), diagnose.Aborted},
		{"aborted", swap(said, `error.error="AbortError: The operation was aborted."`), diagnose.Aborted},
		{"no time", swap("timestamp=2026-11-30T17:15:33.855Z ", ""), diagnose.NotARecord},
		{"time of another form", swap("2026-11-30T17:15:33.855Z", "1796058933855"), diagnose.NotARecord},
		{"no such time", swap("2026-11-30", "2026-11-31"), diagnose.NotARecord},
		{"no level", swap("level=ERROR ", ""), diagnose.OtherLevel},
		{"small of another type", swap("small=false", "small=1"), diagnose.NotARecord},
		{"nobody's request", swap("small=false agent=build ", ""), diagnose.NotARecord},
		{"duplicate session", limit + " session.id=ses_1", diagnose.NotARecord},
		{"duplicate of no interest", limit + " run=2", diagnose.NotARecord},
		{"duplicate error", limit + ` error.error="x"`, diagnose.NotARecord},
		{"two forms of error", limit + ` error.error.message="x"`, diagnose.NotARecord},
		{"broken quote", strings.TrimSuffix(limit, `"`), diagnose.NotARecord},
		{"quote inside", swap("main", `ma"in`), diagnose.NotARecord},
		{"quote that does not end the field", swap("modelID=main", `modelID="main"x`), diagnose.NotARecord},
		{"equals inside", swap("main", "ma=in"), diagnose.NotARecord},
		{"backslash inside", swap("main", `ma\in`), diagnose.NotARecord},
		{"bad escape", swap("2hr", `2\qhr`), diagnose.NotARecord},
		{"half an escape", swap("2hr 7min", `2\u00zz`), diagnose.NotARecord},
		{"bad escape in a field of no interest", limit + ` more="\x"`, diagnose.NotARecord},
		{"control character in a string", swap("2hr", "2\x01hr"), diagnose.NotARecord},
		{"no value", limit + " more=", diagnose.NotARecord},
		{"no key", limit + " =x", diagnose.NotARecord},
		{"a word without a value", limit + " word", diagnose.NotARecord},
		{"cut off", limit[:120], diagnose.NotARecord},
		{"too many fields", limit + fields(80), diagnose.NotARecord},
		{"not UTF-8", swap("2hr", "2\xffhr"), diagnose.NotARecord},
		{"NUL", limit + "\x00", diagnose.NotARecord},
		{"a title that never ends", "\x1b]0;" + limit, diagnose.NotARecord},
		{"prose", "ERROR: stream error: 5-hour usage limit reached", diagnose.NotARecord},
		{"JSON", `{"level":"ERROR","message":"stream error"}`, diagnose.NotARecord},
		{"nothing", "", diagnose.NotARecord},
		{"blanks", "   ", diagnose.NotARecord},
		{"200 KB", swap("2hr", strings.Repeat("2hr ", 50_000)), diagnose.TooLong},
		{"a byte too long", limit + " x=" + strings.Repeat("y", diagnose.LongestLine-len(limit)-2), diagnose.TooLong},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, why := diagnose.Read([]byte(tc.line), diagnose.Scope{Kind: agent.OpenCode, Session: own})
			assert.Equal(t, tc.want, why)
			assert.Zero(t, f)
		})
	}
}

func fields(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(" k" + string(rune('a'+i%26)) + strings.Repeat("x", i/26) + "=1")
	}
	return b.String()
}

func TestOnlyOpenCodeWritesRecords(t *testing.T) {
	for _, kind := range []agent.Kind{agent.Claude, agent.Codex, agent.Demo, "", "my-agent"} {
		_, why := diagnose.Read([]byte(limit), diagnose.Scope{Kind: kind})
		assert.Equal(t, diagnose.OtherAgent, why, kind)
	}
}

func TestOnlyTheTurnInHand(t *testing.T) {
	for _, tc := range []struct {
		name string
		turn diagnose.Turn
		want diagnose.Ignored
	}{
		{"its own", diagnose.Turn{Generation: 3, Dispatched: occurred.Add(-time.Second), Read: agent.Stamp{Generation: 3}}, ""},
		{"in the millisecond of the dispatch", diagnose.Turn{Generation: 3, Dispatched: occurred.Add(900 * time.Microsecond), Read: agent.Stamp{Generation: 3}}, ""},
		{"read during an earlier generation", diagnose.Turn{Generation: 3, Dispatched: occurred.Add(-time.Second), Read: agent.Stamp{Generation: 2}}, diagnose.OtherGeneration},
		{"no turn in hand", diagnose.Turn{}, diagnose.OtherGeneration},
		{"made before the dispatch", diagnose.Turn{Generation: 3, Dispatched: occurred.Add(time.Millisecond), Read: agent.Stamp{Generation: 3}}, diagnose.BeforeDispatch},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, why := diagnose.Read([]byte(limit), diagnose.Scope{Kind: agent.OpenCode, Session: "ses_1", Turn: &tc.turn})
			assert.Equal(t, tc.want, why)
		})
	}
}

func TestIDsThatMayNotBeShownAreDropped(t *testing.T) {
	for _, tc := range []struct{ name, line, provider, model string }{
		{"both", limit, "fake", "main"},
		{"address", swap("providerID=fake", "providerID=https://evil.example/x"), "", "main"},
		{"account", swap("modelID=main", "modelID=wrk_01AbC"), "fake", ""},
		{"account in a name", swap("modelID=main", "modelID=zen/wrk_01AbC"), "fake", ""},
		{"blanks", swap("modelID=main", `modelID="my model"`), "fake", ""},
		{"too long", swap("modelID=main", "modelID="+strings.Repeat("m", 129)), "fake", ""},
		{"the longest", swap("modelID=main", "modelID="+strings.Repeat("m", 128)), "fake", strings.Repeat("m", 128)},
		{"a key", swap("modelID=main", "modelID=sk-CANARY1234"), "fake", ""},
		{"not there", swap("providerID=fake modelID=main ", ""), "", ""},
		{"scoped", swap("modelID=main", "modelID=@cf/meta/llama-3.1-8b+x"), "fake", "@cf/meta/llama-3.1-8b+x"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := read(t, tc.line).Diagnostic
			assert.Equal(t, tc.provider, d.ProviderID)
			assert.Equal(t, tc.model, d.ModelID)
		})
	}
}

func TestARecordThatSaysNothingUsableIsAFailureAllTheSame(t *testing.T) {
	for _, text := range []string{"", " ", "https://example.com/x", "AI_APICallError: wrk_01AbC", "\x1b[31m\x1b[0m", "AI_APICallError: https://opencode.ai/workspace/wrk_1/go"} {
		f := read(t, saying(text))
		assert.Equal(t, diagnose.Generic, f.Diagnostic.Message, "%q", text)
		assert.Empty(t, f.Failure().Message)
		assert.Equal(t, failure.UnknownProviderError, f.Failure().Code)
	}
}

func TestTheMessageIsSanitised(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"class taken off", "AI_APICallError: Overloaded", "Overloaded"},
		{"class of another kind", "ProviderHeaderTimeoutError: Provider response headers timed out after 300000ms", "Provider response headers timed out after 300000ms"},
		{"no class", "Model error: overloaded", "Model error: overloaded"},
		{"colour inside", "\x1b[31mOverloaded\x1b[0m now", "Overloaded now"},
		{"lines", "one\ntwo", "one two"},
		{"path", "cannot read /home/CANARY/auth.json", "cannot read"},
		{"link", "Insufficient balance. Manage your billing here: https://opencode.ai/workspace/wrk_CANARY/billing", "Insufficient balance. Manage your billing here"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := read(t, saying(tc.text)).Diagnostic
			assert.Equal(t, tc.want, d.Message)
		})
	}
	d := read(t, saying(strings.Repeat("слово ", 3000))).Diagnostic
	assert.LessOrEqual(t, len(d.Message), redact.Limit)
}

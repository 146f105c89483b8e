package failure_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"turnwatch/backend/failure"
)

func TestDurationsCountFromTheRecord(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       time.Duration // 0: unknown
	}{
		{"gateway hours and minutes", "Resets in 4hr 19min. To continue", 4*time.Hour + 19*time.Minute},
		{"gateway minutes", "Resets in 13min", 13 * time.Minute},
		{"minutes rounded up", "Resets in 2hr 60min", 3 * time.Hour},
		{"gateway days", "Resets in 4 days", 96 * time.Hour},
		{"client", "It will reset in 5 days 10 hours", 130 * time.Hour},
		{"client, minutes", "It will reset in 2 hours 7 minutes. To", 127 * time.Minute},
		{"less than a minute", "It will reset in less than a minute.", time.Minute},
		{"empty", "It will reset in .", 0},
		{"three units", "try again in 5 days 22 hours 11 minutes", 142*time.Hour + 11*time.Minute},
		{"seconds", "Try again in 11 seconds", 11 * time.Second},
		{"after", "please try again after 1 seconds", time.Second},
		{"go style", "Your quota will reset after 8h44m7s", 8*time.Hour + 44*time.Minute + 7*time.Second},
		{"go style, short", "will reset after 5s.. Retrying", 5 * time.Second},
		{"commas and and", "resets in 1 week, 2 days and 3 hours", 219 * time.Hour},
		{"fraction", "Please try again in 6.034s. Visit", 6034 * time.Millisecond},
		{"seconds as a field", `"resets_in_seconds":602705`, 602705 * time.Second},
		{"header", `"X-Codex-Primary-Reset-After-Seconds":"13873"`, 13873 * time.Second},
		{"wrapped", "try again in 5 days 22 hours 11\nminutes.", 142*time.Hour + 11*time.Minute},
		{"escaped", `{\"message\":\"Resets in 2hr\"}`, 2 * time.Hour},
		{"month", "resets in 1 month", 0},
		{"month among others", "resets in 2 days 1 month", 0},
		{"milliseconds", "resets in 3 milliseconds", 0},
		{"humans", "resets in 4 humans", 0},
		{"number alone", "resets in 4", 0},
		{"number left over", "resets in 4 hours 3", 0},
		{"zero", "resets in 0 minutes", 0},
		{"366 days", "resets in 366 days", 366 * 24 * time.Hour},
		{"367 days", "resets in 367 days", 0},
		{"sum over", "resets in 366 days 1 minute", 0},
		{"overflow", "resets in 99999999999999999999 hours", 0},
		{"overflow of the product", "resets in 9999999999 weeks", 0},
		{"units out of order", "resets in 5 minutes 2 hours", 0},
		{"negative", "resets in -5 minutes", 0},
		{"a word, not a lead", "presets in 5 minutes", 0},
		{"few", "try again in a few minutes", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, relativeOnly := range []bool{false, true} {
				got := failure.TimesIn(tc.text, noon, relativeOnly)
				assert.Equal(t, tc.want, got.Relative)
				if tc.want == 0 {
					assert.True(t, got.Reset.IsZero(), got.Reset)
				} else {
					assert.Equal(t, noon.Add(tc.want), got.Reset)
				}
			}
		})
	}
}

func TestInstantsNeedAZone(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       string // RFC 3339 in UTC, "": unknown
	}{
		{"old epoch", "Claude AI usage limit reached|1735776000", ""},
		{"epoch", "Claude AI usage limit reached|1788292800", "2026-09-01T20:00:00Z"},
		{"epoch field", `"resetsAt":1788625200,`, "2026-09-05T16:20:00Z"},
		{"epoch in ms", `"resetsAt": 1788625200000`, "2026-09-05T16:20:00Z"},
		{"epoch in quotes", `"X-Codex-Primary-Reset-At":"1788625200"`, "2026-09-05T16:20:00Z"},
		{"epoch too far", `"resetsAt":1888625200`, ""},
		{"epoch of another size", `"resetsAt":178862520`, ""},
		{"clock with zone", "resets 8:30am (America/Los_Angeles)", "2026-09-01T15:30:00Z"},
		{"clock gone by today", "resets 4am (America/Los_Angeles)", "2026-09-02T11:00:00Z"},
		{"clock in UTC", "resets 10:16pm (UTC)", "2026-09-01T22:16:00Z"},
		{"clock of this very moment", "resets 12pm (UTC)", "2026-09-02T12:00:00Z"},
		{"midnight", "resets 12am (UTC)", "2026-09-02T00:00:00Z"},
		{"narrow blank", "resets 10:16\u202fpm (UTC)", "2026-09-01T22:16:00Z"},
		{"offset", "Access resets at 10:57 PM GMT-3.", "2026-09-02T01:57:00Z"},
		{"date with zone", "resets Dec 18 at 5am (Asia/Riyadh)", "2026-12-18T02:00:00Z"},
		{"date of next year", "resets Jan 3 at 5am (Asia/Riyadh)", "2027-01-03T02:00:00Z"},
		{"date with year and zone", "resets Dec 18, 2026 at 5am (UTC)", "2026-12-18T05:00:00Z"},
		{"the 29th of February", "resets Feb 29 at 5am (UTC)", ""},
		{"ISO", "regain access on 2026-12-01 at 00:00 UTC", "2026-12-01T00:00:00Z"},
		{"ISO gone by", "regain access on 2025-12-01 at 00:00 UTC", ""},
		{"RFC 3339", `"reset_at":"2026-09-01T18:00:00+02:00"`, "2026-09-01T16:00:00Z"},
		{"RFC 3339 with fractions", `"reset_at":"2026-09-01T18:00:00.123Z"`, "2026-09-01T18:00:00Z"},
		{"clock without zone", "resets 3pm", ""},
		{"clock in brackets", "resets 3pm (tomorrow)", ""},
		{"clock without zone, local form", "or try again at 10:10 PM.", ""},
		{"date without zone", "try again at Jul 5th, 2026 8:19 PM.", ""},
		{"date of one country", "will reset when your monthly cycle ends on 11/17/2025", ""},
		{"localised", "try again at 10 de jul. de 2026, 11:52", ""},
		{"ISO without zone", "resets at 2026-12-01 00:00", ""},
		{"abbreviation", "resets 3pm (PST)", ""},
		{"abbreviation of the database", "resets 3pm (EST)", ""},
		{"made-up zone", "resets 3pm (Mars/Olympus)", ""},
		{"path", "resets 3pm (../../etc/passwd)", ""},
		{"hour 25", "resets 25:00 (UTC)", ""},
		{"hour alone", "resets 8 (UTC)", ""},
		{"13pm", "resets 13pm (UTC)", ""},
		{"weekday", "resets Monday 5am (UTC)", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := failure.TimesIn(tc.text, noon, false)
			assert.Zero(t, got.Relative)
			assert.Equal(t, tc.want, shown(got.Reset))
			assert.True(t, failure.TimesIn(tc.text, noon, true).Reset.IsZero(), "an instant where only durations count")
			assert.True(t, failure.TimesIn(tc.text, time.Time{}, false).Reset.IsZero(), "an instant without a record's time")
		})
	}
}

func shown(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Truncate(time.Second).Format(time.RFC3339)
}

func TestDaylightSavingRulesApply(t *testing.T) {
	for _, tc := range []struct {
		name, at, text, want string
	}{
		{"summer in Berlin", "2026-07-01T00:00:00Z", "resets 3am (Europe/Berlin)", "2026-07-01T01:00:00Z"},
		{"winter in Berlin", "2026-01-01T00:00:00Z", "resets 3am (Europe/Berlin)", "2026-01-01T02:00:00Z"},
		{"a clock that is skipped comes the day after", "2026-03-29T00:30:00Z", "resets 2:30am (Europe/Berlin)", "2026-03-30T00:30:00Z"},
		{"a clock that comes twice: the first", "2026-10-24T23:00:00Z", "resets 2:30am (Europe/Berlin)", "2026-10-25T00:30:00Z"},
		{"a clock that comes twice: the second", "2026-10-25T00:45:00Z", "resets 2:30am (Europe/Berlin)", "2026-10-25T01:30:00Z"},
		{"half an hour in Lord Howe", "2026-04-04T14:45:00Z", "resets 1:45am (Australia/Lord_Howe)", "2026-04-04T15:15:00Z"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			at, err := time.Parse(time.RFC3339, tc.at)
			assert.NoError(t, err)
			assert.Equal(t, tc.want, shown(failure.TimesIn(tc.text, at, false).Reset))
		})
	}
}

func TestHintsAreWaitsAndNoResets(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       time.Duration
	}{
		{"claude", "Retrying in 8 seconds (attempt 5/10)", 8 * time.Second},
		{"claude, short form", "Retrying in 11s · attempt 8/10", 11 * time.Second},
		{"gemini", "Retrying after 6173ms...", 6173 * time.Millisecond},
		{"codex", "retrying 1/5 in 209ms…", 209 * time.Millisecond},
		{"header", "retry-after: 30", 30 * time.Second},
		{"field", `"retry_after":1.5`, 1500 * time.Millisecond},
		{"RetryInfo", `"retryDelay": "34s"`, 34 * time.Second},
		{"claude's SDK", `"retry_delay_ms":2500.5`, 2500500 * time.Microsecond},
		{"date", "Retry-After: Tue, 01 Sep 2026 12:05:00 GMT", 5 * time.Minute},
		{"date gone by", "Retry-After: Tue, 01 Sep 2026 11:05:00 GMT", 0},
		{"milliseconds to try again", "Please try again in 644ms.", 644 * time.Millisecond},
		{"the longest", "retrying in 2s; retry-after: 9", 9 * time.Second},
		{"no number", "Retrying...", 0},
		{"too long", "retry-after: 99999999", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := failure.TimesIn(tc.text, noon, false)
			assert.Equal(t, failure.Times{Wait: tc.want}, got)
		})
	}
}

// Whatever duration is written, in whatever form, is read back.
func TestAnyDurationIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 366*24*60*60).Draw(t, "seconds")
		units := []struct {
			seconds int
			names   []string
		}{{86400, []string{"d", "days"}}, {3600, []string{"h", "hr", "hours"}}, {60, []string{"m", "min", "minutes"}}, {1, []string{"s", "sec", "seconds"}}}
		form := rapid.SampledFrom([]string{"", " ", ", ", " and "}).Draw(t, "joint")
		var parts []string
		left := n
		for _, u := range units {
			if k := left / u.seconds; k > 0 {
				name := rapid.SampledFrom(u.names).Draw(t, "unit")
				blank := rapid.SampledFrom([]string{"", " "}).Draw(t, "blank")
				parts = append(parts, itoa(k)+blank+name)
				left %= u.seconds
			}
		}
		got := failure.TimesIn("Resets in "+strings.Join(parts, form)+".", noon, true)
		if got.Relative != time.Duration(n)*time.Second {
			t.Fatalf("%q: %s", strings.Join(parts, form), got.Relative)
		}
	})
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

func FuzzTimesIn(f *testing.F) {
	for _, s := range []string{
		"Resets in 4hr 19min", "will reset after 8h44m7s", "limit reached|1788292800", `"resetsAt":1788625200`, "retry-after: Tue, 01 Sep 2026 12:05:00 GMT",
		"resets 8:30am (America/Los_Angeles)", "resets Dec 18 at 5am (Asia/Riyadh)", "regain access on 2026-12-01 at 00:00 UTC", "resets 1am GMT-3",
		"retrying 1/5 in 209ms", "It will reset in less than a minute", `\u2019\n\"`,
	} {
		f.Add(s, noon.Unix())
	}
	f.Fuzz(func(t *testing.T, text string, unix int64) {
		at := time.Unix(unix%1e10, 0)
		got := failure.TimesIn(text, at, false)
		const most = 366 * 24 * time.Hour
		if got.Wait < 0 || got.Wait > most || got.Relative < 0 || got.Relative > most {
			t.Fatalf("%q: %+v", text, got)
		}
		if !got.Reset.IsZero() && (!got.Reset.After(at) || got.Reset.Sub(at) > most || got.Reset.Location() != time.UTC) {
			t.Fatalf("%q: %+v", text, got)
		}
		if only := failure.TimesIn(text, at, true); only.Relative != got.Relative || only.Relative == 0 && !only.Reset.IsZero() {
			t.Fatalf("%q: %+v and %+v", text, got, only)
		}
	})
}

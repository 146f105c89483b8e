package detect_test

import (
	gostrings "strings"
	"testing"

	"github.com/stretchr/testify/require"

	"turnwatch/backend/policy/detect"
)

// FuzzDetectors asks every detector about whatever comes: it must answer, and the
// same for the same text. What stands in a closed block of code or a quotation is
// never a call, an announcement, a claim or a question.
func FuzzDetectors(f *testing.F) {
	for _, l := range strings(f) {
		f.Add(l.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range detect.Names() {
			first, known := detect.Match(name, text)
			require.True(t, known)
			again, _ := detect.Match(name, text)
			require.Equal(t, first, again)
		}
		fence := gostrings.Repeat("~", 3+gostrings.Count(text, "~"))
		inside := "All of this is an example of what was said before.\n" + fence + "\n" + text + "\n" + fence + "\nThat is how it looks."
		for _, name := range []string{"tool_text", "action_intent", "ready_to_continue", "done_claim", "asks_user", "celebration"} {
			match, _ := detect.Match(name, inside)
			require.False(t, match, "%s in a block of code", name)
		}
	})
}

// TestOpenFence shows that the end of a text can be read alone.
func TestOpenFence(t *testing.T) {
	for name, row := range map[string][2]string{
		"none":         {"a\nb", ""},
		"closed":       {"```\na\n```\n", ""},
		"open":         {"x\n```go\na", "```\n"},
		"longer":       {"````\n```\na", "````\n"},
		"tildes":       {"~~~\n```\n", "~~~\n"},
		"a code span":  {"```a``` b", ""},
		"too indented": {"    ```\na", ""},
	} {
		require.Equal(t, row[1], detect.OpenFence(row[0]), name)
	}
}

// BenchmarkDetectors reads messages of 100 KB with all detectors: what is wanted is
// less than a millisecond for each.
func BenchmarkDetectors(b *testing.B) {
	const size = 100 << 10
	fill := func(s string) string { return gostrings.Repeat(s, size/len(s)+1)[:size] }
	for name, text := range map[string]string{
		"prose":     fill("The parser reads each line, and what it finds is kept. It was slow before.\n"),
		"code":      fill("Look:\n```go\nif a < b && c > d { m[x] = `y` }\n```\nThat `is` it.\n"),
		"html":      fill("<div class=\"a\"><p>text</p></div>\n{\"name\": \"x\", \"v\": [1, 2]}\n"),
		"openers":   fill("<bash>\n<read "),
		"braces":    fill(`{"name":"x",`),
		"backticks": fill("` `` ``` ```` "),
		"dots":      fill("a.b. c.d1. e.g. "),
	} {
		for _, detector := range detect.Names() {
			b.Run(name+"/"+detector, func(b *testing.B) {
				for b.Loop() {
					detect.Match(detector, text)
				}
			})
		}
	}
}

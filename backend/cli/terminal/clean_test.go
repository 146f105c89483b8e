package terminal_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"turnwatch/backend/cli/terminal"
)

func TestClean(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain text", "two words\nand a line", "two words\nand a line"},
		{"other scripts", "héllo 世界 🙂", "héllo 世界 🙂"},
		{"colours", "\x1b[31mred\x1b[0m", "red"},
		{"cursor and screen", "a\x1b[2J\x1b[H\x1b[10;5Hb", "ab"},
		{"title by BEL", "a\x1b]0;owned\x07b", "ab"},
		{"clipboard by ST", "a\x1b]52;c;cm0gLXJm\x1b\\b", "ab"},
		{"link", "\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\", "click"},
		{"device control", "a\x1bP+q544e\x1b\\b", "ab"},
		{"8-bit CSI", "a\u009b31mb", "ab"},
		{"8-bit OSC", "a\u009d0;owned\u009cb", "ab"},
		{"reset", "a\x1bcb", "ab"},
		{"character set", "a\x1b(0b", "ab"},
		{"a sequence that is none", "a\x1b[3\x01b", "ab"},
		{"string without an end stops at the line", "a\x1b]0;x\nb", "a\nb"},
		{"bell, backspace, delete", "a\x07\x08\x7fb", "ab"},
		{"tab", "a\tb", "a    b"},
		{"carriage return as a line end", "a\r\nb\rc", "a\nb\nc"},
		{"line separators", "a\u2028b\u0085c", "a\nb\nc"},
		{"overrides of direction", "rm \u202efdp.exe\u202c\u2066x\u2069", "rm fdp.exex"},
		{"hidden characters", "a\u200bb\u00adc\ufeffd", "abcd"},
		{"tag characters", "a\U000e0041b", "ab"},
		{"broken bytes", "a\xffb", "a\ufffdb"},
		{"vertical tab and form feed", "a\vb\fc", "abc"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, terminal.Clean(tt.in))
		})
	}
}

func TestAStringThatNeverEndsSwallowsLittle(t *testing.T) {
	got := terminal.Clean("\x1b]0;" + strings.Repeat("x", 5000) + "the end")
	assert.True(t, strings.HasSuffix(got, "the end"))
}

func TestOneLine(t *testing.T) {
	assert.Equal(t, "a b c", terminal.OneLine(" a\n\tb\r\n\x1b[1mc "))
}

func harmless(s string) bool {
	for _, r := range s {
		if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e {
			return false
		}
	}
	return utf8.ValidString(s)
}

// However text is cut into chunks, what comes out is the same and harmless.
func TestChunksMakeNoDifference(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"a", "word ", "\n", "\r", "\r\n", "\x1b", "[", "]", "31m", "0;t", "\x07", "\x1b\\", "\u009b", "\u009d",
		"\u009c", "世", "🙂", "\u202e", "\x7f", "P", "\\", ";",
	})
	rapid.Check(t, func(t *rapid.T) {
		chunks := rapid.SliceOf(piece).Draw(t, "chunks")
		var c terminal.Cleaner
		var streamed strings.Builder
		for _, s := range chunks {
			streamed.WriteString(c.Clean(s))
		}
		whole := terminal.Clean(strings.Join(chunks, ""))
		assert.Equal(t, whole, streamed.String())
		assert.True(t, harmless(whole), "%q", whole)
	})
}

func FuzzClean(f *testing.F) {
	f.Add("a\x1b[31mb\x1b]0;x\x07c\u009b1mé\xff")
	f.Add("\x1b]8;;http://x\x1b\\y\r\n")
	f.Fuzz(func(t *testing.T, s string) {
		got := terminal.Clean(s)
		if !harmless(got) {
			t.Fatalf("%q became %q", s, got)
		}
		if again := terminal.Clean(got); again != got {
			t.Fatalf("not stable: %q became %q", got, again)
		}
	})
}

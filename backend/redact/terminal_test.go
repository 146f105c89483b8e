package redact_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/redact"
)

func TestTerminalSequencesGoWhole(t *testing.T) {
	for _, tc := range []struct{ name, raw, want string }{
		{"none", "plain é text", "plain é text"},
		{"colour", "\x1b[1;31mred\x1b[0m", "red"},
		{"link, bell", "\x1b]8;;http://x\x07text\x1b]8;;\x07", "text"},
		{"link, terminator", "\x1b]8;;http://x\x1b\\text", "text"},
		{"title cut off", "a\x1b]0;secret title", "a"},
		{"device control", "a\x1bPq#0;2\x1b\\b", "ab"},
		{"charset", "a\x1b(Bb", "ab"},
		{"keypad", "a\x1b=b", "ab"},
		{"C1 in UTF-8", "a\u009b31mb\u009d0;x\u009cc", "abc"},
		{"other characters of the same first byte", "a©\u0085b", "a©\u0085b"},
		{"cursor", "a\x1b[2 qb", "ab"},
		{"a word behind", "a\x1b fw\x1b[ fw", "a fw fw"},
		{"alone", "a\x1b", "a"},
		{"before another", "a\x1b\x1b[0mb", "ab"},
		{"half a colour", "a\x1b[3", "a"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.want, string(redact.Terminal([]byte(tc.raw))))
		})
	}
}

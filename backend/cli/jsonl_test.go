package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALineIsExactAndHarmless(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"markup stays readable", "<b>&", `{"s":"<b>&"}`},
		{"escape", "\x1b[31m", `{"s":"\u001b[31m"}`},
		{"delete", "a\x7f", `{"s":"a\u007f"}`},
		{"C1 control", "\u009b31m", `{"s":"\u009b31m"}`},
		{"override of direction", "a\u202eb\u2066", `{"s":"a\u202eb\u2066"}`},
		{"other scripts", "世界 é", `{"s":"世界 é"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			j := jsonl{w: &b}
			j.put(map[string]string{"s": tt.in})
			require.NoError(t, j.err)
			assert.Equal(t, tt.want+"\n", b.String())
			var back map[string]string
			require.NoError(t, json.Unmarshal(b.Bytes(), &back))
			assert.Equal(t, tt.in, back["s"])
		})
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestTheFirstErrorOfALineSticks(t *testing.T) {
	j := jsonl{w: full{}}
	j.put(1)
	j.put(func() {}) // cannot be encoded: not reached
	assert.EqualError(t, j.err, "full")
}

func FuzzLine(f *testing.F) {
	f.Add("a\u009b\u202e\x1b\xff")
	f.Fuzz(func(t *testing.T, s string) {
		var b bytes.Buffer
		j := jsonl{w: &b}
		j.put(s)
		var back string
		if err := json.Unmarshal(b.Bytes(), &back); err != nil {
			t.Fatalf("%q: %v", b.String(), err)
		}
		if utf8.ValidString(s) && back != s {
			t.Fatalf("%q came back as %q", s, back)
		}
		for _, r := range b.String() {
			if r < 0x20 && r != '\n' || acts(r) {
				t.Fatalf("%q can act", b.String())
			}
		}
	})
}

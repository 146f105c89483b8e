package redact_test

import (
	"strings"
	"testing"

	"turnwatch/backend/redact"
)

// BenchmarkText shows that no input is dear: the text is bounded and every
// expression runs in linear time.
func BenchmarkText(b *testing.B) {
	for name, unit := range map[string]string{"words": "some words ", "slashes": "C:\\a ", "visits": "visit see at ", "dots": "a.b@", "keys": "sk-", "braces": "{(", "colons": "a:/"} {
		b.Run(name, func(b *testing.B) {
			raw := strings.Repeat(unit, 8000/len(unit))
			b.SetBytes(8000)
			for b.Loop() {
				redact.Text(raw)
			}
		})
	}
}

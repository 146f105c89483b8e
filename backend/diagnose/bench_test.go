package diagnose_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"turnwatch/backend/diagnose"
)

// BenchmarkRecord reads records that are well formed and correlated, or not, up to
// where the text of the error is known: "ours" by way of a record of a title
// request, which is parsed whole and classified no further, beside regular
// expressions and a map.
func BenchmarkRecord(b *testing.B) {
	line := []byte(swap("small=false", "small=true"))
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(len(line)))
		b.ReportAllocs()
		for b.Loop() {
			if _, why := diagnose.Read(line, open); why != diagnose.Background {
				b.Fatal(why)
			}
		}
	})
	b.Run("regexp", func(b *testing.B) {
		b.SetBytes(int64(len(line)))
		b.ReportAllocs()
		for b.Loop() {
			if m := straightforward(line); m["small"] != "true" || m["error.error"] == "" {
				b.Fatal(m)
			}
		}
	})
}

var pair = regexp.MustCompile(`([^\s="\\]+)=("(?:[^"\\]|\\.)*"|[^\s="\\]+)(?:\s|$)`)

// straightforward is how one would write it without another thought.
func straightforward(line []byte) map[string]string {
	m := map[string]string{}
	for _, f := range pair.FindAllStringSubmatch(string(line), -1) {
		v := f[2]
		if strings.HasPrefix(v, `"`) {
			if json.Unmarshal([]byte(v), &v) != nil {
				return nil
			}
		}
		if _, twice := m[f[1]]; twice {
			return nil
		}
		m[f[1]] = v
	}
	return m
}

// BenchmarkFinding is the whole way of a record that ends a turn: parsed,
// classified and sanitised.
func BenchmarkFinding(b *testing.B) {
	line := []byte(limit)
	b.ReportAllocs()
	for b.Loop() {
		if _, why := diagnose.Read(line, open); why != "" {
			b.Fatal(why)
		}
	}
}

// BenchmarkReject turns away the lines that a chatty OpenCode writes.
func BenchmarkReject(b *testing.B) {
	line := []byte(`timestamp=2026-11-30T17:15:33.855Z level=INFO run=a1035371 message=stream providerID=fake modelID=main session.id=ses_1 small=false agent=build mode=primary`)[:150]
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if diagnose.Prefilter(line) {
			b.Fatal("accepted")
		}
	}
}

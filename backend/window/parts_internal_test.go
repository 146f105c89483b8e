package window

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"turnwatch/backend/agent"
)

func TestWordsOfACommandLine(t *testing.T) {
	tests := []struct {
		name, line string
		want       []string
		ok         bool
	}{
		{"plain", "agent --acp", []string{"agent", "--acp"}, true},
		{"blanks", "  agent \t x  ", []string{"agent", "x"}, true},
		{"double quotes", `agent "a b" c`, []string{"agent", "a b", "c"}, true},
		{"single quotes", `agent 'a "b"' c`, []string{"agent", `a "b"`, "c"}, true},
		{"joined", `--x="a b"c`, []string{"--x=a bc"}, true},
		{"empty word", `agent ""`, []string{"agent", ""}, true},
		{"escaped quote", `agent "a \" \\ b"`, []string{"agent", `a " \ b`}, true},
		{"a path of Windows", `C:\tools\agent.exe "C:\my files\x"`, []string{`C:\tools\agent.exe`, `C:\my files\x`}, true},
		{"nothing is expanded", "agent $HOME `id` ; rm *", []string{"agent", "$HOME", "`id`", ";", "rm", "*"}, true},
		{"open quote", `agent "x`, []string{"agent", "x"}, false},
		{"nothing", "  ", nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := words(tt.line)
			assert.Equal(t, tt.want, got)
			assert.Equal(t, tt.ok, ok)
		})
	}
}

func FuzzWords(f *testing.F) {
	f.Add(`agent "a b" 'c' \`)
	f.Fuzz(func(t *testing.T, s string) {
		list, _ := words(s)
		for _, w := range list {
			assert.LessOrEqual(t, len(w), 3*len(s))
		}
	})
}

func TestADiffAsLines(t *testing.T) {
	text := func(s string) *string { return &s }
	d, cut := diffOf(agent.Diff{Path: "a.txt", Old: text("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), New: "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10"}, 100)
	assert.False(t, cut)
	assert.Equal(t, Diff{Path: "a.txt", Added: 2, Removed: 1, Hunks: []Hunk{{Old: 2, New: 2, Lines: []Line{
		{" ", "2"}, {" ", "3"}, {" ", "4"}, {"-", "5"}, {"+", "five"}, {" ", "6"}, {" ", "7"}, {" ", "8"}, {" ", "9"}, {"+", "10"},
	}}}}, d)

	d, cut = diffOf(agent.Diff{Path: "new", New: "a\n+b\n-c\n@@ d\n"}, 100)
	assert.False(t, cut)
	assert.True(t, d.New)
	assert.Equal(t, []Line{{"+", "a"}, {"+", "+b"}, {"+", "-c"}, {"+", "@@ d"}}, d.Hunks[0].Lines, "text that looks like a diff is text")

	long := strings.Repeat("x\n", 5000)
	d, cut = diffOf(agent.Diff{Path: "long", New: long}, 2000)
	assert.True(t, cut)
	assert.Len(t, d.Hunks[0].Lines, 2000)
	assert.Equal(t, 5000, d.Added, "all are counted")
	_, cut = diffOf(agent.Diff{Path: "huge", New: strings.Repeat("x", tooBig+1)}, 2000)
	assert.True(t, cut)
	_, cut = diffOf(agent.Diff{Path: "bin", New: "a\x00b"}, 2000)
	assert.True(t, cut)
}

// TestADiffLeadsFromOldToNew: the lines without "+" are the old text around the
// changes, those without "-" the new one.
func TestADiffLeadsFromOldToNew(t *testing.T) {
	line := rapid.SampledFrom([]string{"a", "b", "c", "x", " ", "+x", "-y", "@@", "ü"})
	rapid.Check(t, func(t *rapid.T) {
		before, after := rapid.SliceOfN(line, 0, 30).Draw(t, "before"), rapid.SliceOfN(line, 0, 30).Draw(t, "after")
		join := func(l []string) string { return strings.Join(append(l, ""), "\n") }
		old := join(before)
		d, cut := diffOf(agent.Diff{Path: "x", Old: &old, New: join(after)}, 1000)
		require.False(t, cut)
		got, at := []string{}, 0
		for _, h := range d.Hunks {
			from := max(h.Old-1, 0)
			got = append(got, before[at:from]...)
			at = from
			for _, l := range h.Lines {
				if l.Op != "+" {
					require.Equal(t, before[at], l.Text)
					at++
				}
				if l.Op != "-" {
					got = append(got, l.Text)
				}
			}
		}
		got = append(got, before[at:]...)
		require.Equal(t, append([]string{}, after...), got)
	})
}

func TestOutputIsCutInTheMiddle(t *testing.T) {
	s, cut := shorten(strings.Repeat("ü", 1000), 100)
	assert.True(t, cut)
	assert.True(t, utf8.ValidString(s))
	assert.True(t, strings.HasPrefix(s, "üü") && strings.HasSuffix(s, "üü") && strings.Contains(s, "⋯"))
	assert.Less(t, len(s), 120)
	block := agent.TextBlock(strings.Repeat("x", 70<<10))
	tool := agent.ToolCall{ID: "c", Content: []agent.ToolContent{{Block: &block}}, RawInput: []byte(`{"b":1,"a":[2]}`)}
	got := toolOf(tool, -1, onScreen())
	assert.True(t, got.Cut)
	assert.Less(t, len(got.Output), 65<<10)
	assert.Equal(t, "{\n  \"b\": 1,\n  \"a\": [\n    2\n  ]\n}", got.Input)
	got = toolOf(tool, -1, whole())
	assert.False(t, got.Cut)
	assert.Len(t, got.Output, 70<<10)
}

func TestOnlyImagesThatMayBeShownCarryTheirData(t *testing.T) {
	for mime, shown := range map[string]bool{
		"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true,
		"image/svg+xml": false, "text/html": false, "image/png; x": false, "": false,
	} {
		b := blockOf(agent.Block{Kind: agent.BlockImage, Mime: mime, Data: "AAAA"}, onScreen())
		assert.Equal(t, shown, b.Data != "", mime)
	}
	assert.Empty(t, blockOf(agent.Block{Kind: agent.BlockAudio, Mime: "image/png", Data: "AAAA"}, onScreen()).Data)
}

func TestInside(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	out := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "sub"), 0o700))
	require.NoError(t, os.Symlink(out, filepath.Join(root, "away")))
	require.NoError(t, os.Symlink(filepath.Join(root, "sub"), filepath.Join(root, "near")))
	for path, want := range map[string]bool{
		".": true, "sub": true, "sub/new/file": true, "near/x": true, "sub/../sub/x": true,
		"..": false, "../x": false, "away": false, "away/x": false, "sub/../../x": false,
		"/etc/passwd": false, root: true, filepath.Join(root, "x"): true, root + "-other": false,
	} {
		assert.Equal(t, want, inside(root, path), path)
	}
	assert.False(t, inside(filepath.Join(root, "no such"), "x"))
}

func TestAToolOfAnyShapeIsShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 0, 50).Draw(t, "raw")
		p := partOf(held{Part: agent.Part{Seq: 1, Kind: agent.PartTool, Tool: agent.ToolCall{RawInput: raw, RawOutput: raw}}}, onScreen())
		require.NotNil(t, p.Tool, "%q", raw)
	})
}

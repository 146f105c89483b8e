package managed

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOldNodeIsToldByWordsOrByWhatRan(t *testing.T) {
	for _, tc := range []struct {
		name, stderr, least, need, have string
		ok                              bool
	}{
		{"words", "Error: requires Node.js >=22.19.0, you have v20.11.1", "", "22.19.0", "20.11.1", true},
		{"words without what is there", "Please upgrade to Node 22 or newer", "", "22", "", true},
		{"engine", "npm WARN EBADENGINE Unsupported engine { required: { node: '>=22' }, current: { node: 'v20.1.0' } }", "", "22", "20.1.0", true},
		{"not supported", "Node.js v18.2.0 is not supported. The minimum Node.js version is 20", "", "20", "18.2.0", true},
		{"missing module", "Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite\n\nNode.js v20.11.0\n", "22", "22", "20.11.0", true},
		{"syntax", "SyntaxError: Unexpected token 'using'\nNode.js v18.0.0", "20", "20", "18.0.0", true},
		{"new enough", "SyntaxError: Unexpected token '<'\n\nNode.js v22.1.0", "22", "", "", false},
		{"no least known", "SyntaxError: x\n\nNode.js v12.0.0", "", "", "", false},
		{"another error of an old one", "Error: ENOSPC\n\nNode.js v18.0.0", "22", "", "", false},
		{"no node at all", "/usr/bin/env: 'node': No such file or directory", "22", "22", "", true},
		{"no node for a program without need", "env: node: No such file or directory", "", "", "", false},
		{"nothing", "", "22", "", "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			need, have, ok := oldNode(tc.stderr, tc.least)
			assert.Equal(t, tc.ok, ok)
			assert.Equal(t, tc.need, need)
			assert.Equal(t, tc.have, have)
		})
	}
}

func TestRefusedFlags(t *testing.T) {
	for _, tc := range []struct {
		name, stderr string
		want         bool
	}{
		{"yargs", "Unknown arguments: print-logs, printLogs", true},
		{"help alone", "opencode acp\n\nOptions:\n  -h, --help         show help    [boolean]\n", true},
		{"commander", "error: unknown option '--port'", true},
		{"clap", "error: unexpected argument '--log-level' found", true},
		{"go", "flag provided but not defined: -port", true},
		{"port taken", "Error: listen EADDRINUSE: address already in use 127.0.0.1:4096", true},
		{"another error", "Error: database disk image is malformed", false},
		{"silence", "", false},
	} {
		t.Run(tc.name, func(t *testing.T) { assert.Equal(t, tc.want, refusedFlag(tc.stderr)) })
	}
}

func FuzzOldNode(f *testing.F) {
	f.Add("requires Node.js >= 22. You have v20.1.1", "22")
	f.Fuzz(func(t *testing.T, stderr, least string) {
		need, have, ok := oldNode(stderr, least)
		if !ok && (need != "" || have != "") || ok && need == "" {
			t.Fatalf("%q %q %v", need, have, ok)
		}
	})
}

func TestTailIsBounded(t *testing.T) {
	var l tail
	for i := range 200 {
		l.add([]byte(fmt.Sprintf("line %d %s", i, strings.Repeat("word ", 2000))))
	}
	l.add([]byte("   "))
	l.add([]byte("the last, password=CANARY"))
	shown := l.shown()
	assert.Len(t, shown, tailLines)
	assert.Equal(t, "the last", shown[tailLines-1])
	for _, s := range shown {
		assert.LessOrEqual(t, len(s), 500)
	}
	assert.LessOrEqual(t, len(l.text()), tailLines*(tailWidth+1))
	l.clear()
	assert.Empty(t, l.shown())
}

func TestEveryProfileIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range profiles() {
		assert.NotEmpty(t, p.name)
		assert.False(t, seen[string(p.kind)], p.kind)
		seen[string(p.kind)] = true
		assert.True(t, len(p.programs) > 0 || p.kind == "demo", p.kind)
		tries, err := p.attempts(p.args)
		assert.NoError(t, err)
		assert.NotEmpty(t, tries)
		assert.NotNil(t, p.reader())
	}
	_, known := profileOf("somebody")
	assert.False(t, known)
}

//go:build unix

package cli_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDetectAnswersEachLine(t *testing.T) {
	in := `{"id":"x","text":"I found the bug. Next, I will edit the file:","want":true}` + "\n\n" + `{"text":"I will edit the file."}` + "\n"
	out, stderr, status := call(t, in, "detect", "--detector", "action_intent")
	require.Zero(t, status, stderr)
	assert.Equal(t, "{\"match\":true}\n{\"match\":false}\n", out)
}

func TestDetectOfWhateverComes(t *testing.T) {
	for name, in := range map[string]string{
		"no JSON": "text", "a list": "[]", "no text": "{}", "a number": `{"text":1}`, "null": `{"text":null}`,
	} {
		out, stderr, status := call(t, in+"\n"+`{"text":"Task done."}`+"\n", "detect", "--detector", "done_claim")
		assert.Equal(t, 1, status, name)
		assert.Contains(t, stderr, "could not be read: 1", name)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		require.Len(t, lines, 2, name)
		assert.Contains(t, lines[0], "error", name)
		assert.Equal(t, `{"match":true}`, lines[1], name)
	}
}

func TestReplayOfTheAutoResumePolicy(t *testing.T) {
	raw, err := os.ReadFile("../replay/testdata/autoresume/stall.jsonl")
	require.NoError(t, err)
	first, _, _ := strings.Cut(string(raw), "\n")
	out, stderr, status := call(t, first+"\n", "replay", "--policy", "auto-resume", "-")
	require.Zero(t, status, stderr)
	assert.JSONEq(t, `{"id":"stall-001","actions":[{"t":50000,"act":"prompt","s":"A","kind":"continue"}],
		"final":{"A":{"cancelled":false,"completed":false,"gave_up":false}}}`, out)
}

func TestReplayTellsOfOptionsThatAreNotKnown(t *testing.T) {
	out, stderr, status := call(t, `{"id":"x","options":{"speed":9},"until":1}`+"\n", "replay", "--policy", "auto-resume", "-")
	assert.Zero(t, status)
	assert.Equal(t, "tw: The scenario x has options that are not known; they were left out: speed\n", stderr)
	assert.JSONEq(t, `{"id":"x","actions":[],"final":{}}`, out)
	_, stderr, status = call(t, `{"id":"x","options":{"maxRetries":"many"},"until":1}`+"\n", "replay", "--policy", "auto-resume", "-")
	assert.Equal(t, 1, status)
	assert.Contains(t, stderr, "maxRetries: it is not a whole number")
}

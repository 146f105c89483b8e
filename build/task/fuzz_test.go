package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheParsersAreFuzzed(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	all, err := fuzzTargets(root, "")
	require.NoError(t, err)
	for _, want := range []target{
		{"./backend/diagnose", "FuzzRead"}, {"./backend/redact", "FuzzText"}, {"./backend/redact", "FuzzPlanted"},
		{"./backend/redact", "FuzzRemediation"}, {"./backend/failure", "FuzzTimesIn"}, {"./backend/opencode", "FuzzDecode"},
	} {
		assert.True(t, slices.Contains(all, want), want)
	}
	some, err := fuzzTargets(root, "^FuzzRemediation$")
	require.NoError(t, err)
	assert.Equal(t, []target{{"./backend/redact", "FuzzRemediation"}}, some)
	_, err = fuzzTargets(root, "(")
	assert.Error(t, err)
}

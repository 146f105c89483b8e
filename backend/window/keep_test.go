package window_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThePageKeepsItsStateWithTheData(t *testing.T) {
	r, _ := raise(t, t.TempDir(), &player{})
	text, err := r.Settings.Page()
	require.NoError(t, err)
	assert.Empty(t, text)
	require.NoError(t, r.Settings.KeepPage(`{"task":"t1"}`))
	text, err = r.Settings.Page()
	require.NoError(t, err)
	assert.Equal(t, `{"task":"t1"}`, text)
	assert.Equal(t, "error.argument", key(t, r.Settings.KeepPage("nonsense")))
}

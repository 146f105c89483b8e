package locale_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/locale"
	"turnwatch/locales"
)

func TestTell(t *testing.T) {
	w, err := locale.Open(locales.Files)
	require.NoError(t, err)
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.FixedZone("", 3600))
	at := func(t time.Time) locale.Args { return locale.Args{"reset": strconv.FormatInt(t.UnixMilli(), 10)} }
	assert.Equal(t, "More capacity at 14:03", w.Tell("row.reset", at(now.Add(2*time.Hour+3*time.Minute)), now))
	assert.Equal(t, "More capacity at 2026-03-05 02:00", w.Tell("row.reset", at(now.Add(14*time.Hour)), now))
	assert.Equal(t, "1 turn is running", w.Tell("tray.running", locale.Args{"Count": "1"}, now))
	assert.Equal(t, "3 turns are running", w.Tell("tray.running", locale.Args{"Count": "3"}, now))
	assert.Equal(t, "No turn is running", w.Tell("tray.idle", nil, now))
	assert.Empty(t, w.Tell("", nil, now))
}

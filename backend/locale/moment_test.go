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
	assert.Equal(t, "More capacity at 2026-03-05, 02:00", w.Tell("row.reset", at(now.Add(14*time.Hour)), now))
	assert.Equal(t, "1 turn is running", w.Tell("tray.running", locale.Args{"Count": "1"}, now))
	assert.Equal(t, "3 turns are running", w.Tell("tray.running", locale.Args{"Count": "3"}, now))
	assert.Equal(t, "No turn is running", w.Tell("tray.idle", nil, now))
	assert.Empty(t, w.Tell("", nil, now))
}

// A time and a day with a time take other prepositions in most languages, and no
// sentence may have both.
func TestAMomentBringsItsPreposition(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct{ tag, today, other string }{
		{"en", "More capacity at 14:03", "More capacity at 2026-03-05, 14:03"},
		{"de", "Wieder Kapazität um 14:03", "Wieder Kapazität am 2026-03-05 um 14:03"},
		{"es", "Más capacidad a las 14:03", "Más capacidad el 2026-03-05 a las 14:03"},
		{"fr", "De nouveau de la capacité à 14:03", "De nouveau de la capacité le 2026-03-05 à 14:03"},
		{"pt-BR", "Mais capacidade às 14:03", "Mais capacidade em 2026-03-05 às 14:03"},
	} {
		t.Run(tt.tag, func(t *testing.T) {
			w, err := locale.Open(locales.Files, tt.tag)
			require.NoError(t, err)
			at := now.Add(2*time.Hour + 3*time.Minute)
			assert.Equal(t, tt.today, w.Tell("row.reset", locale.Args{"reset": strconv.FormatInt(at.UnixMilli(), 10)}, now))
			at = at.Add(24 * time.Hour)
			assert.Equal(t, tt.other, w.Tell("row.reset", locale.Args{"reset": strconv.FormatInt(at.UnixMilli(), 10)}, now))
		})
	}
}

package settings_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/settings"
)

func TestTheDesktopIsChecked(t *testing.T) {
	tests := []struct{ name, text, says string }{
		{"nothing", `{}`, ""},
		{"one switch", `{"desktop":{"notify":{"finished":false}}}`, ""},
		{"quiet hours", `{"desktop":{"notify":{"quiet_from":"22:00","quiet_to":"07:30"}}}`, ""},
		{"half of them", `{"desktop":{"notify":{"quiet_from":"22:00"}}}`, "together"},
		{"no time", `{"desktop":{"notify":{"quiet_from":"25:00","quiet_to":"07:30"}}}`, "quiet_from"},
		{"a short time", `{"desktop":{"notify":{"quiet_from":"22:00","quiet_to":"7:30"}}}`, "quiet_to"},
		{"a slip of the pen", `{"desktop":{"notfy":{}}}`, "notfy"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := settings.Parse([]byte(tt.text))
			if tt.says != "" {
				require.ErrorContains(t, err, tt.says)
				return
			}
			require.NoError(t, err)
			assert.True(t, v.Desktop.Notify.Asks, "what is not named keeps its default")
			assert.True(t, v.Desktop.Tray)
			assert.False(t, v.Desktop.Awake)
		})
	}
	v, err := settings.Parse([]byte(tests[2].text))
	require.NoError(t, err)
	from, to := v.Desktop.Notify.Quiet()
	assert.Equal(t, [2]int{22 * 60, 7*60 + 30}, [2]int{from, to})
}

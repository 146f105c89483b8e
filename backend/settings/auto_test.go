package settings_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/policy/autoresume"
	"turnwatch/backend/settings"
)

func TestNothingIsSwitchedOnByDefault(t *testing.T) {
	a := settings.Defaults().Auto
	assert.Equal(t, settings.AutoOff, a.Of("", "/any"))
	o, _, err := a.Policy(settings.AutoOff)
	require.NoError(t, err)
	assert.False(t, o.Enabled)
}

func TestWhichChoiceHolds(t *testing.T) {
	a := settings.Auto{Folders: map[string]settings.Choice{"/p": settings.AutoSafe}}
	for _, tt := range []struct {
		name    string
		task    settings.Choice
		dir     string
		stopped bool
		want    settings.Choice
	}{
		{"the folder's", "", "/p", false, settings.AutoSafe},
		{"the task's own", settings.AutoFull, "/p", false, settings.AutoFull},
		{"off in the task", settings.AutoOff, "/p", false, settings.AutoOff},
		{"another folder", "", "/q", false, settings.AutoOff},
		{"everything is stopped", settings.AutoFull, "/p", true, settings.AutoOff},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a.Stopped = tt.stopped
			assert.Equal(t, tt.want, a.Of(tt.task, tt.dir))
		})
	}
}

// Over ACP no prompt reaches a running turn, so a silent one is cancelled first;
// what the user has set himself stays.
func TestTheOptionsOfAChoice(t *testing.T) {
	a := settings.Defaults().Auto
	o, _, err := a.Policy(settings.AutoFull)
	require.NoError(t, err)
	assert.True(t, o.Enabled)
	assert.Equal(t, autoresume.Full, o.Preset)
	assert.Equal(t, autoresume.StallAbort, o.Stall.Strategy)
	assert.Equal(t, 10*time.Second, o.Timing.Countdown)

	a.Options = map[string]json.RawMessage{
		"busyStallStrategy": json.RawMessage(`"off"`), "countdownMs": json.RawMessage(`30000`), "continuePrompt": json.RawMessage(`"weiter"`),
	}
	o, words, err := a.Policy(settings.AutoSafe)
	require.NoError(t, err)
	assert.Equal(t, autoresume.StallOff, o.Stall.Strategy)
	assert.Equal(t, 30*time.Second, o.Timing.Countdown)
	assert.Equal(t, "weiter", words[autoresume.Continue])
}

func TestWhatIsWrongAboutAutoResumeIsSaid(t *testing.T) {
	for name, text := range map[string]string{
		"a choice that is none":      `{"auto": {"folders": {"/p": "always"}}}`,
		"a relative folder":          `{"auto": {"folders": {"p": "safe"}}}`,
		"an option that is none":     `{"auto": {"options": {"speed": 9}}}`,
		"a number out of bounds":     `{"auto": {"options": {"windowBudget": 1000}}}`,
		"a turn that never began":    `{"auto": {"options": {"firstEvent": true}}}`,
		"a switch that is no switch": `{"auto": {"options": {"toolLoop": "yes"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := settings.Parse([]byte(text))
			assert.ErrorIs(t, err, settings.ErrBroken)
			assert.ErrorContains(t, err, "auto.")
		})
	}
	v, err := settings.Parse([]byte(`{"auto": {"stopped": true}}`))
	require.NoError(t, err)
	assert.True(t, v.Auto.Stopped)
}

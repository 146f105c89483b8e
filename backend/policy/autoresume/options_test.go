package autoresume_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/policy/autoresume"
)

func TestBuiltInOptionsAreWithinTheirBounds(t *testing.T) {
	require.NoError(t, autoresume.Defaults().Validate())
	require.NoError(t, autoresume.Product().Validate())
	p := autoresume.Product()
	assert.Equal(t, autoresume.NotifyOnly, p.Preset)
	assert.Equal(t, 180*sec, p.Stall.Timeout+p.Stall.Grace)
	assert.False(t, p.Stall.FirstEvent)
	seen := map[string]bool{}
	for _, b := range autoresume.Bounds() {
		assert.False(t, seen[b.Name], b.Name)
		seen[b.Name] = true
		assert.Less(t, b.Min, b.Max, b.Name)
		assert.NotEmpty(t, b.Reason, b.Name)
	}
}

func TestWildOptionsAreRefused(t *testing.T) {
	for name, change := range map[string]func(*autoresume.Options){
		"busyStallStrategy":          func(o *autoresume.Options) { o.Stall.Strategy = "shout" },
		"preset":                     func(o *autoresume.Options) { o.Preset = "" },
		"contextSaturationThreshold": func(o *autoresume.Options) { o.Saturation = math.NaN() },
		"windowBudget":               func(o *autoresume.Options) { o.Caps.WindowBudget = 0 },
		"modelFilter":                func(o *autoresume.Options) { o.Model = "(" },
		"chunkTimeoutMs":             func(o *autoresume.Options) { o.Stall.Timeout = 0 },
		"a list":                     func(o *autoresume.Options) { o.Stream.Names = make([]string, 101) },
	} {
		o := autoresume.Defaults()
		change(&o)
		err := o.Validate()
		require.Error(t, err, name)
		assert.Contains(t, err.Error(), name)
		_, err = autoresume.New(o, autoresume.AllCaps())
		require.Error(t, err, name)
	}
}

func TestAPluginsConfigurationIsImported(t *testing.T) {
	im, err := autoresume.Import([]byte(`{
		"chunkTimeoutMs": 60000, "gracePeriodMs": 5000, "checkIntervalMs": 10000, "maxRetries": 4, "baseBackoffMs": 2000, "maxBackoffMs": 16000,
		"subagentWaitMs": 20000, "loopMaxContinues": 5, "loopWindowMs": 300000, "busyStallStrategy": "abort", "toolTextCheckDelayMs": 4000,
		"minActivityGapMs": 500, "warmupMs": 1000, "maxRecoveryRetries": 3, "streamingFailureErrorNames": ["X"],
		"streamingFailureMessagePatterns": ["y.*"], "silentDeadStreamMinTokens": 100, "resumeOnActionIntent": false,
		"continuePrompt": "go", "actionIntentPrompt": "a", "toolTextRecoveryPrompt": "b", "thinkingToolRecoveryPrompt": "c",
		"doneWithoutWorkPrompt": "d", "doneWithoutDetailsPrompt": "e"}`), autoresume.Product())
	require.NoError(t, err)
	o := im.Options
	assert.Equal(t, 60*sec, o.Stall.Timeout)
	assert.Equal(t, 5*sec, o.Stall.Grace)
	assert.Equal(t, 10*sec, o.Timing.Tick)
	assert.Equal(t, 4, o.Caps.Retries)
	assert.Equal(t, 2*sec, o.Timing.BackoffBase)
	assert.Equal(t, 16*sec, o.Timing.BackoffCap)
	assert.Equal(t, 20*sec, o.Child.Wait)
	assert.Equal(t, 5, o.Caps.LoopMax)
	assert.Equal(t, 300*sec, o.Caps.Window)
	assert.Equal(t, autoresume.StallAbort, o.Stall.Strategy)
	assert.Equal(t, 4*sec, o.Idle.Delay)
	assert.Equal(t, 500*ms, o.Idle.Gap)
	assert.Equal(t, sec, o.Idle.Warmup)
	assert.Equal(t, 3, o.Stream.Retries)
	assert.Equal(t, []string{"X"}, o.Stream.Names)
	assert.Equal(t, []string{"y.*"}, o.Stream.Patterns)
	assert.Equal(t, int64(100), o.Stream.MinTokens)
	assert.False(t, o.Idle.Intent)
	assert.Equal(t, autoresume.NotifyOnly, o.Preset, "what is not named stays")
	assert.Len(t, im.Wording, 6)
	assert.Equal(t, "go", im.Wording[autoresume.Continue])
}

func TestAConfigurationThatCannotBeRead(t *testing.T) {
	for name, row := range map[string]struct {
		raw  string
		says []string
	}{
		"no JSON":             {`{`, []string{"no JSON object"}},
		"a list":              {`[]`, []string{"no JSON object"}},
		"null":                {`null`, []string{"no JSON object"}},
		"unknown names":       {`{"speed":1,"maxRetries":2,"colour":2}`, []string{"colour: the name is not known", "speed: the name is not known"}},
		"too large":           {`{"maxRetries":1000}`, []string{"maxRetries: 1000 is not between 0 and 99"}},
		"too small":           {`{"windowBudget":0}`, []string{"windowBudget: 0 is not between 1"}},
		"negative":            {`{"chunkTimeoutMs":-1}`, []string{"chunkTimeoutMs"}},
		"a fraction":          {`{"maxRetries":1.5}`, []string{"whole number"}},
		"huge":                {`{"maxRetries":1e300}`, []string{"whole number"}},
		"a text":              {`{"maxRetries":"3"}`, []string{"it is not a whole number"}},
		"null value":          {`{"maxRetries":null}`, []string{"it is not a whole number"}},
		"no switch":           {`{"todoNudges":"yes"}`, []string{"true or false"}},
		"an empty prompt":     {`{"continuePrompt":" "}`, []string{"empty"}},
		"an endless prompt":   {`{"continuePrompt":"` + strings.Repeat("x", 5000) + `"}`, []string{"longer than 4000 bytes"}},
		"unknown strategy":    {`{"busyStallStrategy":"shout"}`, []string{"none of continue, abort, off"}},
		"unknown match":       {`{"toolLoopMatch":"x"}`, []string{"neither signature nor name"}},
		"not a number at all": {`{"contextSaturationThreshold":7}`, []string{"contextSaturationThreshold"}},
	} {
		im, err := autoresume.Import([]byte(row.raw), autoresume.Defaults())
		require.Error(t, err, name)
		assert.Zero(t, im.Options.Stall, "%s: nothing is taken over", name)
		for _, s := range row.says {
			assert.Contains(t, err.Error(), s, name)
		}
	}
}

func TestEveryKindHasItsWording(t *testing.T) {
	words := autoresume.Wording()
	for _, k := range autoresume.Kinds() {
		assert.NotEmpty(t, words[k], k)
		assert.Less(t, len(words[k]), 300, k)
	}
	assert.Len(t, words, len(autoresume.Kinds()))
}

// FuzzImport reads any configuration: what is taken over is within bounds.
func FuzzImport(f *testing.F) {
	f.Add([]byte(`{"maxRetries":3,"busyStallStrategy":"abort","continuePrompt":"go"}`))
	f.Add([]byte(`{"chunkTimeoutMs":1e9,"x":[]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		im, err := autoresume.Import(raw, autoresume.Defaults())
		if err == nil {
			require.NoError(t, im.Options.Validate())
		}
	})
}

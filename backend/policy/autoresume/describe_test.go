package autoresume_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/policy/autoresume"
)

// What is described can be imported again, under the same names.
func TestWhatIsDescribedIsWhatCanBeImported(t *testing.T) {
	o := autoresume.Product()
	fields := map[string]json.RawMessage{}
	for _, n := range o.Numbers() {
		assert.NotEmpty(t, n.Reason, n.Name)
		assert.LessOrEqual(t, n.Min, n.Value, n.Name)
		assert.LessOrEqual(t, n.Value, n.Max, n.Name)
		fields[n.Name] = json.RawMessage(fmt.Sprint(n.Value))
	}
	for name, on := range o.Switches() {
		fields[name] = json.RawMessage(fmt.Sprint(on))
	}
	for name := range autoresume.PromptNames() {
		fields[name] = json.RawMessage(`"words"`)
	}
	raw, err := json.Marshal(fields)
	require.NoError(t, err)
	got, err := autoresume.Import(raw, autoresume.Product())
	require.NoError(t, err)
	assert.Equal(t, o, got.Options)
}

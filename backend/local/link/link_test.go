package link_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/local/link"
)

func TestTask(t *testing.T) {
	tests := []struct {
		name, raw string
		want      agent.TaskID // "" for refused
	}{
		{"a task", "turnwatch://task/01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAV"},
		{"with the slash that browsers add", "turnwatch://task/a-b_1/", "a-b_1"},
		{"nothing", "", ""},
		{"another scheme", "https://task/a", ""},
		{"another thing", "turnwatch://run/a", ""},
		{"no id", "turnwatch://task/", ""},
		{"a path", "turnwatch://task/a/b", ""},
		{"a way up", "turnwatch://task/../x", ""},
		{"a query", "turnwatch://task/a?x=1", ""},
		{"a second line", "turnwatch://task/a\n", ""},
		{"escaped", "turnwatch://task/%41", ""},
		{"a flag", "--data=/x", ""},
		{"too long", "turnwatch://task/" + strings.Repeat("a", 65), ""},
		{"blank before", " turnwatch://task/a", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := link.Task(tt.raw)
			assert.Equal(t, tt.want, got)
			if tt.want == "" {
				require.ErrorIs(t, err, link.ErrNone)
			}
		})
	}
}

func FuzzTask(f *testing.F) {
	f.Add("turnwatch://task/a")
	f.Fuzz(func(t *testing.T, raw string) {
		if id, err := link.Task(raw); err == nil {
			require.Equal(t, strings.TrimSuffix(raw, "/"), link.To(id))
		}
	})
}

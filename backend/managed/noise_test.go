//go:build unix

package managed_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/managed"
)

// A program that prints a page and stays is no agent; nobody waits out the bound
// for it. One that prints a banner first is.
func TestAProgramThatPrintsSomethingElse(t *testing.T) {
	for _, tc := range []struct {
		script string
		opens  bool
	}{
		{"page", false},
		{"longpage", false},
		{"jsonlog", false},
		{"banner", true},
		{"longbanner", true},
	} {
		t.Run(tc.script, func(t *testing.T) {
			r := newRig(t)
			r.opts.Start = time.Hour // the test's own bound ends it before
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			c, err := r.connector(tc.script).Open(ctx, agent.OpenRequest{Dir: r.dir}, r.sink)
			require.NoError(t, ctx.Err(), "it was waited for")
			if tc.opens {
				require.NoError(t, err)
				require.NoError(t, c.Close(t.Context()))
				return
			}
			var f *agent.Failure
			require.ErrorAs(t, err, &f)
			assert.Equal(t, failure.AgentStartFailed, f.Code)
			assert.Equal(t, managed.HintNotACP, f.Hint)
			assert.NotContains(t, fmt.Sprintf("%+v %v", *f, err)+r.log.String(), "CANARY")
			r.noneLeft()
		})
	}
}

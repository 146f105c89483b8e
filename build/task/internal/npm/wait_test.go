package npm_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/build/task/internal/npm"
)

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		require.NoError(t, npm.Wait(t.Context(), time.Minute))
		assert.Equal(t, time.Minute, time.Since(begin))

		late := errors.New("the time is over")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, late)
		defer cancel()
		require.ErrorIs(t, npm.Wait(ctx, time.Minute), late)
		assert.Equal(t, time.Minute+time.Second, time.Since(begin))
	})
}

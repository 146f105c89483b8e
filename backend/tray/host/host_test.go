package host_test

import (
	"context"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/assert"

	"turnwatch/backend/local/bus/bustest"
	"turnwatch/backend/tray/host"
)

func watch(t *testing.T, c *dbus.Conn) <-chan bool {
	t.Helper()
	news := make(chan bool)
	ctx, stop := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() {
		host.Watch(ctx, c, func(on bool) {
			select {
			case news <- on:
			case <-ctx.Done():
			}
		})
	})
	t.Cleanup(func() {
		stop()
		done.Wait()
	})
	return news
}

func TestAHostThatComesAndGoes(t *testing.T) {
	address, stop := bustest.Start(t)
	c := bustest.Dial(t, address)
	news := watch(t, c)
	assert.False(t, <-news, "no watcher")
	p := bustest.NewPanel(t, address, false)
	assert.False(t, host.Answers(t.Context(), c), "a watcher that has no host shows nothing")
	p.SetHost(true)
	assert.True(t, <-news)
	assert.True(t, host.Answers(t.Context(), c))
	p.SetHost(false)
	assert.False(t, <-news)
	p.SetHost(true)
	assert.True(t, <-news)
	p.Leave()
	assert.False(t, <-news, "the panel crashed")
	bustest.NewPanel(t, address, true)
	assert.True(t, <-news, "and came again")
	stop()
	assert.False(t, <-news, "the bus has gone")
	assert.False(t, host.Answers(t.Context(), c))
}

func TestNoBusIsNo(t *testing.T) {
	assert.False(t, <-watch(t, nil))
	assert.False(t, host.Answers(t.Context(), nil))
}

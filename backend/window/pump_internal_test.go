package window

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// feed is where the batches of a pump come from, at virtual time.
type feed struct {
	ready chan struct{}

	mu        sync.Mutex
	news      int // changes that wait
	n         uint64
	collected int
	got       []uint64
}

func (f *feed) change() {
	f.mu.Lock()
	f.news++
	f.mu.Unlock()
	select {
	case f.ready <- struct{}{}:
	default:
	}
}

func (f *feed) cut() *Batch {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.news == 0 {
		return nil
	}
	f.news = 0
	f.n++
	return &Batch{N: f.n}
}

func (f *feed) collect() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.collected++
}

// start runs a pump over the feed.
func (f *feed) start(ctx context.Context, emit func(Batch)) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		pump{ready: f.ready, cut: f.cut, collect: f.collect, emit: emit}.run(ctx, nil)
	}()
	return done
}

func TestAtMostThirtyBatchesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{ready: make(chan struct{}, 1)}
		ctx, stop := context.WithCancel(t.Context())
		var at []time.Time
		done := f.start(ctx, func(Batch) { at = append(at, time.Now()) })
		begin := time.Now()
		for time.Since(begin) < 2*time.Second { // a thousand changes a second
			f.change()
			<-time.After(time.Millisecond)
			synctest.Wait()
		}
		stop()
		<-done
		assert.InDelta(t, 60, len(at), 2)
		for i := 1; i < len(at); i++ {
			assert.GreaterOrEqual(t, at[i].Sub(at[i-1]), beat)
		}
	})
}

func TestNothingIsEmittedWhenNothingChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{ready: make(chan struct{}, 1)}
		ctx, stop := context.WithCancel(t.Context())
		var at []time.Duration
		begin := time.Now()
		done := f.start(ctx, func(Batch) { at = append(at, time.Since(begin)) })
		<-time.After(time.Hour)
		synctest.Wait()
		assert.Empty(t, at)
		f.change()
		synctest.Wait()
		assert.Equal(t, []time.Duration{time.Hour}, at, "the first change after a rest waits for nothing")
		stop()
		<-done
	})
}

func TestWhatComesWhileThePageIsSlowIsOneBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{ready: make(chan struct{}, 1)}
		ctx, stop := context.WithCancel(t.Context())
		done := f.start(ctx, func(b Batch) {
			f.mu.Lock()
			f.got = append(f.got, b.N)
			f.mu.Unlock()
			<-time.After(10 * time.Second)
		})
		for range 100 {
			f.change()
			<-time.After(50 * time.Millisecond)
			synctest.Wait()
		}
		got, collected := f.seen()
		assert.Equal(t, []uint64{1}, got)
		assert.Greater(t, collected, 50, "the core does not have to keep it meanwhile")
		<-time.After(10 * time.Second)
		synctest.Wait()
		got, _ = f.seen()
		assert.Equal(t, []uint64{1, 2}, got)
		stop()
		<-done
	})
}

// seen is what was emitted, and how often the pump only collected.
func (f *feed) seen() ([]uint64, int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.got), f.collected
}

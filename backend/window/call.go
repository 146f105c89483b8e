package window

import (
	"context"
	"time"
)

// How long a call may take: one that reads or writes, and one that may have to
// wait for an agent to go.
const (
	usually = 20 * time.Second
	slowly  = 90 * time.Second
)

// call is one call of the page, with the data opened.
type call struct {
	*room
	ctx context.Context
}

// answer runs one call and puts its error into words of the page.
func answer[T any](r *room, bound time.Duration, f func(call) (T, error)) (T, error) {
	ctx, stop := context.WithTimeout(r.ctx, bound)
	defer stop()
	v, err := func() (T, error) {
		if _, err := r.wait(ctx); err != nil {
			var zero T
			return zero, err
		}
		return f(call{r, ctx})
	}()
	if err != nil {
		var zero T
		return zero, failed(r.o.Log, err)
	}
	return v, nil
}

// do is answer for a call that gives nothing back.
func do(r *room, bound time.Duration, f func(call) error) error {
	_, err := answer(r, bound, func(c call) (struct{}, error) { return struct{}{}, f(c) })
	return err
}

package awake

import (
	"context"
	"errors"
	"sync"
)

// ErrNobody says that nothing on this system keeps it awake.
var ErrNobody = errors.New("nothing here keeps the computer awake")

// Keeper asks for the computer to stay awake, while it is wanted. Safe from any
// goroutine.
type Keeper struct {
	ask func(ctx context.Context, why string) (release func(), err error)

	mu      sync.Mutex
	release func() // nil while nothing is held
}

// Want asks for the computer to stay awake, or gives that back; doing either twice
// is doing it once. why is shown to the user by the desktop.
func (k *Keeper) Want(ctx context.Context, on bool, why string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case on == (k.release != nil):
		return nil
	case !on:
		k.release()
		k.release = nil
		return nil
	}
	release, err := k.ask(ctx, why)
	if err != nil {
		return err
	}
	k.release = release
	return nil
}

//go:build (desktop && production) || bindings

package main

import (
	"context"

	"turnwatch/backend/local/bus"
	"turnwatch/backend/notify"
	"turnwatch/backend/window/beside"
)

// notes speaks to the desktop's notification server.
func (s *screen) notes(ctx context.Context, gone func(id string)) (beside.Notes, error) {
	conn, err := bus.Connect(ctx)
	if err != nil {
		return nil, err
	}
	b, err := notify.OnBus(ctx, conn, "Turnwatch", func(id string) { go s.opened(id) }, gone)
	if err != nil {
		return nil, err
	}
	s.desktop.end = append(s.desktop.end, func() { b.Close(context.Background()) })
	return b, nil
}

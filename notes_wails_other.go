//go:build ((desktop && production) || bindings) && !linux

package main

import (
	"context"
	"fmt"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"turnwatch/backend/notify"
	"turnwatch/backend/view"
	"turnwatch/backend/window/beside"
)

const category = "turnwatch"

// notes shows notifications by Wails.
func (s *screen) notes(ctx context.Context, _ func(id string)) (beside.Notes, error) {
	if !runtime.IsNotificationAvailable(ctx) {
		return nil, fmt.Errorf("show notifications: this system has none")
	}
	if err := runtime.InitializeNotifications(ctx); err != nil {
		return nil, fmt.Errorf("show notifications: %w", err)
	}
	if ok, err := runtime.RequestNotificationAuthorization(ctx); err != nil || !ok {
		return nil, fmt.Errorf("show notifications: not allowed: %w", err)
	}
	err := runtime.RegisterNotificationCategory(ctx, runtime.NotificationCategory{
		ID: category, Actions: []runtime.NotificationAction{{ID: "open", Title: s.say(view.Phrase{Key: "notify.open"})}},
	})
	if err != nil {
		s.app.log.Warn("notifications have no button", "err", err)
	}
	runtime.OnNotificationResponse(ctx, func(r runtime.NotificationResult) {
		if r.Error == nil {
			s.opened(r.Response.ID)
		}
	})
	s.desktop.end = append(s.desktop.end, func() { runtime.CleanupNotifications(ctx) })
	return wailsNotes{ctx}, nil
}

type wailsNotes struct{ ctx context.Context }

// Show shows a note, in the place of the one with the same ID.
func (w wailsNotes) Show(_ context.Context, n notify.Note) error {
	_ = runtime.RemoveNotification(w.ctx, n.ID)
	return runtime.SendNotificationWithActions(w.ctx, runtime.NotificationOptions{ID: n.ID, Title: n.Title, Body: n.Body, CategoryID: category})
}

// Withdraw takes a note off the screen.
func (w wailsNotes) Withdraw(_ context.Context, id string) error {
	return runtime.RemoveNotification(w.ctx, id)
}

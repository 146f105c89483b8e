package opencode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"

	"turnwatch/backend/agent"
)

// Statuses asks what the sessions of a folder are doing. Sessions that do nothing
// are not in the answer. It blocks for ten seconds at most.
func (c *Client) Statuses(ctx context.Context, dir string) (map[agent.ProviderSession]Status, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	timer := c.clock.AfterFunc(statusBound, func() { stop(errSilent) })
	defer timer()
	query := url.Values{}
	if dir != "" {
		query.Set("directory", dir)
	}
	body, err := c.get(ctx, "/session/status", query, "application/json")
	if err != nil {
		return nil, err
	}
	defer body.Close()
	raw, err := io.ReadAll(io.LimitReader(body, largestBody+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read status: %w", err)
	case len(raw) > largestBody:
		return nil, errors.New("read status: answer too large")
	}
	var wire map[string]wireStatus
	if err := lenient(raw, &wire); err != nil {
		return nil, errors.New("read status: answer is not what it should be") // the error would quote it
	}
	all := make(map[agent.ProviderSession]Status, len(wire))
	for id, w := range wire {
		if s, ok := w.status(); ok && named(id) {
			all[agent.ProviderSession(id)] = s
		}
	}
	return all, nil
}

package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"turnwatch/backend/acp"
)

// turn is one prompt being answered. Its script runs in one goroutine, which
// owns everything in it but ctx.
type turn struct {
	p     *program
	s     *session
	ctx   context.Context // ends by a cancel or with the program
	stop  context.CancelFunc
	deaf  bool // does not listen to a cancel
	asked string

	message string          // id of the message in hand
	said    strings.Builder // all text of the turn
	open    map[string]bool // tool calls that are not done
	paused  bool            // waits for a retry, as OpenCode does
	stops   string          // why the turn ends; "" is end_turn
}

// failure is an error answer to the prompt.
type failure struct {
	code    int
	message string
	data    map[string]any
}

func (f *failure) Error() string { return f.message }

// prompt answers session/prompt. The script runs in a goroutine of its own.
func (p *program) prompt(r *acp.Request, s *session, blocks []content) {
	asked := promptText(blocks)
	name, asked, err := s.pickScenario(asked)
	if err != nil {
		_ = r.Fail(acp.CodeInvalidParams, err.Error(), nil)
		return
	}
	if name == "auth" && !p.isLoggedIn() {
		p.loginNeeded(r)
		return
	}
	ctx, stop := context.WithCancel(p.ctx)
	t := &turn{p: p, s: s, ctx: ctx, stop: stop, deaf: name == "ignores-cancel", asked: asked, message: newID("msg"), open: map[string]bool{}}
	if s.begin(t) != nil {
		stop()
		_ = r.Fail(acp.CodeInvalidRequest, "The session is busy with another prompt; cancel it or wait for its answer", nil)
		return
	}
	p.spawn(func() {
		defer stop()
		p.events.status(s.id, map[string]any{"type": "busy"})
		err := script(name)(t)
		p.events.status(s.id, nil)
		t.end(r, err)
	})
}

// pickScenario finds out what a prompt plays: a slash command plays its
// scenario once, anything else the session's own.
func (s *session) pickScenario(asked string) (name, rest string, err error) {
	s.mu.Lock()
	name = s.scenario
	if s.again != "" {
		name = s.again
	}
	s.mu.Unlock()
	if !strings.HasPrefix(asked, "/") {
		return name, asked, nil
	}
	word, rest, _ := strings.Cut(asked, " ")
	sc, ok := Find(word)
	if !ok || word == "/" {
		return "", "", fmt.Errorf("there is no command %.40q; the commands are %s", word, names())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.again, s.always = "", false
	return sc.Name, strings.TrimSpace(rest), nil
}

func promptText(blocks []content) string {
	for _, b := range blocks {
		if b.Type == "text" && strings.TrimSpace(b.Text) != "" {
			return strings.TrimSpace(b.Text)
		}
	}
	return ""
}

// end answers the prompt as the script ended: by an error, by a cancel, or well.
func (t *turn) end(r *acp.Request, err error) {
	var f *failure
	cancelled := t.ctx.Err() != nil
	spent := tokens{InputTokens: 900 + len(t.asked)/4, OutputTokens: t.said.Len() / 4}
	if t.paused {
		spent = tokens{}
	}
	spent.TotalTokens = spent.InputTokens + spent.OutputTokens
	if cancelled {
		t.closeTools()
	}
	used, first := t.s.finish(t.asked, t.said.String(), spent.TotalTokens)
	switch {
	case errors.Is(err, ErrCrashed):
		t.p.crash(ErrCrashed)
		return
	case t.p.ctx.Err() != nil:
		return // nobody is there any more
	}
	if first && t.asked != "" && err == nil {
		t.late(infoUpdate{SessionUpdate: "session_info_update", Title: title(t.asked)})
	}
	t.late(usageUpdate{SessionUpdate: "usage_update", Used: used, Size: 200_000, Cost: cost{Amount: float64(used) * 3e-6, Currency: "USD"}})
	answer := promptAnswer{StopReason: "end_turn", Usage: spent}
	if t.stops != "" {
		answer.StopReason = t.stops
	}
	switch {
	case cancelled && !t.paused:
		answer.StopReason = "cancelled"
	case cancelled: // OpenCode answers so when it is cancelled between two tries
	case errors.As(err, &f):
		_ = r.Fail(f.code, f.message, f.data)
		return
	case err != nil:
		_ = r.Fail(acp.CodeInternal, "Internal error", nil)
		return
	}
	_ = r.Respond(answer)
}

// title is the first line of what was asked, in short.
func title(asked string) string {
	line, _, _ := strings.Cut(asked, "\n")
	if r := []rune(line); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return line
}

// closeTools reports the tools that a cancel caught as failed.
func (t *turn) closeTools() {
	for id := range t.open {
		t.late(toolUpdate{SessionUpdate: "tool_call_update", toolFields: toolFields{ToolCallID: id, Status: "failed", Tool: shown("Cancelled.")}})
	}
}

// late sends an update after the turn's context may have ended.
func (t *turn) late(u any) { _ = t.p.update(t.p.ctx, t.s.id, u) }

// send sends an update of the turn.
func (t *turn) send(u any) error { return t.p.update(t.ctx, t.s.id, u) }

// wait passes a while of the script's time, scaled by the pace.
func (t *turn) wait(d time.Duration) error {
	return t.hold(t.paced(d))
}

// paced is a while of the script's time.
func (t *turn) paced(d time.Duration) time.Duration {
	return time.Duration(float64(d) * max(t.p.o.Pace, 0))
}

// hold passes a while whatever the pace: the wait is what the scenario shows.
func (t *turn) hold(d time.Duration) error {
	if d <= 0 {
		return t.ctx.Err()
	}
	woken := make(chan struct{})
	defer t.p.o.Clock.AfterFunc(d, func() { close(woken) })()
	select {
	case <-woken:
		return t.ctx.Err()
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
}

// forever holds until the turn is cancelled or the program ends.
func (t *turn) forever() error {
	<-t.ctx.Done()
	return t.ctx.Err()
}

// newID makes an id that no other has.
func newID(kind string) string { return kind + "_" + strings.ToLower(rand.Text()[:12]) }

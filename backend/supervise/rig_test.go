package supervise_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/supervise"
	"turnwatch/backend/turn"
)

// memory is a history that keeps everything in order. While stuck it answers
// nothing; refuse makes it refuse what may be refused.
type memory struct {
	mu      sync.Mutex
	entries []agent.Entry
	stuck   bool
	refuse  error
	owed    []func()
}

func (m *memory) Record(entries []agent.Entry, must bool, done func(error)) {
	m.mu.Lock()
	var err error
	if !must {
		err = m.refuse
	}
	if err == nil {
		m.entries = append(m.entries, entries...)
	}
	if m.stuck {
		m.owed = append(m.owed, func() { done(err) })
		m.mu.Unlock()
		return
	}
	m.mu.Unlock()
	done(err)
}

func (m *memory) stick(on bool) {
	m.mu.Lock()
	m.stuck = on
	owed := m.owed
	if !on {
		m.owed = nil
	}
	m.mu.Unlock()
	if !on {
		for _, f := range owed {
			f()
		}
	}
}

func (m *memory) len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.entries)
}

func recorded[F agent.Fact](m *memory) []F {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []F
	for _, e := range m.entries {
		if f, ok := e.Fact.(F); ok {
			out = append(out, f)
		}
	}
	return out
}

// peer is a connector and its connection. The functions say what the agent does;
// nil ones do nothing.
type peer struct {
	open   func(ctx context.Context, req agent.OpenRequest) error
	prompt func(ctx context.Context, g agent.Generation) error
	cancel func(ctx context.Context) error
	decide func(id agent.AskID, d agent.Decision)
	closes func(ctx context.Context) error

	mu    sync.Mutex
	sinks []agent.Sink
	log   []string
}

func (p *peer) Open(ctx context.Context, req agent.OpenRequest, sink agent.Sink) (agent.Conn, error) {
	p.note("open")
	if p.open != nil {
		if err := p.open(ctx, req); err != nil {
			return nil, err
		}
	}
	p.mu.Lock()
	p.sinks = append(p.sinks, sink)
	p.mu.Unlock()
	return p, nil
}

func (p *peer) Info() agent.SessionInfo { return agent.SessionInfo{ID: "ses_1", Resumes: true} }

func (p *peer) Prompt(ctx context.Context, g agent.Generation, _ agent.Prompt) error {
	p.note("prompt")
	if p.prompt != nil {
		return p.prompt(ctx, g)
	}
	return nil
}

func (p *peer) Cancel(ctx context.Context) error {
	p.note("cancel")
	if p.cancel != nil {
		return p.cancel(ctx)
	}
	return nil
}

func (p *peer) Decide(_ context.Context, id agent.AskID, d agent.Decision) error {
	p.note("decide")
	if p.decide != nil {
		p.decide(id, d)
	}
	return nil
}

func (p *peer) Choose(context.Context, string, string) ([]agent.Option, error) {
	p.note("choose")
	return []agent.Option{{ID: "model", Current: "big"}}, nil
}

func (p *peer) Close(ctx context.Context) error {
	p.note("close")
	if p.closes != nil {
		return p.closes(ctx)
	}
	return nil
}

func (p *peer) note(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log = append(p.log, s)
}

func (p *peer) calls() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.log)
}

// sink is where the n-th process of the agent puts what it says.
func (p *peer) sink(n int) agent.Sink {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sinks[n]
}

func (p *peer) say(text string) {
	k := p.sink(0)
	k.Deliver(agent.Updated{Stamp: k.Stamp(), Update: agent.Update{Kind: agent.MessageChunk, MessageID: "m", Block: agent.TextBlock(text)}})
}

func (p *peer) answer(g agent.Generation, s agent.StopReason) {
	p.sink(0).Deliver(agent.Answered{Generation: g, Stop: s})
}

func start(p *peer, m *memory) *supervise.Session {
	return supervise.Start(supervise.Options{
		Task: "task", Session: "ses", Dir: "/", Connector: p, Recorder: m,
		Clock: agent.SystemClock{}, State: turn.New(),
	})
}

func submit(t testing.TB, s *supervise.Session, id string) {
	t.Helper()
	require.NoError(t, s.Do(t.Context(), agent.Submit{Prompt: agent.Prompt{
		ID: agent.PromptID(id), Blocks: []agent.Block{agent.TextBlock("do it")},
	}}))
}

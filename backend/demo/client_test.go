package demo_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
	"turnwatch/backend/demo"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a client in memory with the demo agent on the other side. Its clock is
// the system's, which is virtual inside a synctest bubble.
type rig struct {
	t      *testing.T
	client acp.Client
	in     *io.PipeWriter // the agent's stdin
	stderr *buffer
	done   chan error // what Run returned
	id     agent.ProviderSession
	answer func(*rig, *acp.Request) // of a permission request

	mu      sync.Mutex
	updates []acp.Update
	raw     []string
	asked   int
	news    chan struct{}
}

// buffer is a stderr that may be read while it is written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// launch runs an agent until the test ends it.
func launch(t *testing.T, o demo.Options) *rig {
	t.Helper()
	agentIn, clientOut := io.Pipe()
	clientIn, agentOut := io.Pipe()
	r := &rig{t: t, in: clientOut, stderr: &buffer{}, done: make(chan error, 1), news: make(chan struct{})}
	r.answer = func(r *rig, q *acp.Request) { choose(q, "once") }
	go func() { r.done <- demo.Run(context.Background(), agentIn, agentOut, r.stderr, o) }()
	r.client = acp.Client{Conn: acp.New(clientIn, clientOut, r, acp.Options{})}
	return r
}

// open makes a session ready, as every test but a few wants it.
func open(t *testing.T, o demo.Options) *rig {
	t.Helper()
	r := launch(t, o)
	r.call("initialize", map[string]any{"protocolVersion": 1})
	var s struct {
		SessionID agent.ProviderSession `json:"sessionId"`
	}
	require.NoError(t, json.Unmarshal(r.call("session/new", map[string]any{"cwd": "/", "mcpServers": []any{}}), &s))
	r.id = s.SessionID
	return r
}

// close ends the agent by EOF and checks that it went in peace.
func (r *rig) close() {
	r.t.Helper()
	require.NoError(r.t, r.client.Close())
	require.NoError(r.t, <-r.done)
	<-r.client.Done()
}

func (r *rig) call(method string, params any) jsontext.Value {
	r.t.Helper()
	v, err := r.try(method, params)
	require.NoError(r.t, err)
	return v
}

func (r *rig) try(method string, params any) (jsontext.Value, error) {
	var v jsontext.Value
	err := r.client.Call(context.Background(), method, params, &v)
	return v, err
}

// prompt sends a prompt and does not wait for it.
func (r *rig) prompt(words string) *acp.Pending {
	return r.client.Prompt(context.Background(), r.id, []agent.Block{agent.TextBlock(words)})
}

// stop waits for the answer to a prompt.
func (r *rig) stop(p *acp.Pending) (agent.StopReason, error) {
	v, err := p.Wait(context.Background())
	if err != nil {
		return "", err
	}
	a, err := acp.ParsePrompt(v)
	require.NoError(r.t, err)
	return a.Stop, nil
}

func (r *rig) cancel() {
	r.t.Helper()
	require.NoError(r.t, r.client.Cancel(context.Background(), r.id))
}

// Update keeps what the agent sends.
func (r *rig) Update(u acp.Update) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.raw = append(r.raw, string(u.Raw))
	u.Raw, u.Params = nil, nil
	r.updates = append(r.updates, u)
	close(r.news)
	r.news = make(chan struct{})
}

func (r *rig) Notification(string, jsontext.Value, agent.Stamp) {}

func (r *rig) Request(q *acp.Request) {
	if q.Method != "session/request_permission" {
		_ = q.Refuse()
		return
	}
	r.mu.Lock()
	r.asked++
	close(r.news)
	r.news = make(chan struct{})
	r.mu.Unlock()
	r.answer(r, q)
}

func choose(q *acp.Request, option string) {
	_ = q.Respond(acp.AskAnswer(agent.Decision{Option: option}))
}

// until waits until what has come satisfies ok. The lock is held in ok.
func (r *rig) until(ok func() bool) {
	for {
		r.mu.Lock()
		yes, news := ok(), r.news
		r.mu.Unlock()
		if yes {
			return
		}
		<-news
	}
}

// kinds are the kinds of the genuine updates and permission requests, each run
// of the same kind as one.
func (r *rig) kinds() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []string
	for _, u := range r.updates {
		if u.Kind.Genuine() && (len(all) == 0 || all[len(all)-1] != string(u.Kind)) {
			all = append(all, string(u.Kind))
		}
	}
	return strings.Join(all, " ")
}

func (r *rig) said() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for _, u := range r.updates {
		if u.Kind == agent.MessageChunk {
			b.WriteString(u.Text)
		}
	}
	return b.String()
}

func (r *rig) frames() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.raw, "\n")
}

// readingPace plays everything as slowly as a person would see it.
const readingPace = 1

// patience is longer than anything that ends by itself.
const patience = 30 * time.Hour

// pass lets time pass, which costs none inside a synctest bubble.
func pass(d time.Duration) { <-time.After(d) }

package window_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/settings"
	"turnwatch/backend/window"
	"turnwatch/locales"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// turn is what the agent of a test has in hand.
type turn struct {
	sink   agent.Sink
	gen    agent.Generation
	prompt agent.Prompt
}

func (t turn) update(u agent.Update) {
	t.sink.Deliver(agent.Updated{Stamp: t.sink.Stamp(), Update: u})
}

// say adds to a message of the turn. Agents name each message once in a session: a
// name of an earlier turn would be a late word of that one, and no output of this.
func (t turn) say(id, text string) {
	t.update(agent.Update{Kind: agent.MessageChunk, MessageID: fmt.Sprint(t.gen, "/", id), Block: agent.TextBlock(text)})
}

func (t turn) end() { t.sink.Deliver(agent.Answered{Generation: t.gen, Stop: agent.EndTurn}) }

func (t turn) fail(f agent.Failure) {
	t.sink.Deliver(agent.Answered{Generation: t.gen, Failure: &f})
}

func (t turn) text() string { return t.prompt.Blocks[0].Text }

// player is an agent in memory: it plays a script for each prompt.
type player struct {
	info   agent.SessionInfo
	script func(turn)
	refuse *agent.Failure // of Open

	mu      sync.Mutex
	decided []agent.Decision
}

// playing is one session with the player.
type playing struct {
	*player
	sink agent.Sink
	work *sync.WaitGroup
}

func (p *player) Open(_ context.Context, _ agent.OpenRequest, sink agent.Sink) (agent.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refuse != nil {
		return nil, p.refuse
	}
	return playing{p, sink, &sync.WaitGroup{}}, nil
}

func (p playing) Info() agent.SessionInfo {
	i := p.info
	i.ID = "ses_test"
	return i
}

func (p playing) Prompt(_ context.Context, g agent.Generation, prompt agent.Prompt) error {
	p.work.Go(func() { p.script(turn{p.sink, g, prompt}) })
	return nil
}

func (p playing) Decide(_ context.Context, _ agent.AskID, d agent.Decision) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.decided = append(p.decided, d)
	return nil
}

func (p playing) Cancel(context.Context) error { return nil }

func (p playing) Close(context.Context) error {
	p.work.Wait()
	return nil
}

func (p playing) Choose(context.Context, string, string) ([]agent.Option, error) { return nil, nil }

// rig is a window over a real core with an agent in memory.
type rig struct {
	*window.Window
	t       testing.TB
	dir     string // the data
	work    string // a trusted folder
	core    *core.Core
	dialogs *dialogs
	links   []string
	// what terminals were opened with, or why none can be
	terminals  []opened
	noTerminal error
	page       *page
}

// opened is a terminal that was opened.
type opened struct {
	command []string
	dir     string
}

// dialogs answers what the user would.
type dialogs struct {
	mu        sync.Mutex
	folder    string
	yes       bool
	questions []window.Phrase
}

func (d *dialogs) PickFolder(context.Context, string) (string, error) { return d.folder, nil }

func (d *dialogs) Confirm(_ context.Context, q window.Phrase) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.questions = append(d.questions, q)
	return d.yes, nil
}

// raise opens a window. stop closes it; it is called at the end in any case.
func raise(t *testing.T, dir string, p *player) (r *rig, stop func()) {
	t.Helper()
	return raiseIn(t, dir, p)
}

func raiseFor(b *testing.B, dir string, p *player) *rig {
	b.Helper()
	r, _ := raiseIn(b, dir, p)
	return r
}

func raiseIn(t testing.TB, dir string, p *player) (r *rig, stop func()) {
	t.Helper()
	work, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	r = &rig{t: t, dir: dir, work: work, dialogs: &dialogs{folder: work}}
	chosen, err := settings.Open(dir)
	require.NoError(t, err)
	require.NoError(t, chosen.Trust(work))
	r.Window = window.New(window.Options{
		Open: func(ctx context.Context) (*core.Core, error) {
			return core.Open(ctx, core.Options{
				Dir: dir, Environ: []string{"PATH=" + os.Getenv("PATH")},
				Connect: func(agent.Kind, []string) agent.Connector { return p },
				Auto:    func() settings.Auto { return chosen.Get().Auto },
			})
		},
		Settings: chosen, Words: locales.Files, Dialogs: r.dialogs, Version: "test", Dir: dir,
		Terminal: func(command []string, dir string) error {
			if r.noTerminal == nil {
				r.terminals = append(r.terminals, opened{command, dir})
			}
			return r.noTerminal
		},
		OpenLink: func(link string) error {
			r.links = append(r.links, link)
			return nil
		},
	})
	r.Start()
	r.core, err = r.Opened(t.Context())
	require.NoError(t, err)
	r.page = newPage(t, r.Window)
	var once sync.Once
	stop = func() {
		once.Do(func() {
			r.page.stop()
			require.NoError(t, r.Close(context.Background()))
		})
	}
	t.Cleanup(stop)
	return r, stop
}

// task makes a task of the demo kind and sends its first prompt.
func (r *rig) task(text string) window.Row {
	r.t.Helper()
	row, err := r.Tasks.New(window.NewTask{Dir: r.work, Agent: "demo", Draft: window.Draft{Text: text}})
	require.NoError(r.t, err)
	return row
}

// open opens a task in the page.
func (r *rig) open(task string) window.Opened {
	r.t.Helper()
	o, err := r.Tasks.Open(task, "")
	require.NoError(r.t, err)
	r.page.take(o)
	return o
}

// settled waits until the page shows a task in a state and at rest.
func (r *rig) settled(task, state string) window.Row {
	r.t.Helper()
	return r.page.until(func(p *page) (window.Row, bool) {
		row, ok := p.rows[task]
		return row, ok && row.State == state && row.Phase == "idle"
	})
}

// key is the key of a rejection; its text must be the JSON of an Error.
func key(t *testing.T, err error) string {
	t.Helper()
	require.Error(t, err)
	var e window.Error
	require.NoError(t, json.Unmarshal([]byte(err.Error()), &e), err.Error())
	var typed *window.Error
	assert.True(t, errors.As(err, &typed))
	return e.Key
}

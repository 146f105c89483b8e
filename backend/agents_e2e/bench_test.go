//go:build agents

package agents_e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/demo/provider"
)

// bench is one agent with a home, a project folder and a provider of its own.
type bench struct {
	t       *testing.T
	kind    agent.Kind
	models  *provider.Server
	env     []string
	home    string
	project string
	data    string
	c       *core.Core
	ref     core.Ref
	watch   *core.Watch
	with    func(*core.Options) // nil for the usual
	facts   []agent.Entry       // everything looked at so far
	waiting []agent.Entry       // heard, and not looked at yet
}

// needs skips the test of an agent that this run did not ask for.
func needs(t *testing.T, kind agent.Kind) string {
	t.Helper()
	cache := os.Getenv("TURNWATCH_TEST_AGENTS")
	if cache == "" {
		t.Skip("TURNWATCH_TEST_AGENTS is not set: run go run ./build/task test-agents")
	}
	chosen := strings.Split(os.Getenv("TURNWATCH_TEST_AGENT_NAMES"), ",")
	if !slices.Contains(chosen, string(kind)) {
		t.Skipf("%s was not chosen for this run", kind)
	}
	return filepath.Join(cache, string(kind), "node_modules", ".bin")
}

// full skips what belongs to the long matrix.
func full(t *testing.T) {
	t.Helper()
	if os.Getenv("TURNWATCH_TEST_FULL") == "" {
		t.Skip("part of the long matrix: test-agents --full")
	}
}

func newBench(t *testing.T, kind agent.Kind) *bench { t.Helper(); return newBenchWith(t, kind, nil) }

// newBenchWith is a bench whose core works with other options.
func newBenchWith(t *testing.T, kind agent.Kind, with func(*core.Options)) *bench {
	t.Helper()
	bin := needs(t, kind)
	models, err := provider.Start(t.Context())
	require.NoError(t, err)
	home := t.TempDir()
	b := &bench{t: t, kind: kind, models: models, home: home, project: t.TempDir(), with: with}
	require.NoError(t, exec.Command("git", "init", "-q", b.project).Run())
	b.env = append([]string{
		"HOME=" + home,
		"PATH=" + strings.Join([]string{bin, os.Getenv("TURNWATCH_TEST_NODE"), os.Getenv("PATH")}, string(os.PathListSeparator)),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "XDG_DATA_HOME=" + filepath.Join(home, "data"),
		"XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"TMPDIR=" + t.TempDir(), "LANG=C.UTF-8",
	}, setup(t, kind, models.URL(), home, b.project)...)
	b.open(t.TempDir())
	return b
}

// open opens a core on a data folder, with a task of the agent in it.
func (b *bench) open(data string) {
	var err error
	b.data = data
	o := core.Options{Dir: data, Environ: b.env}
	if b.with != nil {
		b.with(&o)
	}
	b.c, err = core.Open(b.t.Context(), o)
	require.NoError(b.t, err)
	b.t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), time.Minute)
		defer stop()
		require.NoError(b.t, b.c.Close(ctx))
		require.Empty(b.t, b.launched(), "nothing of the agent is left")
	})
	b.ref, err = b.c.NewTask(b.t.Context(), core.NewTask{Dir: b.project, Kind: b.kind})
	require.NoError(b.t, err)
	b.watch = b.c.Watch(b.ref.Session)
}

// startFresh goes on in a new session of the same task.
func (b *bench) startFresh() {
	b.t.Helper()
	fresh, err := b.c.StartFresh(b.t.Context(), b.ref.Session)
	require.NoError(b.t, err)
	b.watch.Close()
	b.ref, b.watch = fresh, b.c.Watch(fresh.Session)
}

func (b *bench) say(text string) {
	b.t.Helper()
	_, err := b.c.Submit(b.t.Context(), b.ref.Session, []agent.Block{agent.TextBlock(text)})
	require.NoError(b.t, err)
}

func (b *bench) do(ev agent.Event) {
	b.t.Helper()
	require.NoError(b.t, b.c.Do(b.t.Context(), b.ref.Session, ev))
}

// await takes facts until one is what is looked for; the bound is generous, for
// agents that take half a minute to start on a busy machine.
func await[F agent.Fact](b *bench, want func(F) bool) F {
	b.t.Helper()
	limit := time.After(2 * time.Minute)
	for {
		for len(b.waiting) > 0 {
			e := b.waiting[0]
			b.waiting, b.facts = b.waiting[1:], append(b.facts, e)
			if f, is := e.Fact.(F); is && (want == nil || want(f)) {
				return f
			}
		}
		entries, ok := b.watch.Take()
		require.True(b.t, ok)
		b.waiting = entries
		if len(entries) > 0 {
			continue
		}
		select {
		case <-b.watch.Ready():
		case <-limit:
			b.t.Fatalf("waited two minutes for %T; heard %s", *new(F), b.heard())
		}
	}
}

// allowing answers what the agent asks with its own "allow once" until the turn
// has settled or done says that enough has happened, and counts the answers.
func (b *bench) allowing(done func() bool) (asked int, end *agent.TurnSettled) {
	b.t.Helper()
	b.eventually(2*time.Minute, "the turn is over, or has come far enough", func() bool {
		more, _ := b.watch.Take()
		b.waiting = append(b.waiting, more...)
		for len(b.waiting) > 0 && end == nil {
			e := b.waiting[0]
			b.waiting, b.facts = b.waiting[1:], append(b.facts, e)
			switch f := e.Fact.(type) {
			case agent.AskOpened:
				asked++
				b.do(agent.Decide{Ask: f.Ask.ID, Decision: agent.Decision{Option: option(b.t, f.Ask, "allow_once"), By: agent.ByUser}})
			case agent.TurnSettled:
				end = &f
			}
		}
		return end != nil || done()
	})
	return asked, end
}

func (b *bench) settled() agent.TurnSettled { b.t.Helper(); return await[agent.TurnSettled](b, nil) }

// heard names the facts so far, without a word of the agent.
func (b *bench) heard() string {
	var names []string
	for _, e := range b.facts {
		name := strings.TrimPrefix(strings.TrimPrefix(typeName(e.Fact), "agent."), "*")
		if s, ok := e.Fact.(agent.TurnSettled); ok {
			name += ":" + string(s.Outcome)
			if s.Failure != nil {
				name += ":" + s.Failure.Error()
			}
		}
		if n := len(names); n == 0 || names[n-1] != name {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// text is what the agent has said in the turn of a generation.
func (b *bench) text(g agent.Generation) string {
	var out strings.Builder
	kinds := map[uint64]bool{}
	for _, e := range b.facts {
		switch f := e.Fact.(type) {
		case agent.PartSet:
			if f.Part.Generation == g && f.Part.Kind == agent.PartText {
				kinds[f.Part.Seq] = true
				out.WriteString(f.Part.Text)
			}
		case agent.PartAppended:
			if kinds[f.Seq] {
				out.WriteString(f.Text)
			}
		}
	}
	return out.String()
}

// tools are the tool calls so far, as they stand.
func (b *bench) tools() []agent.ToolCall {
	var ids []string
	last := map[string]agent.ToolCall{}
	for _, e := range b.facts {
		if f, ok := e.Fact.(agent.PartSet); ok && f.Part.Kind == agent.PartTool {
			if _, known := last[f.Part.Key]; !known {
				ids = append(ids, f.Part.Key)
			}
			last[f.Part.Key] = f.Part.Tool
		}
	}
	out := make([]agent.ToolCall, len(ids))
	for i, id := range ids {
		out[i] = last[id]
	}
	return out
}

//go:build unix

package managed_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v4/process"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/managed"
)

// rig launches fake agents.
type rig struct {
	t    testing.TB
	kind agent.Kind
	dir  string
	opts managed.Options
	log  *bytes.Buffer
	sink *sink
}

func newRig(t testing.TB) *rig {
	t.Helper()
	r := &rig{t: t, kind: "mine", dir: t.TempDir(), log: &bytes.Buffer{}, sink: newSink()}
	r.opts = managed.Options{
		// A program built with the race detector sleeps a second at its end.
		Environ: append(os.Environ(), "GORACE=atexit_sleep_ms=0"), Version: "0.0.1",
		Log: slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	return r
}

func (r *rig) connector(script string, args ...string) *managed.Connector {
	self, err := os.Executable()
	require.NoError(r.t, err)
	return managed.New(managed.Target{
		Kind: r.kind, Command: append([]string{self}, args...), Env: map[string]string{fakeVar: script},
	}, r.opts)
}

// open opens a session that is closed with the test.
func (r *rig) open(script string, args ...string) agent.Conn {
	r.t.Helper()
	c, err := r.connector(script, args...).Open(r.t.Context(), agent.OpenRequest{Session: "S", Dir: r.dir}, r.sink)
	require.NoError(r.t, err)
	r.t.Cleanup(func() { assert.NoError(r.t, c.Close(context.Background())) })
	return c
}

// turn sends a prompt under the next generation and waits for its end.
func (r *rig) turn(c agent.Conn, text string) (agent.Answered, []agent.Event) {
	r.t.Helper()
	g := r.sink.Current() + 1
	r.sink.Raise(g)
	require.NoError(r.t, c.Prompt(r.t.Context(), g, agent.Prompt{Blocks: []agent.Block{agent.TextBlock(text)}}))
	return await(r.t, r.sink, func(a agent.Answered) bool { return a.Generation == g })
}

func TestOpenFailuresSayWhatToDo(t *testing.T) {
	for _, tc := range []struct {
		script string
		kind   agent.Kind
		code   agent.Code
		hint   string
		args   map[string]string
	}{
		{"exit3", "mine", "agent_start_failed", managed.HintEndedAtOnce, map[string]string{"code": "3"}},
		{"selfkill", "mine", "agent_start_failed", managed.HintEndedAtOnce, map[string]string{"signal": "killed"}},
		{"html", "mine", "agent_start_failed", managed.HintNotACP, nil},
		{"html-exit", "mine", "agent_start_failed", managed.HintNotACP, map[string]string{"code": "1"}},
		{"mute", "mine", "agent_start_failed", managed.HintNoAnswer, map[string]string{"seconds": "1"}},
		{"badinit", "mine", "agent_start_failed", managed.HintNotACP, nil},
		{"initerr", "mine", "agent_start_failed", managed.HintRefusedStart, nil},
		{"proto", "mine", "agent_start_failed", managed.HintProtocol, map[string]string{"need": "1", "have": "7"}},
		{"oldnode", agent.Claude, "agent_start_failed", managed.HintOldNode, map[string]string{"need": "22", "have": "18.19.0"}},
		{"oldnode", "mine", "agent_start_failed", managed.HintEndedAtOnce, nil},
		{"neednode", "mine", "agent_start_failed", managed.HintOldNode, map[string]string{"need": "22.19", "have": "20.11.1"}},
		{"auth", "mine", "auth_required", failure.HintLogIn, map[string]string{"methods": "API key, Log in on the web"}},
		{"newerr", "mine", "agent_start_failed", managed.HintRefused, nil},
		{"noid", "mine", "agent_start_failed", managed.HintNoSession, nil},
		{"emptyid", "mine", "agent_start_failed", managed.HintNoSession, nil},
		{"badnew", "mine", "agent_start_failed", failure.HintBadAnswer, nil},
		{"newdie", "mine", "agent_start_failed", managed.HintEndedAtOnce, map[string]string{"code": "5"}},
	} {
		t.Run(tc.script+" of "+string(tc.kind), func(t *testing.T) {
			r := newRig(t)
			r.kind, r.opts.Start = tc.kind, 10*time.Second
			if tc.script == "mute" || tc.script == "html" {
				r.opts.Start = 1500 * time.Millisecond
			}
			c, err := r.connector(tc.script).Open(t.Context(), agent.OpenRequest{Dir: r.dir}, r.sink)
			require.Error(t, err)
			assert.Nil(t, c)
			var f *agent.Failure
			require.ErrorAs(t, err, &f)
			assert.Equal(t, tc.code, f.Code)
			assert.Equal(t, tc.hint, f.Hint)
			for k, v := range tc.args {
				assert.Equal(t, v, f.Args[k], k)
			}
			assert.NotContains(t, fmt.Sprintf("%+v %v", *f, err), "CANARY")
			assert.NotContains(t, r.log.String(), "CANARY")
			r.noneLeft()
		})
	}
}

// noneLeft sees that no process of this test's agents is alive.
func (r *rig) noneLeft() {
	r.t.Helper()
	all, err := process.Processes()
	require.NoError(r.t, err)
	for _, p := range all {
		if ppid, _ := p.Ppid(); int(ppid) != os.Getpid() {
			continue
		}
		cwd, _ := p.Cwd()
		assert.NotEqual(r.t, r.dir, cwd, "process %d is left", p.Pid)
	}
}

func TestOpenFailsForWrongCommandsAndFolders(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	require.NoError(t, os.WriteFile(plain, []byte("x"), 0o644))
	script := filepath.Join(dir, "script")
	require.NoError(t, os.WriteFile(script, []byte("#!/no/such/interpreter\n"), 0o755))
	self, err := os.Executable()
	require.NoError(t, err)
	for _, tc := range []struct {
		name   string
		target managed.Target
		dir    string
		hint   string
		args   map[string]string
	}{
		{"no such program", managed.Target{Kind: "mine", Command: []string{"no-such-program-here"}}, dir, managed.HintNotFound, map[string]string{"program": "no-such-program-here"}},
		{"no such path", managed.Target{Kind: "mine", Command: []string{"/no/such/agent"}}, dir, managed.HintNotFound, map[string]string{"program": "agent"}},
		{"not executable", managed.Target{Kind: "mine", Command: []string{plain}}, dir, managed.HintNotExecutable, map[string]string{"program": "plain"}},
		{"no interpreter", managed.Target{Kind: "mine", Command: []string{script}}, dir, managed.HintNotExecutable, nil},
		{"no node", managed.Target{Kind: agent.Claude, Command: []string{script}}, dir, managed.HintOldNode, map[string]string{"need": "22", "have": ""}},
		{"unknown agent", managed.Target{Kind: "nobody"}, dir, managed.HintUnknownAgent, map[string]string{"agent": "nobody"}},
		{"known and not installed", managed.Target{Kind: agent.Kimi}, dir, managed.HintNotFound, map[string]string{"program": "kimi", "install": "npm install -g @moonshot-ai/kimi-code"}},
		{"demo without self", managed.Target{Kind: agent.Demo}, dir, managed.HintNotFound, nil},
		{"folder missing", managed.Target{Kind: "mine", Command: []string{self}}, filepath.Join(dir, "none"), managed.HintFolderMissing, nil},
		{"folder is a file", managed.Target{Kind: "mine", Command: []string{self}}, plain, managed.HintFolderMissing, nil},
	} {
		for _, files := range []managed.Files{managed.FilesOff, managed.FilesOn} {
			t.Run(fmt.Sprint(tc.name, " ", files), func(t *testing.T) {
				o := managed.Options{Environ: []string{"PATH=/usr/bin:/bin", "HOME=" + dir}, Files: files}
				_, err := managed.New(tc.target, o).Open(t.Context(), agent.OpenRequest{Dir: tc.dir}, newSink())
				var f *agent.Failure
				require.ErrorAs(t, err, &f)
				assert.Equal(t, failure.AgentStartFailed, f.Code)
				assert.Equal(t, tc.hint, f.Hint)
				for k, v := range tc.args {
					assert.Equal(t, v, f.Args[k], k)
				}
			})
		}
	}
}

func TestAnUnreadableFolderIsToldFromAMissingOne(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read every folder; package proc shows it as another user")
	}
	dir := filepath.Join(t.TempDir(), "closed")
	require.NoError(t, os.Mkdir(dir, 0o000))
	r := newRig(t)
	_, err := r.connector("ok").Open(t.Context(), agent.OpenRequest{Dir: dir}, r.sink)
	var f *agent.Failure
	require.ErrorAs(t, err, &f)
	assert.Equal(t, managed.HintFolderClosed, f.Hint)
}

func TestOpenGivesUpWhenItsContextEnds(t *testing.T) {
	r := newRig(t)
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	_, err := r.connector("mute").Open(ctx, agent.OpenRequest{Dir: r.dir}, r.sink)
	require.Error(t, err)
	r.noneLeft()

	ctx, stop = context.WithCancel(t.Context())
	stop()
	_, err = r.connector("mute").Open(ctx, agent.OpenRequest{Dir: r.dir}, r.sink)
	require.ErrorIs(t, err, context.Canceled)
}

func TestTheLastLinesOfStderrAreForTheScreenOnly(t *testing.T) {
	r := newRig(t)
	_, err := r.connector("exit3").Open(t.Context(), agent.OpenRequest{Dir: r.dir}, r.sink)
	var o *managed.OpenError
	require.ErrorAs(t, err, &o)
	assert.Equal(t, []string{"CANARY fatal"}, o.Stderr)
	assert.NotContains(t, err.Error(), "CANARY")

	r = newRig(t)
	r.kind = agent.OpenCode
	_, err = r.connector("exit3").Open(t.Context(), agent.OpenRequest{Dir: r.dir}, r.sink)
	require.ErrorAs(t, err, &o)
	assert.Empty(t, o.Stderr, "OpenCode's is not kept")
}

func TestOpenTellsWhatTheAgentIs(t *testing.T) {
	r := newRig(t)
	info := r.open("ok").Info()
	assert.Equal(t, agent.SessionInfo{ID: "s1", Agent: "Fake Agent", Version: "9.1", Resumes: true, Images: true}, info)
}

func TestResume(t *testing.T) {
	for _, tc := range []struct {
		script string
		hint   string
		code   agent.Code
	}{
		{"ok", "", ""},
		{"loadonly", "", ""},
		{"lost", failure.HintStartFresh, "session_lost"},
		{"neither", managed.HintNoResume, "session_lost"},
	} {
		t.Run(tc.script, func(t *testing.T) {
			r := newRig(t)
			c, err := r.connector(tc.script).Open(t.Context(), agent.OpenRequest{Dir: r.dir, Resume: "s1"}, r.sink)
			if tc.code != "" {
				var f *agent.Failure
				require.ErrorAs(t, err, &f)
				assert.Equal(t, tc.code, f.Code)
				assert.Equal(t, tc.hint, f.Hint)
				r.noneLeft()
				return
			}
			require.NoError(t, err)
			defer func() { assert.NoError(t, c.Close(context.Background())) }()
			assert.True(t, c.Info().Resumed)
			assert.Equal(t, agent.ProviderSession("s1"), c.Info().ID)
			before := len(r.sink.all())
			for _, ev := range r.sink.all() {
				assert.True(t, ev.(agent.Updated).Update.Replayed, "%+v", ev)
			}
			if tc.script == "loadonly" {
				assert.Equal(t, 3, before)
			}
			_, events := r.turn(c, "go on")
			for _, ev := range events[before:] {
				assert.False(t, ev.(agent.Updated).Update.Replayed)
			}
		})
	}
}

func TestOptionsAreSetByIdOrCategory(t *testing.T) {
	const long = "b/long-model-name-of-more-than-32-characters"
	for _, tc := range []struct {
		name   string
		wanted map[string]string
		want   map[string]string
		hint   string
		args   map[string]string
	}{
		{"by category", map[string]string{"model": long}, map[string]string{"mdl": long}, "", nil},
		{"by id", map[string]string{"mdl": long}, map[string]string{"mdl": long}, "", nil},
		{"mode", map[string]string{"mode": "code"}, map[string]string{"mode": "code"}, "", nil},
		{"boolean", map[string]string{"fast": "true"}, map[string]string{"fast": "true"}, "", nil},
		{"as it is", map[string]string{"effort": "low"}, map[string]string{"effort": "low"}, "", nil},
		{"all", map[string]string{"model": long, "mode": "code"}, map[string]string{"mdl": long, "mode": "code"}, "", nil},
		{"not wanted", map[string]string{"model": ""}, map[string]string{"mdl": "a"}, "", nil},
		{"no such option", map[string]string{"colour": "red"}, nil, managed.HintNoSuchOption, map[string]string{"option": "colour", "choices": "mdl, effort, fast, mode"}},
		{"no such value", map[string]string{"model": "A"}, nil, managed.HintNoSuchChoice, map[string]string{"value": "A", "choices": "a, " + long}},
		{"refused by the agent", map[string]string{"effort": "high"}, nil, failure.HintCheckMessage, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t)
			c, err := r.connector("options").Open(t.Context(), agent.OpenRequest{Dir: r.dir, Options: tc.wanted}, r.sink)
			if tc.hint != "" {
				var f *agent.Failure
				require.ErrorAs(t, err, &f)
				assert.Equal(t, tc.hint, f.Hint)
				for k, v := range tc.args {
					assert.Equal(t, v, f.Args[k])
				}
				r.noneLeft()
				return
			}
			require.NoError(t, err)
			defer func() { assert.NoError(t, c.Close(context.Background())) }()
			assert.Equal(t, tc.want, current(c.Info().Options, tc.want))
		})
	}
}

// current picks the current values of the options that are wanted.
func current(options []agent.Option, of map[string]string) map[string]string {
	out := map[string]string{}
	for _, o := range options {
		if _, ok := of[o.ID]; ok {
			out[o.ID] = o.Current
		}
	}
	return out
}

func TestOpenCodeIsLaunchedWithItsOwnPasswordAndPort(t *testing.T) {
	bin := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(bin, "opencode")))
	launch := func(t *testing.T, script string) (args, password string, log string) {
		r := newRig(t)
		r.opts.Environ = []string{"PATH=" + bin, "HOME=" + r.dir, "OPENCODE_SERVER_PASSWORD=theirs", "GORACE=atexit_sleep_ms=0"}
		c, err := managed.New(managed.Target{Kind: agent.OpenCode, Env: map[string]string{fakeVar: script}}, r.opts).
			Open(t.Context(), agent.OpenRequest{Dir: r.dir}, r.sink)
		require.NoError(t, err)
		if script == "flags" {
			require.NoError(t, c.Close(context.Background()))
			return "", "", r.log.String()
		}
		_, events := r.turn(c, "")
		require.NoError(t, c.Close(context.Background()))
		said := texts(events)
		require.Len(t, said, 3)
		assert.Equal(t, r.dir, said[2])
		return said[0], said[1], r.log.String()
	}
	args1, pass1, log := launch(t, "launch")
	args2, pass2, _ := launch(t, "launch")
	assert.Regexp(t, `^acp --print-logs --log-level ERROR --port \d+$`, args1)
	assert.NotEqual(t, args1, args2, "each has its own port")
	assert.Len(t, pass1, 32)
	assert.NotEqual(t, pass1, pass2, "each has its own password")
	assert.NotContains(t, args1, pass1)
	assert.NotContains(t, log, pass1)

	t.Run("a version that refuses the flags still starts", func(t *testing.T) {
		_, _, log := launch(t, "flags")
		assert.Equal(t, 2, strings.Count(log, "trying without"))
	})
}

func TestAUsersOwnCommandLineStaysAsItIs(t *testing.T) {
	r := newRig(t)
	r.kind = agent.OpenCode
	c := r.open("launch", "acp", "--mine")
	_, events := r.turn(c, "")
	assert.Equal(t, "acp --mine", texts(events)[0])
	assert.Len(t, texts(events)[1], 32, "the password is set all the same")
}

func TestOpenErrorIsAFailure(t *testing.T) {
	f := &agent.Failure{Code: "agent_start_failed", Rule: "open.ended"}
	err := fmt.Errorf("wrapped: %w", &managed.OpenError{Failure: f})
	var got *agent.Failure
	require.True(t, errors.As(err, &got))
	assert.Same(t, f, got)
}

package window_test

import (
	"encoding/base64"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/window"
)

// quick is an agent that says each prompt back.
func quick() *player {
	return &player{script: func(turn turn) {
		turn.say("m", turn.text())
		turn.end()
	}}
}

func TestHostileArgumentsAreRefusedInWords(t *testing.T) {
	r, _ := raise(t, t.TempDir(), quick())
	row := r.task("hello")
	r.settled(row.Task, "done")
	nul, long := "a\x00b", strings.Repeat("x", 9<<20)
	elsewhere := t.TempDir()
	require.NoError(t, os.Symlink("/etc/hostname", filepath.Join(r.work, "link")))
	blob := func(name, mime, data string) window.Draft {
		return window.Draft{Text: "x", Blobs: []window.Blob{{Name: name, Mime: mime, Data: data}}}
	}
	png := base64.StdEncoding.EncodeToString([]byte("png"))
	tests := []struct {
		name string
		call func() error
		want string
	}{
		{"an unknown task", func() error { _, err := r.Tasks.Open("nobody", ""); return err }, "error.not_found"},
		{"a session of another task", func() error { _, err := r.Tasks.Open(row.Task, "other"); return err }, "error.not_found"},
		{"a task that is no name", func() error { _, err := r.Tasks.Open("../x", ""); return err }, "error.argument"},
		{"a session that is a statement", func() error { return r.Tasks.Send("'; DROP TABLE tasks; --", window.Draft{Text: "x"}) }, "error.argument"},
		{"a session that is not there", func() error { return r.Tasks.Cancel("nobody") }, "error.not_found"},
		{"a page before nothing", func() error { _, err := r.Tasks.Earlier(row.Session, 0); return err }, "error.argument"},
		{"a part that is not there", func() error { _, err := r.Tasks.Part(row.Session, math.MaxUint64); return err }, "error.not_found"},
		{"a prompt with NUL", func() error { return r.Tasks.Send(row.Session, window.Draft{Text: nul}) }, "error.argument"},
		{"a prompt that is no UTF-8", func() error { return r.Tasks.Send(row.Session, window.Draft{Text: "\xff"}) }, "error.argument"},
		{"a prompt that is too long", func() error { return r.Tasks.Send(row.Session, window.Draft{Text: long}) }, "error.argument"},
		{"an empty prompt", func() error { return r.Tasks.Send(row.Session, window.Draft{Text: " \n"}) }, "refused.empty_prompt"},
		{"a file outside", func() error {
			return r.Tasks.Send(row.Session, window.Draft{Text: "x", Files: []string{"../../etc/passwd"}})
		}, "error.file_outside"},
		{"a file by its absolute path", func() error {
			return r.Tasks.Send(row.Session, window.Draft{Text: "x", Files: []string{"/etc/passwd"}})
		}, "error.file_outside"},
		{"a link that leads out", func() error { return r.Tasks.Send(row.Session, window.Draft{Text: "x", Files: []string{"link"}}) }, "error.file_outside"},
		{"a file that is not there", func() error { return r.Tasks.Send(row.Session, window.Draft{Text: "x", Files: []string{"no.txt"}}) }, "error.file_missing"},
		{"too many files", func() error { return r.Tasks.Send(row.Session, window.Draft{Text: "x", Files: make([]string, 51)}) }, "error.too_many_files"},
		{"an image that is not taken", func() error { return r.Tasks.Send(row.Session, blob("a.png", "image/png", png)) }, "error.image_not_taken"},
		{"a file that is not taken", func() error { return r.Tasks.Send(row.Session, blob("a.svg", "image/svg+xml", png)) }, "error.file_not_taken"},
		{"data that is no base64", func() error { return r.Tasks.Send(row.Session, blob("a.png", "image/png", "!!")) }, "error.argument"},
		{"data that is too large", func() error {
			return r.Tasks.Send(row.Session, blob("a.png", "image/png", strings.Repeat("AAAA", 4<<20)))
		}, "error.file_too_large"},
		{"a queued prompt that is not there", func() error { return r.Tasks.EditQueued(row.Session, "nobody", "x") }, "refused.no_such_prompt"},
		{"taking out what is not there", func() error { return r.Tasks.RemoveQueued(row.Session, "nobody") }, "refused.no_such_prompt"},
		{"an answer to nothing", func() error { return r.Tasks.Decide(row.Session, "ask", "allow") }, "refused.no_such_ask"},
		{"an option that was not offered", func() error { return r.Tasks.Choose(row.Session, "model", "x") }, "error.argument"},
		{"a card that is not there", func() error { return r.Tasks.Dismiss(12345) }, "error.not_found"},
		{"a card of a turn that is not there", func() error { return r.Tasks.Dismiss(math.MinInt64 + 1) }, "error.not_found"},
		{"a link of no card", func() error { return r.Tasks.OpenRemediation(12345) }, "error.not_found"},
		{"a title of two lines", func() error { return r.Tasks.Rename(row.Task, "a\nb") }, "error.argument"},
		{"a title that is too long", func() error { return r.Tasks.Rename(row.Task, strings.Repeat("x", 201)) }, "error.argument"},
		{"a folder that is relative", func() error { _, err := r.Tasks.Folder("here"); return err }, "hint.folder_missing"},
		{"a folder with NUL", func() error { _, err := r.Tasks.Folder(nul); return err }, "error.argument"},
		{"trust in what is not there", func() error { return r.Tasks.Trust(filepath.Join(elsewhere, "no")) }, "hint.folder_missing"},
		{"a folder that was not trusted", func() error {
			_, err := r.Tasks.New(window.NewTask{Dir: elsewhere, Agent: "demo"})
			return err
		}, "error.folder_untrusted"},
		{"an agent that is none", func() error { _, err := r.Tasks.New(window.NewTask{Dir: r.work, Agent: "evil"}); return err }, "hint.agent_unknown"},
		{"no agent", func() error { _, err := r.Tasks.New(window.NewTask{Dir: r.work}); return err }, "hint.agent_unknown"},
		{"a command that nobody confirmed", func() error {
			_, err := r.Tasks.New(window.NewTask{Dir: r.work, Agent: "mine", Command: "rm -rf /"})
			return err
		}, "error.command_declined"},
		{"a command with an open quote", func() error {
			_, err := r.Tasks.New(window.NewTask{Dir: r.work, Agent: "mine", Command: `agent "x`})
			return err
		}, "error.command"},
		{"a command of two lines", func() error {
			_, err := r.Tasks.New(window.NewTask{Dir: r.work, Agent: "mine", Command: "agent\nrm"})
			return err
		}, "error.argument"},
		{"options without end", func() error {
			_, err := r.Tasks.New(window.NewTask{Dir: r.work, Agent: "demo", Options: map[string]string{long[:300]: "x"}})
			return err
		}, "error.argument"},
		{"a search of two lines", func() error { _, err := r.History.Search("a\nb"); return err }, "error.argument"},
		{"a search that is too long", func() error { _, err := r.Tasks.Find(row.Session, long[:500]); return err }, "error.argument"},
		{"files of nobody", func() error { _, err := r.Tasks.Files("nobody", ""); return err }, "error.not_found"},
		{"changes of no turn", func() error { _, err := r.Tasks.Changes(row.Session, 99); return err }, "error.not_found"},
		{"a turn that is not there", func() error { _, err := r.History.Turn(row.Session, 99); return err }, "error.not_found"},
		{"a language that is a path", func() error { _, err := r.Settings.Words("../en"); return err }, "error.argument"},
		{"a theme that is none", func() error { _, err := r.Settings.Set(window.Prefs{Theme: "blue"}); return err }, "error.argument"},
		{"a history too small for a turn", func() error {
			_, err := r.Settings.Set(window.Prefs{Theme: "dark", Keep: &window.Keep{MiB: 1}})
			return err
		}, "error.argument"},
		{"a language that is none", func() error { _, err := r.Settings.Set(window.Prefs{Theme: "dark", Language: "xx"}); return err }, "error.argument"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, key(t, tt.call())) })
	}
	tasks, err := r.Tasks.List(false)
	require.NoError(t, err)
	assert.Len(t, tasks.Rows, 1, "nothing was made on the way")
	assert.Equal(t, window.Phrase{Key: "confirm.command", Args: map[string]string{"command": "rm -rf /", "folder": r.work}}, r.dialogs.questions[0])
}

func TestACommandIsConfirmedOnce(t *testing.T) {
	r, _ := raise(t, t.TempDir(), quick())
	r.dialogs.yes = true
	for range 2 {
		row, err := r.Tasks.New(window.NewTask{Dir: r.work, Agent: "mine", Command: `my-agent --say "a b"`, Draft: window.Draft{Text: "x"}})
		require.NoError(t, err)
		assert.Equal(t, "mine", row.Agent)
		s, err := r.core.History().Session(t.Context(), agent.SessionID(row.Session))
		require.NoError(t, err)
		assert.Equal(t, []string{"my-agent", "--say", "a b"}, s.Command)
	}
	assert.Len(t, r.dialogs.questions, 1)
}

func TestWhatAPromptCarries(t *testing.T) {
	got := make(chan []agent.Block, 10)
	r, _ := raise(t, t.TempDir(), &player{
		info:   agent.SessionInfo{Images: true, Embeds: true},
		script: func(turn turn) { got <- turn.prompt.Blocks; turn.say("m", "ok"); turn.end() },
	})
	require.NoError(t, os.WriteFile(filepath.Join(r.work, "small.txt"), []byte("inside"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(r.work, "large.txt"), make([]byte, 300<<10), 0o600))
	row := r.task("first")
	<-got
	r.settled(row.Task, "done")
	png := base64.StdEncoding.EncodeToString([]byte("png"))
	text := base64.StdEncoding.EncodeToString([]byte("note"))
	require.NoError(t, r.Tasks.Send(row.Session, window.Draft{
		Text: "look", Files: []string{"small.txt", "large.txt"},
		Blobs: []window.Blob{{Name: "a.png", Mime: "image/png", Data: png}, {Name: "n.md", Mime: "text/markdown", Data: text}},
	}))
	assert.Equal(t, []agent.Block{
		agent.TextBlock("look"),
		{Kind: agent.BlockResource, Name: "small.txt", Mime: "text/plain", Text: "inside", URI: "file://" + filepath.ToSlash(filepath.Join(r.work, "small.txt"))},
		{Kind: agent.BlockLink, Name: "large.txt", URI: "file://" + filepath.ToSlash(filepath.Join(r.work, "large.txt"))},
		{Kind: agent.BlockImage, Name: "a.png", Mime: "image/png", Data: png},
		{Kind: agent.BlockResource, Name: "n.md", Mime: "text/markdown", Text: "note", URI: "attachment:///n.md"},
	}, <-got)
	r.settled(row.Task, "done")
	prompts, err := r.Tasks.Prompts(row.Session)
	require.NoError(t, err)
	assert.Equal(t, []string{"look", "first"}, prompts)
}

func TestTheQueueIsEditedAndReleased(t *testing.T) {
	release := make(chan struct{})
	r, _ := raise(t, t.TempDir(), &player{script: func(turn turn) {
		turn.say("m"+turn.text(), turn.text())
		if turn.text() == "one" {
			<-release
			turn.fail(agent.Failure{Code: "unknown_provider_error", Source: "acp_error"})
			return
		}
		turn.end()
	}})
	row := r.task("one")
	require.NoError(t, r.Tasks.Send(row.Session, window.Draft{Text: "two"}))
	require.NoError(t, r.Tasks.Send(row.Session, window.Draft{Text: "three"}))
	o := r.open(row.Task)
	require.Len(t, o.Session.Queue, 2)
	require.NoError(t, r.Tasks.EditQueued(row.Session, o.Session.Queue[0].ID, "TWO"))
	require.NoError(t, r.Tasks.RemoveQueued(row.Session, o.Session.Queue[1].ID))
	close(release)
	held := r.settled(row.Task, "needs_you")
	assert.Equal(t, 1, held.Queued)
	assert.Equal(t, "failure.unknown_provider_error", held.Detail.Key)
	o = r.open(row.Task)
	assert.True(t, o.Session.Held)
	assert.Equal(t, "TWO", o.Session.Queue[0].Text)
	require.NoError(t, r.Tasks.Release(row.Session))
	r.settled(row.Task, "done")
	assert.Equal(t, "TWO", r.stored(row.Task)[3].Text)
}

func TestADecisionIsTheUsers(t *testing.T) {
	p := &player{}
	p.script = func(turn turn) {
		turn.sink.Deliver(agent.Asked{Stamp: turn.sink.Stamp(), Ask: agent.Ask{
			ID: "a1", Kind: agent.AskPermission,
			Tool: agent.ToolCall{ID: "c", Title: "rm -rf build", Kind: "execute", RawInput: []byte(`{"command":"rm -rf build"}`),
				Locations: []agent.Location{{Path: "/etc/passwd"}}},
			Options: []agent.AskOption{{ID: "yes", Name: "Allow", Kind: "allow_once"}, {ID: "no", Name: "Reject", Kind: "reject_once"}},
		}})
	}
	r, _ := raise(t, t.TempDir(), p)
	row := r.task("do it")
	asks := r.page.until(func(p *page) (window.Row, bool) {
		row, ok := p.rows[row.Task]
		return row, ok && row.Phase == "asks"
	})
	assert.Equal(t, "kind.execute", asks.Detail.Key, "what the command is stands in the card, not in the list")
	o := r.open(row.Task)
	require.Len(t, o.Session.Asks, 1)
	a := o.Session.Asks[0]
	assert.Equal(t, window.Phrase{Key: "ask.about_execute", Args: map[string]string{"agent": "Demo"}}, a.Heading)
	assert.False(t, a.Inside, "a file outside the folder is said")
	assert.Equal(t, []window.AskOption{{ID: "yes", Name: "Allow", Kind: "allow_once"}, {ID: "no", Name: "Reject", Kind: "reject_once"}}, a.Options)
	assert.Equal(t, "refused.no_such_choice", key(t, r.Tasks.Decide(row.Session, a.ID, "maybe")))
	require.NoError(t, r.Tasks.Decide(row.Session, a.ID, "yes"))
	assert.Equal(t, "refused.no_such_ask", key(t, r.Tasks.Decide(row.Session, a.ID, "yes")), "once")
	require.NoError(t, r.Tasks.Cancel(row.Session))
}

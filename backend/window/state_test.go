package window_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/history"
	"turnwatch/backend/settings"
	"turnwatch/backend/window"
	"turnwatch/locales"
)

// limited is an agent that hits its limit at "limit", and else says the prompt.
func limited(reset time.Time) *player {
	return &player{info: agent.SessionInfo{Resumes: true}, script: func(turn turn) {
		if turn.text() == "limit" {
			turn.fail(agent.Failure{
				Code: "quota_limited", Rule: "oc.limit", Source: "opencode_stderr", Message: "limit reached", Model: "big",
				ResetAt: reset, Link: "https://opencode.ai/workspace/wrk_1/go",
			})
			return
		}
		if turn.text() == "evil link" {
			turn.fail(agent.Failure{Code: "quota_limited", Source: "opencode_stderr", Link: "https://evil.example/"})
			return
		}
		turn.say(turn.text(), turn.text())
		turn.end()
	}}
}

func (r *rig) cards(task string) []window.Card {
	r.t.Helper()
	o, err := r.Tasks.Open(task, "")
	require.NoError(r.t, err)
	return o.Session.Cards
}

func TestACardStaysUntilItIsRetired(t *testing.T) {
	dir, reset := t.TempDir(), time.Now().Add(time.Hour).Truncate(time.Second)
	r, stop := raise(t, dir, limited(reset))
	row := r.task("limit")
	failed := r.settled(row.Task, "needs_you")
	assert.Equal(t, "row.reset", failed.Detail.Key)
	r.open(row.Task)
	cards := r.cards(row.Task)
	require.Len(t, cards, 1)
	c := cards[0]
	assert.Equal(t, "quota_limited", c.Code)
	assert.Equal(t, reset.UnixMilli(), c.Reset)
	assert.Equal(t, []string{"link", "resume", "start_fresh", "send_again", "dismiss"}, c.Actions)
	assert.Equal(t, "opencode.ai", c.LinkHost)
	require.NoError(t, r.Tasks.OpenRemediation(c.ID))
	assert.Equal(t, []string{"https://opencode.ai/workspace/wrk_1/go"}, r.links)

	stop() // the card survives a restart
	r, _ = raise(t, dir, limited(reset))
	require.Len(t, r.cards(row.Task), 1)
	require.NoError(t, r.Tasks.Send(row.Session, window.Draft{Text: "again"}))
	r.settled(row.Task, "done")
	assert.Empty(t, r.cards(row.Task), "the next good turn retires it")

	require.NoError(t, r.Tasks.Send(row.Session, window.Draft{Text: "evil link"}))
	r.settled(row.Task, "needs_you")
	cards = r.cards(row.Task)
	require.Len(t, cards, 1)
	assert.NotContains(t, cards[0].Actions, "link", "a link that does not pass the check is not offered")
	assert.Equal(t, "error.no_link", key(t, r.Tasks.OpenRemediation(cards[0].ID)))
	assert.Empty(t, r.links)
	require.NoError(t, r.Tasks.Dismiss(cards[0].ID))
	assert.Empty(t, r.cards(row.Task), "and so does the user")
	require.NoError(t, r.Tasks.Dismiss(cards[0].ID), "twice is once")
}

func TestATurnThatWasInterruptedHasACard(t *testing.T) {
	dir := t.TempDir()
	began := make(chan struct{}, 1)
	hang := &player{info: agent.SessionInfo{Resumes: true}, script: func(turn turn) { turn.say("m", "half"); began <- struct{}{} }}
	r, stop := raise(t, dir, hang)
	row := r.task("go")
	<-began
	stop()
	r, _ = raise(t, dir, hang)
	cards := r.cards(row.Task)
	require.Len(t, cards, 1)
	assert.Negative(t, cards[0].ID)
	assert.Equal(t, "card.interrupted", cards[0].Heading.Key)
	assert.Equal(t, []string{"resume", "start_fresh", "send_again", "dismiss"}, cards[0].Actions)
	require.NoError(t, r.Tasks.Dismiss(cards[0].ID))
	assert.Empty(t, r.cards(row.Task))
}

func TestAnAgentThatDoesNotComeUp(t *testing.T) {
	p := quick()
	p.refuse = &agent.Failure{Code: "agent_start_failed", Rule: "open.missing", Source: "open", Hint: "hint.command_not_found", Args: map[string]string{"program": "x"}}
	r, _ := raise(t, t.TempDir(), p)
	row, err := r.Tasks.New(window.NewTask{Dir: r.work, Agent: "demo"}) // no prompt: it is only brought up
	require.NoError(t, err)
	r.page.until(func(p *page) (window.Row, bool) {
		row, ok := p.rows[row.Task]
		return row, ok && row.Phase == "idle" && len(r.cards(row.Task)) == 1
	})
	c := r.cards(row.Task)[0]
	assert.Equal(t, window.Phrase{Key: "hint.command_not_found", Args: map[string]string{"program": "x"}}, c.Guidance)
	assert.Equal(t, []string{"start_fresh", "dismiss"}, c.Actions)
}

func TestDeleteAndUndo(t *testing.T) {
	began := make(chan struct{}, 1)
	r, _ := raise(t, t.TempDir(), &player{script: func(turn turn) { turn.say("m", "x"); began <- struct{}{} }})
	row := r.task("go")
	<-began
	require.NoError(t, r.Tasks.Delete(row.Task))
	r.page.until(func(p *page) (window.Row, bool) { _, there := p.rows[row.Task]; return window.Row{}, !there })
	assert.Equal(t, "error.not_found", key(t, r.Tasks.Send(row.Session, window.Draft{Text: "more"})))
	require.NoError(t, r.Tasks.Undelete(row.Task))
	back := r.page.until(func(p *page) (window.Row, bool) {
		row, ok := p.rows[row.Task]
		return row, ok && row.Phase == "idle"
	})
	assert.Equal(t, "needs_you", back.State, "what ran in it was stopped")
	assert.Zero(t, r.Running())
}

func TestRenameAndArchive(t *testing.T) {
	r, _ := raise(t, t.TempDir(), quick())
	row := r.task("hello")
	r.settled(row.Task, "done")
	require.NoError(t, r.Tasks.Rename(row.Task, " Mine "))
	r.page.until(func(p *page) (window.Row, bool) { row := p.rows[row.Task]; return row, row.Title == "Mine" })
	require.NoError(t, r.Tasks.Archive(row.Task, true))
	r.page.until(func(p *page) (window.Row, bool) { row := p.rows[row.Task]; return row, row.Away })
	list, err := r.Tasks.List(true)
	require.NoError(t, err)
	assert.Len(t, list.Rows, 1)
	require.NoError(t, r.Tasks.Archive(row.Task, false))
	list, err = r.Tasks.List(false)
	require.NoError(t, err)
	assert.Len(t, list.Rows, 1)
}

func TestStartFreshIsANewSessionInTheTask(t *testing.T) {
	r, _ := raise(t, t.TempDir(), quick())
	row := r.task("hello")
	r.settled(row.Task, "done")
	o, err := r.Tasks.StartFresh(row.Session)
	require.NoError(t, err)
	assert.NotEqual(t, row.Session, o.Session.Row.Session)
	require.Len(t, o.Sessions, 2)
	assert.Equal(t, o.Session.Row.Session, o.Sessions[0].Session)
	old, err := r.Tasks.Open(row.Task, row.Session)
	require.NoError(t, err)
	assert.Len(t, old.Page.Parts, 2)
	assert.Equal(t, row.Session, old.Session.Row.Session)
}

// git runs a command of the user's.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

func TestWhatATurnChanged(t *testing.T) {
	for _, withGit := range []bool{true, false} {
		name := map[bool]string{true: "with git", false: "without"}[withGit]
		t.Run(name, func(t *testing.T) {
			var work string
			r, stop := raise(t, t.TempDir(), &player{script: func(turn turn) {
				file := filepath.Join(work, turn.text()+".txt")
				_ = os.WriteFile(file, []byte("one\ntwo\n"), 0o600)
				old := "one\n"
				turn.update(agent.Update{Kind: agent.ToolCalled, Tool: agent.ToolCall{ID: turn.text(), Title: "Edit", Kind: "edit", Status: agent.ToolCompleted,
					Content: []agent.ToolContent{{Diff: &agent.Diff{Path: file, Old: &old, New: "one\ntwo\n"}}}}})
				turn.end()
			}})
			work = r.work
			if withGit {
				git(t, work, "init", "-q")
			}
			require.NoError(t, os.WriteFile(filepath.Join(work, "mine.txt"), []byte("mine\n"), 0o600))
			row := r.task("a")
			r.settled(row.Task, "done")
			_, err := r.Tasks.Changes(row.Session, 1) // waits until the folder was looked at
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(work, "mine.txt"), []byte("mine, between the turns\n"), 0o600))
			require.NoError(t, r.Tasks.Send(row.Session, window.Draft{Text: "b"}))
			r.page.until(func(*page) (window.Row, bool) { return row, endedTurn(r, row, 2) })
			r.settled(row.Task, "done")
			for turn, file := range map[uint64]string{1: "a.txt", 2: "b.txt"} {
				c, err := r.Tasks.Changes(row.Session, turn)
				require.NoError(t, err)
				require.Len(t, c.Files, 1, "what the user changed is not the turn's")
				d := c.Files[0]
				if withGit {
					assert.Equal(t, "git", c.From)
					assert.Empty(t, c.Note.Key)
					assert.Equal(t, window.Diff{Path: file, New: true, Added: 2, Hunks: []window.Hunk{{
						Old: 0, New: 1, Lines: []window.Line{{Op: "+", Text: "one"}, {Op: "+", Text: "two"}},
					}}}, d)
				} else {
					assert.Equal(t, "agent", c.From)
					assert.Equal(t, "changes.agent_only", c.Note.Key)
					assert.Equal(t, 1, d.Added, "as the agent reported it")
				}
			}
			files, err := r.Tasks.Files(row.Session, "btx")
			require.NoError(t, err)
			assert.Equal(t, []string{"b.txt"}, files)
			stop()
		})
	}
}

func TestTheHistoryScreen(t *testing.T) {
	r, _ := raise(t, t.TempDir(), limited(time.Time{}))
	row := r.task("find this needle")
	r.settled(row.Task, "done")
	other := r.task("limit")
	r.settled(other.Task, "needs_you")
	require.NoError(t, r.core.History().Flush(t.Context()))

	all, err := r.History.Turns(0, "", "", "")
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, "limit", all[0].Prompt)
	assert.Equal(t, "quota_limited", all[0].Code)
	for _, tt := range []struct {
		name                 string
		agent, outcome, text string
		want                 int
	}{
		{"by agent", "demo", "", "", 2}, {"by another agent", "claude", "", "", 0},
		{"by outcome", "", "failed", "", 1}, {"by text", "", "", "needle", 1}, {"a text that is a pattern", "", "", "%", 0},
	} {
		got, err := r.History.Turns(0, tt.agent, tt.outcome, tt.text)
		require.NoError(t, err)
		assert.Len(t, got, tt.want, tt.name)
	}
	page, err := r.History.Turns(all[0].Started, "", "", "")
	require.NoError(t, err)
	assert.LessOrEqual(t, len(page), 1, "older ones only")
	turn, err := r.History.Turn(row.Session, 1)
	require.NoError(t, err)
	assert.Len(t, turn.Parts, 2)
	found, err := r.History.Search("needle")
	require.NoError(t, err)
	assert.NotEmpty(t, found)
}

func TestSettings(t *testing.T) {
	r, _ := raise(t, t.TempDir(), quick())
	keep := window.Keep{Days: 30, MiB: 512, Purge: 7, Idle: 60}
	p, err := r.Settings.Set(window.Prefs{Theme: "dark", Language: "en-XA", Trusted: []string{r.work, "/not/trusted/before"}, Keep: &keep})
	require.NoError(t, err)
	assert.Equal(t, window.Prefs{
		Theme: "dark", Language: "en-XA", Trusted: []string{r.work}, Keep: &keep, Commands: []string{}, File: filepath.Join(r.dir, "settings.json"),
	}, p, "trust is not given here")
	p, err = r.Settings.Set(window.Prefs{Theme: "dark"})
	require.NoError(t, err)
	assert.Empty(t, p.Trusted, "but it can be taken back")
	assert.Equal(t, &keep, p.Keep, "what is not named stays")
	for _, tt := range []struct{ wanted, tag, you string }{
		{"en-XA", "en-XA", "[Ýöü~]"},
		{"fi", "en", "You"}, // English where there is no such language
		{"", "en", "You"},
	} {
		words, err := r.Settings.Words(tt.wanted)
		require.NoError(t, err)
		assert.Equal(t, tt.tag, words.Tag)
		assert.Equal(t, tt.you, words.Messages["ui.part.you"])
	}
	about, err := r.Settings.About()
	require.NoError(t, err)
	assert.Subset(t, about.Languages, []string{"en", "en-XA"})
	agents, err := r.Settings.Agents(false)
	require.NoError(t, err)
	assert.NotEmpty(t, agents)
	dir, err := r.Tasks.PickFolder("/nonsense")
	require.NoError(t, err)
	assert.Equal(t, r.work, dir)
	f, err := r.Tasks.Folder(r.work)
	require.NoError(t, err)
	assert.Equal(t, r.work, f.Dir)
	assert.False(t, f.Trusted)
	assert.Empty(t, f.Others)
}

func TestDataThatCannotBeOpenedIsSaidByEveryCall(t *testing.T) {
	chosen, err := settings.Open(t.TempDir())
	require.NoError(t, err)
	w := window.New(window.Options{
		Settings: chosen, Words: locales.Files,
		Open: func(context.Context) (*core.Core, error) {
			return nil, &history.Error{Kind: history.ErrTooNew, Hint: history.HintTooNew, Args: map[string]string{"have": "9"}, Err: errors.New("x")}
		},
	})
	w.Start()
	_, err = w.Tasks.List(false)
	assert.Equal(t, "hint.history_too_new", key(t, err))
	assert.Equal(t, "hint.history_too_new", key(t, w.Tasks.Cancel("x")))
	_, err = w.Settings.Get()
	require.NoError(t, err, "the page has its theme and words all the same")
	_, err = w.Settings.Words("")
	require.NoError(t, err)
	w.Pump(t.Context(), func(string, any) { t.Error("there is nothing to tell") })
	require.NoError(t, w.Close(t.Context()))
}

func TestAThousandTasks(t *testing.T) {
	r, _ := raise(t, t.TempDir(), quick())
	fill(t, r, 1000)
	list, err := r.Tasks.List(false)
	require.NoError(t, err)
	assert.Len(t, list.Rows, 1000)
}

// fill stores tasks without ever running an agent, many at a time: each waits for
// the disk.
func fill(t testing.TB, r *rig, n int) {
	t.Helper()
	var all sync.WaitGroup
	slots := make(chan struct{}, 200)
	for i := range n {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			id := fmt.Sprintf("task%05d", i)
			ctx, store := context.Background(), r.core.History()
			assert.NoError(t, store.CreateTask(ctx, history.Task{ID: agent.TaskID(id), Title: id, Dir: r.work}))
			assert.NoError(t, store.CreateSession(ctx, history.NewSession{
				ID: agent.SessionID(id), Task: agent.TaskID(id), Kind: agent.Demo, Dir: r.work,
			}))
		})
	}
	all.Wait()
}

func TestWhatAnotherProgramDoesIsSeen(t *testing.T) {
	dir := t.TempDir()
	r, _ := raise(t, dir, quick())
	other, err := core.Open(t.Context(), core.Options{Dir: dir, Connect: func(agent.Kind, []string) agent.Connector { return quick() }})
	require.NoError(t, err)
	ref, err := other.NewTask(t.Context(), core.NewTask{Dir: r.work, Kind: agent.Demo, Title: "Beside"})
	require.NoError(t, err)
	_, err = other.Submit(t.Context(), ref.Session, []agent.Block{agent.TextBlock("hello")})
	require.NoError(t, err)
	row := r.settled(string(ref.Task), "done")
	assert.Equal(t, "Beside", row.Title)
	assert.Len(t, r.stored(row.Task), 2)
	require.NoError(t, other.Close(t.Context()))
}

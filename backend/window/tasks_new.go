package window

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/settings"
)

// Folder tells what is known of a folder before a task works in it.
func (t *Tasks) Folder(dir string) (Folder, error) {
	return answer(t.r, usually, func(c call) (Folder, error) {
		real, err := folderOf(dir)
		if err != nil {
			return Folder{}, err
		}
		out := Folder{Dir: real, Trusted: c.o.Settings.Trusts(real), Git: inGit(real)}
		glances, err := c.core.History().Glances(c.ctx, false)
		if err != nil {
			return Folder{}, err
		}
		for _, g := range glances {
			if at, err := filepath.EvalSymlinks(g.Dir); g.State == agent.TaskRunning && err == nil && at == real {
				out.Others = append(out.Others, title(g))
			}
		}
		return out, nil
	})
}

// inGit tells whether a folder lies in a work tree, without asking git.
func inGit(dir string) bool {
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

// Trust remembers that the user trusts a folder.
func (t *Tasks) Trust(dir string) error {
	return do(t.r, usually, func(c call) error {
		real, err := folderOf(dir)
		if err != nil {
			return err
		}
		return c.o.Settings.Trust(real)
	})
}

// PickFolder lets the user choose a folder in the system's dialog; "" where that
// was closed.
func (t *Tasks) PickFolder(start string) (string, error) {
	if t.r.o.Dialogs == nil {
		return "", nil
	}
	if _, err := folderOf(start); err != nil {
		start = ""
	}
	dir, err := t.r.o.Dialogs.PickFolder(t.r.ctx, start)
	if err != nil {
		return "", failed(t.r.o.Log, err)
	}
	return dir, nil
}

// New makes a task and sends its first prompt, if there is one. The folder must
// be trusted; a command line that was never run before is confirmed by the user
// outside the page.
func (t *Tasks) New(n NewTask) (Row, error) {
	return answer(t.r, slowly, func(c call) (Row, error) {
		task, err := c.newTask(n)
		if err != nil {
			return Row{}, err
		}
		var blocks []agent.Block
		if strings.TrimSpace(n.Draft.Text) != "" || len(n.Draft.Files)+len(n.Draft.Blobs) > 0 {
			if blocks, err = n.Draft.blocks(task.Dir, Takes{}); err != nil {
				return Row{}, err
			}
		}
		if err := c.allow(n, task); err != nil {
			return Row{}, err
		}
		ref, err := c.core.NewTask(c.ctx, task)
		if err != nil {
			return Row{}, err
		}
		defer c.desk.touch(ref.Task)
		if len(blocks) > 0 {
			c.traces.before(c.ctx, ref.Session, 1, task.Dir)
			_, err = c.core.Submit(c.ctx, ref.Session, blocks)
		} else {
			err = c.connect(ref.Session)
		}
		if err != nil {
			return Row{}, err
		}
		g, err := c.core.History().Glance(c.ctx, ref.Task)
		if err != nil {
			return Row{}, err
		}
		c.desk.mu.Lock()
		defer c.desk.mu.Unlock()
		return c.desk.row(g), nil
	})
}

// newTask checks what the page asks for.
func (c call) newTask(n NewTask) (core.NewTask, error) {
	task := core.NewTask{Title: strings.TrimSpace(n.Title), Options: map[string]string{}}
	var err error
	if task.Dir, err = folderOf(n.Dir); err != nil {
		return task, err
	}
	if err := line("title", n.Title, longestTitle); err != nil {
		return task, err
	}
	kind, ok := agent.ParseKind(n.Agent)
	switch {
	case n.Command != "":
		if err := line("command", n.Command, longestPath); err != nil {
			return task, err
		}
		if task.Command, ok = words(n.Command); !ok || len(task.Command) == 0 {
			return task, &Error{Key: "error.command"}
		}
		if kind == "" {
			kind, _ = agent.ParseKind(strings.TrimSuffix(filepath.Base(task.Command[0]), ".exe"))
		}
		if kind == "" {
			kind = "custom"
		}
	case !ok || !core.Known(kind):
		return task, &Error{Key: "hint.agent_unknown", Args: map[string]string{"agent": cutText(n.Agent, 64)}}
	}
	task.Kind = kind
	if len(n.Options) > 50 {
		return task, wrong("options")
	}
	for k, v := range n.Options {
		if line("options", k, longestWord) != nil || line("options", v, longestWord) != nil {
			return task, wrong("options")
		}
		task.Options[k] = v
	}
	return task, nil
}

// allow asks what only the user can answer: a folder must be trusted, and a
// command line of the page's is confirmed once, outside the page.
func (c call) allow(n NewTask, task core.NewTask) error {
	if !c.o.Settings.Trusts(task.Dir) {
		return &Error{Key: "error.folder_untrusted", Args: map[string]string{"folder": task.Dir}}
	}
	if n.Command == "" || slices.Contains(c.o.Settings.Get().Commands, n.Command) {
		return nil
	}
	yes := false
	if c.o.Dialogs != nil {
		var err error
		yes, err = c.o.Dialogs.Confirm(c.room.ctx, Phrase{
			Key: "confirm.command", Args: map[string]string{"command": n.Command, "folder": task.Dir},
		})
		if err != nil {
			return err
		}
	}
	if !yes {
		return &Error{Key: "error.command_declined"}
	}
	_, err := c.o.Settings.Change(func(v *settings.Values) { v.Commands = append(v.Commands, n.Command) })
	return err
}

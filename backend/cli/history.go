package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/history"
	"turnwatch/backend/locale"
)

// historyFlags are the flags of tw history.
type historyFlags struct {
	search string
	limit  int
	json   bool
}

// historyCommand reads the record. It opens readers only: nothing is made,
// migrated or recovered by looking.
func (a *app) historyCommand() *cobra.Command {
	var f historyFlags
	cmd := &cobra.Command{
		Use: "history [ID]", Short: a.say("history.short"), Long: a.say("history.long"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage(errors.New(a.words.Say("history.many_ids", locale.Args{"count": strconv.Itoa(len(args))})))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 1 && f.search != "":
				return usage(errors.New(a.say("history.id_or_search")))
			case f.limit < 1 || f.limit > 500:
				return usage(errors.New(a.say("history.bad_limit")))
			}
			return broken(a.readHistory(cmd.Context(), f, args))
		},
	}
	cmd.Flags().StringVar(&f.search, "search", "", a.say("flag.search"))
	cmd.Flags().IntVar(&f.limit, "limit", 50, a.say("flag.limit"))
	cmd.Flags().BoolVar(&f.json, "json", false, a.say("flag.json"))
	return cmd
}

func (a *app) readHistory(ctx context.Context, f historyFlags, args []string) error {
	dir, err := a.folder()
	if err != nil {
		return err
	}
	log, err := a.logger()
	if err != nil {
		return err
	}
	store, err := history.OpenReader(ctx, history.Options{Dir: dir, Log: log})
	if errors.Is(err, history.ErrNothing) && len(args) == 0 { // nothing to list
		_, err = fmt.Fprintln(a.env.Err, a.explain(err))
		return err
	}
	if err != nil {
		return err
	}
	switch {
	case len(args) == 1:
		err = a.showTask(ctx, store, agent.TaskID(strings.ToUpper(args[0])), f.json)
	case f.search != "":
		err = a.showHits(ctx, store, f)
	default:
		err = a.showTasks(ctx, store, f)
	}
	return errors.Join(err, store.Close(ctx))
}

// showTasks lists the tasks, the latest change first.
func (a *app) showTasks(ctx context.Context, store *history.Store, f historyFlags) error {
	tasks, err := store.Tasks(ctx, history.TaskFilter{Limit: f.limit})
	if err != nil {
		return fmt.Errorf("list tasks: %w", err)
	}
	lost, err := abandoned(ctx, store)
	if err != nil {
		return err
	}
	for i := range tasks {
		lost.task(&tasks[i])
	}
	if f.json {
		out := jsonl{w: a.env.Out}
		for _, t := range tasks {
			out.put(taskLineOf(t))
		}
		return out.err
	}
	list := terminal.NewList(a.env.Out, terminal.LookOf(a.env.Out, a.env.Getenv))
	for _, t := range tasks {
		title, err := a.titleOf(ctx, store, t)
		if err != nil {
			return err
		}
		style, mark := taskMark(t.State)
		list.Entry(style, mark, title, dotted(a.words.Say("task."+string(t.State), nil),
			terminal.OneLine(string(t.Kind)), shortTime(t.UpdatedAt), string(t.ID)))
	}
	return list.Err()
}

// titleOf names a task: by its title, or the agent's, or its first prompt.
func (a *app) titleOf(ctx context.Context, store *history.Store, t history.Task) (string, error) {
	for _, title := range []string{t.Title, t.AgentTitle} {
		if s := terminal.OneLine(title); s != "" {
			return s, nil
		}
	}
	sessions, err := store.Sessions(ctx, t.ID)
	if err != nil {
		return "", fmt.Errorf("read sessions: %w", err)
	}
	for _, s := range sessions {
		parts, err := store.Parts(ctx, history.PartQuery{Session: s.ID, Limit: 1})
		if err != nil {
			return "", fmt.Errorf("read transcript: %w", err)
		}
		for _, p := range parts {
			if s := terminal.OneLine(p.Text); p.Kind == agent.PartPrompt && s != "" {
				return s, nil
			}
		}
	}
	return a.say("history.untitled"), nil
}

// showHits lists what a search found, newest first.
func (a *app) showHits(ctx context.Context, store *history.Store, f historyFlags) error {
	hits, err := store.Search(ctx, f.search, min(f.limit, 200))
	if err != nil {
		return fmt.Errorf("search: %w", err)
	}
	out := jsonl{w: a.env.Out}
	list := terminal.NewList(a.env.Out, terminal.LookOf(a.env.Out, a.env.Getenv))
	for _, h := range hits {
		if f.json {
			out.put(hitLineOf(h))
			continue
		}
		var text strings.Builder
		for _, s := range h.Snippet {
			text.WriteString(s.Text)
		}
		list.Entry(terminal.Cyan, terminal.Now, terminal.OneLine(text.String()), dotted(
			terminal.OneLine(h.Title), a.words.Say("part."+string(h.Kind), nil), shortTime(h.At), string(h.Task)))
	}
	return errors.Join(out.err, list.Err())
}

func taskMark(s agent.TaskState) (terminal.Style, terminal.Mark) {
	switch s {
	case agent.TaskDone:
		return terminal.Green, terminal.Done
	case agent.TaskFailed:
		return terminal.Red, terminal.Failing
	case agent.TaskRunning:
		return terminal.Cyan, terminal.Now
	case agent.TaskNeedsYou:
		return terminal.Yellow, terminal.Now
	}
	return terminal.Dim, terminal.Todo
}

// shortTime writes a time for a list, in the user's zone.
func shortTime(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// dotted joins details that are not empty.
func dotted(details ...string) string {
	return strings.Join(slices.DeleteFunc(details, func(s string) bool { return s == "" }), " · ")
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/core/checkup"
	"turnwatch/backend/history"
	"turnwatch/backend/managed"
	"turnwatch/backend/settings"
)

// findingLine is a finding as --json tells it.
type findingLine struct {
	Name  string            `json:"name"`
	State checkup.State     `json:"state"`
	Key   string            `json:"key"`
	Args  map[string]string `json:"args,omitempty"`
	Text  string            `json:"text"`
}

func (a *app) doctorCommand() *cobra.Command {
	var asJSON, self bool
	cmd := &cobra.Command{
		Use: "doctor", Short: a.say("doctor.short"), Long: a.say("doctor.long"), Args: a.noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if self {
				return broken(a.selfTest(cmd.Context()))
			}
			list, err := a.examine(cmd.Context())
			if err != nil {
				return broken(err)
			}
			if err := a.findings(list, asJSON); err != nil {
				return broken(err)
			}
			if checkup.Worst(list) == checkup.Bad {
				return &statusError{status: StatusError}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, a.say("flag.json"))
	cmd.Flags().BoolVar(&self, "self-test", false, a.say("doctor.flag_self_test"))
	return cmd
}

// examine looks at everything.
func (a *app) examine(ctx context.Context) ([]checkup.Finding, error) {
	dir, err := a.folder()
	if err != nil {
		return nil, err
	}
	log, err := a.logger()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find own program: %w", err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // then only the folder's own name is told
	}
	return checkup.Run(ctx, checkup.Options{
		Dir: dir, Home: home, Version: version(), Now: time.Now(), Trouble: settings.Check(dir),
		Agents: func(ctx context.Context) []managed.Found {
			return managed.Find(ctx, managed.Options{Self: self, Version: version(), Environ: os.Environ(), Log: log})
		},
	}), nil
}

func (a *app) findings(list []checkup.Finding, asJSON bool) error {
	now := time.Now()
	if asJSON {
		out := jsonl{w: a.env.Out}
		for _, f := range list {
			out.put(findingLine{f.Name, f.State, f.What.Key, f.What.Args, a.words.Tell(f.What.Key, clean(f.What.Args), now)})
		}
		return out.err
	}
	out := terminal.NewList(a.env.Out, terminal.LookOf(a.env.Out, a.env.Getenv))
	for _, f := range list {
		colour, sign := terminal.Green, terminal.Done
		switch f.State {
		case checkup.Note:
			colour, sign = terminal.Dim, terminal.Todo
		case checkup.Bad:
			colour, sign = terminal.Red, terminal.Failing
		}
		out.Row(colour, sign, a.say("check."+f.Name), "", a.words.Tell(f.What.Key, clean(f.What.Args), now))
	}
	return out.Err()
}

// selfTest makes a history in a folder of its own and opens it: that is all that
// may be missing in a program that starts.
func (a *app) selfTest(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "turnwatch")
	if err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	store, _, err := history.Open(ctx, history.Options{Dir: dir})
	if err == nil {
		err = store.Close(ctx)
	}
	if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
		return fmt.Errorf("test history: %w", err)
	}
	_, err = fmt.Fprintln(a.env.Out, a.say("doctor.self_test_ok"))
	return err
}

package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/locale"
	"turnwatch/backend/replay"
)

// longestScenario bounds one line of a scenario file.
const longestScenario = 32 << 20

func (a *app) replayCommand() *cobra.Command {
	var policy string
	cmd := &cobra.Command{
		Use:   "replay FILE…",
		Short: a.say("replay.short"), Long: a.say("replay.long"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(errors.New(a.say("replay.no_file")))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			play, ok := a.policies()[policy]
			if !ok {
				return usage(errors.New(a.words.Say("replay.bad_policy", locale.Args{"value": policy})))
			}
			for _, name := range files {
				if err := a.replayFile(cmd.OutOrStdout(), name, play); err != nil {
					return broken(err)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&policy, "policy", "interactive", a.say("flag.policy"))
	_ = cmd.RegisterFlagCompletionFunc("policy", cobra.FixedCompletions([]string{"interactive", "auto-resume"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// policies are the ways to play a scenario, by the names of --policy.
func (a *app) policies() map[string]func(replay.Scenario) (any, error) {
	return map[string]func(replay.Scenario) (any, error){
		"interactive": func(s replay.Scenario) (any, error) { return replay.Interactive(s), nil },
		"auto-resume": func(s replay.Scenario) (any, error) {
			r, unknown, err := replay.AutoResume(s)
			if len(unknown) > 0 {
				_, _ = fmt.Fprintln(a.env.Err, "tw: "+a.words.Say("replay.unknown_options", locale.Args{
					"id": terminal.OneLine(s.ID), "names": terminal.OneLine(strings.Join(unknown, ", ")),
				}))
			}
			return r, err
		},
	}
}

// replayFile plays every scenario of a file, one a line; "-" is stdin. It stops at
// the first that can't be read.
func (a *app) replayFile(out io.Writer, name string, play func(replay.Scenario) (any, error)) error {
	in := io.ReadCloser(a.env.In)
	if name != "-" {
		file, err := os.Open(name)
		if errors.Is(err, os.ErrNotExist) {
			return usage(errors.New(a.words.Say("replay.missing_file", locale.Args{"file": terminal.OneLine(name)})))
		}
		if err != nil {
			return fmt.Errorf("open scenarios: %w", err)
		}
		in = file
		defer file.Close()
	}
	lines := bufio.NewScanner(in) // a file of ours, not a pipe that has to be drained
	lines.Buffer(nil, longestScenario)
	enc := json.NewEncoder(out)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		s, err := replay.Parse(lines.Bytes())
		var played any
		if err == nil {
			played, err = play(s)
		}
		if err != nil {
			return errors.New(a.words.Say("replay.bad_line", locale.Args{
				"file": terminal.OneLine(name), "line": strconv.Itoa(n),
				"why": terminal.OneLine(strings.TrimPrefix(err.Error(), "read scenario: ")),
			}))
		}
		if err := enc.Encode(played); err != nil {
			return fmt.Errorf("write result: %w", err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/managed"
)

// foundLine is an agent as --json tells it.
type foundLine struct {
	Agent   agent.Kind        `json:"agent"`
	Name    string            `json:"name"`
	Ready   bool              `json:"ready"`
	Program string            `json:"program,omitempty"`
	Version string            `json:"version,omitempty"`
	Launch  []string          `json:"launch,omitempty"`
	Env     []string          `json:"env,omitempty"`
	Hint    string            `json:"hint,omitempty"`
	Args    map[string]string `json:"args,omitempty"`
}

func (a *app) agentsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "agents", Short: a.say("agents.short"), Long: a.say("agents.long"), Args: a.noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := a.logger()
			if err != nil {
				return err
			}
			self, err := os.Executable()
			if err != nil {
				return broken(fmt.Errorf("find own program: %w", err))
			}
			found := managed.Find(cmd.Context(), managed.Options{
				Self: self, Version: version(), Environ: os.Environ(), Log: log,
			})
			if asJSON {
				return broken(a.agentLines(found))
			}
			return broken(a.agentTable(found))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, a.say("flag.json"))
	return cmd
}

func (a *app) agentLines(found []managed.Found) error {
	out := jsonl{w: a.env.Out}
	for _, f := range found {
		out.put(foundLine{
			Agent: f.Kind, Name: f.Name, Ready: f.Ready(), Program: f.Program, Version: f.Version,
			Launch: f.Launch, Env: f.Env, Hint: f.Hint, Args: f.Args,
		})
	}
	return out.err
}

// agentTable lists the agents that are there, with how each would be launched,
// and then what is missing for the others.
func (a *app) agentTable(found []managed.Found) error {
	list := terminal.NewList(a.env.Out, terminal.LookOf(a.env.Out, a.env.Getenv))
	for _, f := range found {
		if f.Ready() {
			list.Row(terminal.Green, terminal.Done, string(f.Kind), terminal.OneLine(f.Version), terminal.OneLine(quoted(f.Launch)))
		}
	}
	for _, f := range found {
		if !f.Ready() {
			list.Row(terminal.Dim, terminal.Todo, string(f.Kind), terminal.OneLine(f.Version), a.words.Say(f.Hint, clean(f.Args)))
		}
	}
	return list.Err()
}

// quoted writes a command line so that it can be read back: words with blanks or
// signs of the shell stand in quotes.
func quoted(line []string) string {
	words := make([]string, len(line))
	for i, w := range line {
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`&|;<>()*?[]{}!#~") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}

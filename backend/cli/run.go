package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/core"
	"turnwatch/backend/locale"
)

// longestPrompt bounds what is read as a prompt.
const longestPrompt = 8 << 20

// runFlags are the flags of tw run as they were given.
type runFlags struct {
	agent, model, mode string
	cwd, prompt, title string
	json               bool
	allow              []string
}

// order is one turn that was ordered: what to run and how to answer for it.
type order struct {
	task   core.NewTask
	prompt string
	allow  allowed
	json   bool
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run --agent NAME --prompt TEXT [-- COMMAND…]",
		Short: a.say("run.short"), Long: a.say("run.long"), Example: a.say("run.example"),
		Args: func(cmd *cobra.Command, args []string) error {
			if n := cmd.ArgsLenAtDash(); n > 0 || n < 0 && len(args) > 0 {
				return usage(errors.New(a.words.Say("run.stray_argument", locale.Args{"value": args[0]})))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, command []string) error {
			o, err := a.order(f, command)
			if err != nil {
				return broken(err)
			}
			return broken(a.perform(cmd.Context(), o))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.agent, "agent", "", a.say("flag.agent"))
	flags.StringVar(&f.model, "model", "", a.say("flag.model"))
	flags.StringVar(&f.mode, "mode", "", a.say("flag.mode"))
	flags.StringVar(&f.cwd, "cwd", "", a.say("flag.cwd"))
	flags.StringVar(&f.prompt, "prompt", "", a.say("flag.prompt"))
	flags.StringVar(&f.title, "title", "", a.say("flag.title"))
	flags.StringSliceVar(&f.allow, "allow", nil, a.say("flag.allow"))
	flags.BoolVar(&f.json, "json", false, a.say("flag.json"))
	_ = cmd.RegisterFlagCompletionFunc("agent", cobra.FixedCompletions(names(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("allow", cobra.FixedCompletions([]string{"reads", "edits", "commands"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// order checks what was asked for. Its errors are usage errors, except where
// stdin cannot be read.
func (a *app) order(f runFlags, command []string) (order, error) {
	o := order{json: f.json}
	var err error
	if o.allow, err = a.parseAllow(f.allow); err != nil {
		return o, err
	}
	if o.task.Kind, err = a.kind(f.agent, len(command) > 0); err != nil {
		return o, err
	}
	if o.task.Dir, err = a.workFolder(f.cwd); err != nil {
		return o, err
	}
	if o.prompt, err = a.readPrompt(f.prompt); err != nil {
		return o, err
	}
	if len(command) > 0 {
		o.task.Command = command
	}
	o.task.Title = f.title
	o.task.Options = map[string]string{}
	for name, value := range map[string]string{"model": f.model, "mode": f.mode} {
		if value != "" {
			o.task.Options[name] = value
		}
	}
	return o, nil
}

// kind reads the agent's name. With a command line of the user's own any name
// will do.
func (a *app) kind(name string, own bool) (agent.Kind, error) {
	if name == "" {
		return "", usage(errors.New(a.words.Say("run.no_agent", locale.Args{"names": strings.Join(names(), ", ")})))
	}
	kind, ok := agent.ParseKind(name)
	switch {
	case !ok:
		return "", usage(errors.New(a.words.Say("run.bad_agent", nil)))
	case own || known(kind):
		return kind, nil
	}
	return "", usage(errors.New(a.words.Say("run.unknown_agent", locale.Args{
		"name": terminal.OneLine(name), "near": near(string(kind)), "names": strings.Join(names(), ", "),
	})))
}

// workFolder is the folder that the agent works in. That it can be worked in is
// seen when the task is made.
func (a *app) workFolder(dir string) (string, error) {
	if dir == "" {
		dir = "."
	}
	dir, err := filepath.Abs(dir)
	if errors.Is(err, os.ErrNotExist) { // where we are is gone
		return "", usage(errors.New(a.say("run.lost_folder")))
	}
	if err != nil {
		return "", fmt.Errorf("find folder: %w", err)
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", usage(errors.New(a.words.Say("run.no_folder", locale.Args{"dir": terminal.OneLine(dir)})))
	case err == nil && !info.IsDir():
		return "", usage(errors.New(a.words.Say("run.not_a_folder", locale.Args{"dir": terminal.OneLine(dir)})))
	}
	return dir, nil
}

// readPrompt is the prompt as given, or stdin to its end for "-".
func (a *app) readPrompt(text string) (string, error) {
	if text == "-" {
		b, err := io.ReadAll(io.LimitReader(a.env.In, longestPrompt+1))
		if err != nil {
			return "", fmt.Errorf("read prompt: %w", err)
		}
		text = string(b)
	}
	switch {
	case strings.TrimSpace(text) == "":
		return "", usage(errors.New(a.say("run.no_prompt")))
	case len(text) > longestPrompt:
		return "", usage(errors.New(a.say("run.long_prompt")))
	case !utf8.ValidString(text):
		return "", usage(errors.New(a.say("run.bad_prompt")))
	}
	return text, nil
}

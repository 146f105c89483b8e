package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/locale"
	"turnwatch/locales"
)

// Env is where a command runs: its three files and its environment.
type Env struct {
	In, Out, Err *os.File
	Getenv       func(string) string
}

// Main answers the command line of this process and returns its exit status.
func Main() int {
	return Run(context.Background(), Env{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}, os.Args[1:])
}

// app is what every command shares.
type app struct {
	env   Env
	words *locale.Words
	data  string // --data
	log   string // --log
}

// Run answers a command line and returns the exit status. It blocks as long as
// the command does.
func Run(ctx context.Context, env Env, args []string) int {
	words, err := locale.Open(locales.Files, locale.Languages(env.Getenv)...)
	if err != nil {
		_, _ = fmt.Fprintln(env.Err, "tw:", err)
		return StatusError
	}
	a := &app{env: env, words: words}
	root := a.root()
	root.SetArgs(args)
	err = root.ExecuteContext(ctx)
	if err == nil {
		return StatusOK
	}
	var s *statusError
	if !errors.As(err, &s) { // cobra found fault with the command line
		s = &statusError{status: StatusUsage, err: err}
	}
	if s.err != nil {
		_, _ = fmt.Fprintln(env.Err, "tw: "+a.explain(s.err))
	}
	if s.status == StatusUsage {
		_, _ = fmt.Fprintln(env.Err, words.Say("cli.see_help", nil))
	}
	return s.status
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use: "tw", Short: a.say("cli.short"), Long: a.say("cli.long"),
		SilenceErrors: true, SilenceUsage: true, SuggestionsMinimumDistance: 2,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return usage(errors.New(a.words.Say("cli.unknown_command", locale.Args{
				"name": args[0], "near": strings.Join(cmd.SuggestionsFor(args[0]), ", "),
			})))
		},
		PersistentPreRunE: func(*cobra.Command, []string) error {
			_, err := a.logger() // a wrong --log is wrong for every command
			return err
		},
		RunE: help,
	}
	root.SetIn(a.env.In)
	root.SetOut(a.env.Out)
	root.SetErr(a.env.Err)
	root.PersistentFlags().StringVar(&a.data, "data", "", a.say("flag.data"))
	root.PersistentFlags().StringVar(&a.log, "log", "off", a.say("flag.log"))
	root.AddCommand(a.runCommand(), a.agentsCommand(), a.historyCommand(), a.exportCommand(),
		a.demoCommand(), a.mcpCommand(), a.replayCommand(), a.detectCommand(), a.classifyCommand(),
		a.diagnoseCommand(), a.remediationCommand(), a.sanitizeCommand(), a.doctorCommand(), a.versionCommand(), a.licencesCommand(), a.manCommand())
	a.strictCompletion(root)
	return root
}

func help(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// strictCompletion has the command that completes for a shell refuse shells that
// it does not know.
func (a *app) strictCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil || cmd == root {
		return
	}
	cmd.RunE = help
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var shells []string
		for _, s := range cmd.Commands() {
			shells = append(shells, s.Name())
		}
		return usage(errors.New(a.words.Say("cli.unknown_shell", locale.Args{
			"name": terminal.OneLine(args[0]), "shells": strings.Join(shells, ", "),
		})))
	}
}

// noArgs refuses arguments.
func (a *app) noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage(errors.New(a.words.Say("cli.stray_argument", locale.Args{
		"command": cmd.CommandPath(), "value": terminal.OneLine(args[0]),
	})))
}

func (a *app) say(key string) string { return a.words.Say(key, nil) }

// folder is the data folder: --data, or the platform's own place.
func (a *app) folder() (string, error) {
	if a.data == "" {
		return filepath.Join(xdg.DataHome, "turnwatch"), nil
	}
	dir, err := filepath.Abs(a.data)
	if err != nil {
		return "", fmt.Errorf("find data folder: %w", err)
	}
	return dir, nil
}

// logger writes to stderr from the level of --log on.
func (a *app) logger() (*slog.Logger, error) {
	if a.log == "off" {
		return slog.New(slog.DiscardHandler), nil
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(a.log)); err != nil {
		return nil, usage(errors.New(a.words.Say("cli.bad_log", locale.Args{"value": a.log})))
	}
	return slog.New(slog.NewTextHandler(io.Writer(a.env.Err), &slog.HandlerOptions{Level: level})), nil
}

package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/demo"
	"turnwatch/backend/locale"
	"turnwatch/backend/opencode"
)

// demoCommand makes this program the scripted agent. Its stdout is the protocol.
func (a *app) demoCommand() *cobra.Command {
	o := demo.Options{Version: version(), Password: a.env.Getenv(opencode.PasswordVar)}
	o.Port, _ = strconv.Atoi(a.env.Getenv(opencode.PortVar)) // anything else is nowhere
	list := false
	cmd := &cobra.Command{
		Use: "demo-agent", Short: a.say("demo.short"), Long: a.say("demo.long"), Args: a.noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if list {
				return broken(a.scenarios())
			}
			if _, ok := demo.Find(o.Scenario); !ok {
				return usage(errors.New(a.words.Say("demo.unknown", locale.Args{"name": terminal.OneLine(o.Scenario)})))
			}
			if !(o.Pace >= 0) || math.IsInf(o.Pace, 0) { // NaN is no pace either
				return usage(errors.New(a.say("demo.bad_pace")))
			}
			err := demo.Run(cmd.Context(), a.env.In, a.env.Out, a.env.Err, o)
			if errors.Is(err, demo.ErrCrashed) {
				return quit(StatusError)
			}
			if err != nil {
				err = fmt.Errorf("run demo agent: %w", err)
			}
			return broken(err)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Scenario, "scenario", demo.DefaultScenario, a.say("flag.scenario"))
	flags.Float64Var(&o.Pace, "pace", 1, a.say("flag.pace"))
	flags.BoolVar(&o.RealTools, "real-tools", false, a.say("flag.real_tools"))
	flags.BoolVar(&list, "list", false, a.say("flag.list"))
	_ = cmd.RegisterFlagCompletionFunc("scenario", cobra.FixedCompletions(scenarioNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// scenarios lists what the agent can play.
func (a *app) scenarios() error {
	list := terminal.NewList(a.env.Out, terminal.LookOf(a.env.Out, a.env.Getenv))
	for _, s := range demo.Scenarios() {
		list.Entry(terminal.Cyan, terminal.Now, s.Name, s.Description)
	}
	return list.Err()
}

func scenarioNames() []string {
	var names []string
	for _, s := range demo.Scenarios() {
		names = append(names, s.Name)
	}
	return names
}

package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"turnwatch/backend/about"
	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/locale"
)

// licenceLine is a work as --json tells it.
type licenceLine struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	From    string `json:"from"`
	Licence string `json:"licence"`
}

// licencesCommand shows the notices that the licences of others ask to be passed
// on. Only packages have them.
func (a *app) licencesCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "licences [NAME]", Aliases: []string{"licenses"}, Short: a.say("licences.short"), Long: a.say("licences.long"),
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			n, err := a.notices()
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return a.licenceTexts(n, args[0])
			}
			if asJSON {
				out := jsonl{w: a.env.Out}
				for _, w := range n.Works {
					out.put(licenceLine{Name: w.Name, Version: w.Version, From: w.From, Licence: w.Licence})
				}
				return broken(out.err)
			}
			for _, w := range n.Works {
				if _, err := fmt.Fprintf(a.env.Out, "%s %s  %s\n", terminal.OneLine(w.Name), terminal.OneLine(w.Version), terminal.OneLine(w.Licence)); err != nil {
					return broken(err)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, a.say("flag.json"))
	return cmd
}

func (a *app) notices() (about.Notices, error) {
	self, err := os.Executable()
	if err != nil {
		return about.Notices{}, broken(fmt.Errorf("find own program: %w", err))
	}
	n, err := about.ReadNotices(self)
	if errors.Is(err, about.ErrNoNotices) {
		return n, broken(errors.New(a.words.Say("licences.none", nil)))
	}
	return n, broken(err)
}

func (a *app) licenceTexts(n about.Notices, name string) error {
	i := slices.IndexFunc(n.Works, func(w about.Work) bool { return w.Name == name })
	if i < 0 {
		return usage(errors.New(a.words.Say("licences.unknown", locale.Args{"name": terminal.OneLine(name)})))
	}
	for _, t := range n.Works[i].Texts {
		if _, err := fmt.Fprintln(a.env.Out, n.Texts[t]); err != nil {
			return broken(err)
		}
	}
	return nil
}

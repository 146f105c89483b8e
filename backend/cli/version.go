package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"turnwatch/backend/about"
	"turnwatch/backend/locale"
)

// version is what this program calls its version.
func version() string { return about.Version() }

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "version", Short: a.say("version.short"), Args: a.noArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				out := jsonl{w: a.env.Out}
				out.put(about.This())
				return broken(out.err)
			}
			_, err := fmt.Fprintln(a.env.Out, "tw", version())
			return broken(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, a.say("flag.json"))
	return cmd
}

// manCommand writes the manual pages, for packages.
func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man FOLDER", Short: a.say("man.short"), Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return broken(fmt.Errorf("make folder: %w", err))
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			err := doc.GenManTree(root, &doc.GenManHeader{
				Title: "TW", Section: "1", Source: "Turnwatch", Manual: a.words.Say("man.title", locale.Args{}),
			}, args[0])
			return broken(err)
		},
	}
}

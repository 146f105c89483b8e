package cli

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"turnwatch/backend/locale"
)

// version is the release, or the commit that the program was built from, or "dev".
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "dev-" + s.Value[:12]
		}
	}
	return "dev"
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: a.say("version.short"), Args: a.noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.env.Out, "tw", version())
			return broken(err)
		},
	}
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

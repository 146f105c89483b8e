package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"turnwatch/backend/mcp"
)

// mcpCommand makes this program the MCP server of one session. Its stdout is the
// protocol; where it belongs stands in the environment.
func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Short: a.say("mcp.short"), Long: a.say("mcp.long"), Args: a.noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			socket, token := a.env.Getenv(mcp.EnvSocket), a.env.Getenv(mcp.EnvToken)
			if socket == "" || token == "" {
				return usage(errors.New(a.say("mcp.alone")))
			}
			err := mcp.Serve(cmd.Context(), version(), io.NopCloser(a.env.In), unclosed{a.env.Out},
				func(ctx context.Context) (mcp.Reply, error) { return mcp.Ask(ctx, socket, token) })
			return broken(err)
		},
	}
}

// unclosed keeps the output open: it is the program's, not the server's.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

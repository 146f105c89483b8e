package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"turnwatch/build/task/internal/host"
	"turnwatch/build/task/internal/step"
)

// ensure makes sure that the machine has what a verb needs: it installs what is
// missing, or returns a usageError with the command that the user has to run.
// Nothing is asked of a package manager when nothing is missing.
func (t *task) ensure(ctx context.Context, needs ...host.Need) error {
	return t.console.Do(ctx, "needs", func(ctx context.Context, log io.Writer) (string, error) {
		machine := host.This(ctx)
		missing := machine.Missing(needs...)
		if len(missing) == 0 {
			return join(needs) + " there", nil
		}
		plan := machine.PlanFor(missing)
		if plan.ByHand != "" {
			return "", usageError{plan.ByHand}
		}
		for _, args := range plan.Commands {
			c := step.Command{Dir: t.root, Env: []string{"DEBIAN_FRONTEND=noninteractive"}, Args: args}
			if err := step.Run(ctx, c, log); err != nil {
				return "", fmt.Errorf("install %s: %w", join(missing), err)
			}
		}
		if still := machine.Missing(needs...); len(still) > 0 {
			return "", fmt.Errorf("install %s: installed, yet %s does not work", join(missing), join(still))
		}
		return join(missing) + " installed", nil
	})
}

func join(needs []host.Need) string {
	words := make([]string, len(needs))
	for i, n := range needs {
		words[i] = string(n)
	}
	return strings.Join(words, ", ")
}

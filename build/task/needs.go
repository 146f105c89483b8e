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
	machine := host.This(ctx)
	missing := machine.Missing(needs...)
	plan := machine.PlanFor(missing)
	switch {
	case len(missing) == 0:
		return nil
	case plan.ByHand != "":
		return usageError{plan.ByHand}
	}
	return t.console.Do(ctx, "install "+join(missing), func(ctx context.Context, log io.Writer) (string, error) {
		for _, args := range plan.Commands {
			c := step.Command{Dir: t.root, Env: []string{"DEBIAN_FRONTEND=noninteractive"}, Args: args}
			if err := step.Run(ctx, c, log); err != nil {
				return "", err
			}
		}
		if still := machine.Missing(needs...); len(still) > 0 {
			return "", fmt.Errorf("%s does not work although it is installed: look at CC and PATH", join(still))
		}
		return "", nil
	})
}

func join(needs []host.Need) string {
	words := make([]string, len(needs))
	for i, n := range needs {
		words[i] = string(n)
	}
	return strings.Join(words, ", ")
}

package main

import (
	"context"

	"turnwatch/build/task/internal/host"
)

// mutate makes each deliberate mistake of the lists of a turn and of the
// auto-resume policy (testdata/mutations.txt), one by one, and expects the test that the list names to fail. With -match only
// the mistakes whose name matches are made.
func mutate(ctx context.Context, t *task) error {
	if err := t.ensure(ctx, host.CCompiler); err != nil {
		return err
	}
	run := "^(TestMutations|TestTheMutationsNameTestsThatExist)$"
	if t.options.match != "" {
		run = "^TestMutations$/" + t.options.match
	}
	return t.command(ctx, "mistakes in the rules", nil, "go", "test", "-tags", tags+",mutations", "-count", "1",
		"-run", run, "-timeout", "45m", "./backend/turn")
}

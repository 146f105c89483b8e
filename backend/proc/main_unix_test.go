//go:build unix

package proc_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// roleVar makes the test binary play a program instead of testing one.
const roleVar = "PROC_TEST_ROLE"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		os.Exit(play(role))
	}
	goleak.VerifyTestMain(m)
}

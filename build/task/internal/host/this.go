package host

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// patience bounds each question put to the machine.
const patience = 20 * time.Second

// This is the machine the runner runs on. Each answer is looked up when it is
// asked for.
func This(ctx context.Context) Machine {
	return Machine{
		OS:      runtime.GOOS,
		Root:    os.Geteuid() == 0,
		Has:     onPath,
		Compile: func() bool { return compiles(ctx) },
		Library: func(name string) bool { return quietly(ctx, "pkg-config", "--exists", name) },
		Writes:  func(language string) bool { return writes(ctx, language) },
		Sudo:    func() bool { return quietly(ctx, "sudo", "-n", "true") },
	}
}

func onPath(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// compiles asks the C compiler that Go would use for the headers of the C
// library: gcc alone is not enough on a machine without them.
func compiles(ctx context.Context) bool {
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "gcc"
		if runtime.GOOS == "darwin" {
			cc = "clang"
		}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	words := strings.Fields(cc)
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], "-fsyntax-only", "-x", "c", "-")...)
	cmd.Stdin = strings.NewReader("#include <stdlib.h>\n#include <pthread.h>\nint main(void) { return 0; }\n")
	return cmd.Run() == nil
}

// writes asks fontconfig, which lists nothing where no font has the letters.
func writes(ctx context.Context, language string) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	fonts, err := exec.CommandContext(ctx, "fc-list", ":lang="+language, "family").Output()
	return err == nil && len(bytes.TrimSpace(fonts)) > 0
}

func quietly(ctx context.Context, name string, args ...string) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return exec.CommandContext(ctx, name, args...).Run() == nil
}

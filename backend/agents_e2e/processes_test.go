//go:build agents

package agents_e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// process is a running process that carries a launch id.
type process struct {
	pid, ppid int
	name      string
	args      string
}

// launched lists the processes that Turnwatch launched for this bench, whoever
// their parent is by now. The bench is told by its home.
func (b *bench) launched() []process {
	t := b.t
	t.Helper()
	home := []byte("HOME=" + b.home + "\x00")
	dirs, err := filepath.Glob("/proc/[0-9]*")
	require.NoError(t, err)
	var out []process
	for _, dir := range dirs {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !bytes.Contains(env, []byte("TURNWATCH_LAUNCH=")) || !bytes.Contains(env, home) {
			continue
		}
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue
		}
		rest := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if rest[0] == "Z" {
			continue
		}
		args, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		p := process{args: strings.ReplaceAll(string(args), "\x00", " ")}
		p.name = string(stat[bytes.IndexByte(stat, '(')+1 : bytes.LastIndexByte(stat, ')')])
		p.pid, _ = strconv.Atoi(filepath.Base(dir))
		p.ppid, _ = strconv.Atoi(rest[1])
		out = append(out, p)
	}
	return out
}

// root is the process that was launched itself: its parent is this one.
func (b *bench) root() process {
	b.t.Helper()
	for _, p := range b.launched() {
		if p.ppid == os.Getpid() {
			return p
		}
	}
	b.t.Fatal("no agent is running")
	return process{}
}

// eventually waits for something outside that gives no signal of its own.
func (b *bench) eventually(bound time.Duration, what string, ok func() bool) {
	b.t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(bound)
	for !ok() {
		select {
		case <-tick.C:
		case <-limit:
			more, _ := b.watch.Take()
			b.waiting = append(b.waiting, more...)
			b.facts = append(b.facts, b.waiting...)
			b.t.Fatalf("after %s not yet: %s; heard %s", bound, what, b.heard())
		}
	}
}

func typeName(v any) string { return fmt.Sprintf("%T", v) }

package npm

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"turnwatch/build/task/internal/stamp"
	"turnwatch/build/task/internal/step"
)

// attempts is how often an install is tried.
const attempts = 3

// Cache is the folder of the agents: one folder each, with a stamp beside it.
type Cache struct {
	Dir string
	// Run runs npm; step.Run outside of tests.
	Run func(ctx context.Context, c step.Command, out io.Writer) error
	// Pause waits before another try, or until ctx ends; Wait outside of tests.
	Pause func(ctx context.Context, d time.Duration) error
}

// Wait waits for d, or until ctx ends, and then returns its cause.
func Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Bin is the folder with the programs of an installed agent.
func (c Cache) Bin(a Agent) string { return filepath.Join(c.Dir, a.Name, "node_modules", ".bin") }

// Key is the state that an installed agent is in.
func (a Agent) Key() stamp.Key {
	return stamp.Of(append([]string{a.Name, a.Program, a.Native}, a.Packages...)...)
}

// Ready tells whether an agent is there, exactly as pinned.
func (c Cache) Ready(a Agent) bool {
	_, err := os.Stat(filepath.Join(c.Bin(a), a.Program))
	return err == nil && stamp.Folder(c.Dir).Done(a.Name, a.Key())
}

// Install makes an agent ready and says in a few words what was done. An
// install that fails is tried three times, each time from an empty folder, with
// what npm said on out. A cancelled one leaves no stamp, so it starts again at
// the next run.
func (c Cache) Install(ctx context.Context, a Agent, out io.Writer) (string, error) {
	if c.Ready(a) {
		return "there already", nil
	}
	var err error
	for try := range attempts {
		if try > 0 {
			_, _ = fmt.Fprintf(out, "try %d failed: %v\n", try, err)
			if stop := c.Pause(ctx, time.Duration(try*try)*3*time.Second); stop != nil {
				return "", stop
			}
		}
		if err = c.attempt(ctx, a, out); err == nil || ctx.Err() != nil {
			break
		}
	}
	if err != nil {
		return "", fmt.Errorf("install %s: %w", strings.Join(a.Packages, " "), err)
	}
	if err := stamp.Folder(c.Dir).Mark(a.Name, a.Key()); err != nil {
		return "", err
	}
	size, err := sizeOf(filepath.Join(c.Dir, a.Name))
	return fmt.Sprintf("%d MB", size>>20), err
}

func (c Cache) attempt(ctx context.Context, a Agent, out io.Writer) error {
	dir := filepath.Join(c.Dir, a.Name)
	if err := stamp.Folder(c.Dir).Forget(a.Name); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("empty folder of agent: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make folder of agent: %w", err)
	}
	args := append([]string{"npm", "install", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"}, a.Packages...)
	if err := c.Run(ctx, step.Command{Dir: dir, Args: args}, out); err != nil {
		return err
	}
	return c.link(a)
}

// link makes sure that the program stands where the tests look for it.
func (c Cache) link(a Agent) error {
	program := filepath.Join(c.Bin(a), a.Program)
	if a.Native != "" {
		if err := os.MkdirAll(c.Bin(a), 0o755); err != nil {
			return fmt.Errorf("make folder of programs: %w", err)
		}
		native := filepath.Join(c.Dir, a.Name, "node_modules", filepath.FromSlash(a.Native))
		_ = os.Remove(program) // npm may have linked it already
		if err := os.Link(native, program); err != nil {
			return fmt.Errorf("link program: %w", err)
		}
	}
	if _, err := os.Stat(program); err != nil {
		return fmt.Errorf("find program after the install: %w", err)
	}
	return nil
}

func sizeOf(dir string) (int64, error) {
	var total int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".bin" {
			return fs.SkipDir // links to what is counted elsewhere
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("measure %s: %w", dir, err)
	}
	return total, nil
}

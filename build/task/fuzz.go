package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"turnwatch/build/task/internal/host"
)

// fuzzTime is how long each target is fuzzed unless -time says otherwise.
const fuzzTime = 5 * time.Second

// target is a fuzz target and the room that it is in.
type target struct{ room, name string }

// fuzz runs every fuzz target for some seconds, one after the other, or those
// whose name matches. What it finds is written beside the target and fails the
// tests from then on.
func fuzz(ctx context.Context, t *task) error {
	if err := t.ensure(ctx, host.CCompiler); err != nil {
		return err
	}
	all, err := fuzzTargets(t.root, t.options.match)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("find fuzz targets: none matches %q", t.options.match)
	}
	each := t.options.time
	if each == 0 {
		each = fuzzTime
	}
	for _, f := range all {
		err := t.command(ctx, "fuzz "+f.name+" of "+f.room, nil, "go", "test", "-tags", tags, "-run", "^$",
			"-fuzz", "^"+f.name+"$", "-fuzztime", each.String(), "-fuzzminimizetime", "2s", "-parallel", strconv.Itoa(runtime.NumCPU()), f.room)
		if err != nil {
			return err
		}
	}
	return nil
}

// fuzzTargets finds the targets whose name matches, in the order of their rooms.
func fuzzTargets(root, match string) ([]target, error) {
	wanted, err := regexp.Compile(match)
	if err != nil {
		return nil, usageError{"-match is no regular expression: " + err.Error()}
	}
	function := regexp.MustCompile(`(?m)^func (Fuzz\w*)\(`)
	var found []target
	err = filepath.WalkDir(filepath.Join(root, "backend"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		for _, m := range function.FindAllSubmatch(text, -1) {
			if wanted.Match(m[1]) {
				found = append(found, target{room: "./" + filepath.ToSlash(rel), name: string(m[1])})
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find fuzz targets: %w", err)
	}
	return found, nil
}

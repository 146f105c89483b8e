package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"turnwatch/build/task/internal/benchtable"
	"turnwatch/build/task/internal/host"
	"turnwatch/build/task/internal/step"
)

// bench runs the benchmarks of all rooms, one after the other, shows the table
// and puts it into README.md. With -match the README stays as it is: a part of
// the table must not stand for the whole.
func bench(ctx context.Context, t *task) error {
	if err := t.ensure(ctx, host.CCompiler); err != nil {
		return err
	}
	rooms, err := benchRooms(t.root)
	if err != nil {
		return err
	}
	if len(rooms) == 0 {
		return errors.New("find benchmarks: no room has one")
	}
	table, err := t.figures(ctx, rooms)
	if err != nil {
		return err
	}
	t.console.Println("\n" + table)
	if t.options.match != "" {
		t.console.Println("README.md is left as it is: -match ran only a part")
		return nil
	}
	return t.put(table, "README.md")
}

// figures runs the benchmarks and renders what they printed.
func (t *task) figures(ctx context.Context, rooms []string) (string, error) {
	var printed bytes.Buffer
	pattern := cmp.Or(t.options.match, ".")
	long := cmp.Or(t.options.time, time.Second)
	// No -race: it would be measured, too. -p 1: nothing else runs meanwhile.
	args := []string{
		"go", "test", "-tags", tags, "-run", "^$", "-bench", pattern, "-benchmem", "-p", "1", "-timeout", "30m",
		"-count", strconv.Itoa(t.options.count), "-benchtime", long.String(),
	}
	err := t.console.Do(ctx, "benchmarks", func(ctx context.Context, log io.Writer) (string, error) {
		c := step.Command{Dir: t.root, Args: append(args, rooms...), Complaints: log}
		err := step.Run(ctx, c, io.MultiWriter(&printed, log))
		return fmt.Sprintf("%d rooms", len(rooms)), err
	})
	if err != nil {
		return "", err
	}
	run, err := benchtable.Parse(&printed)
	if err != nil {
		return "", err
	}
	if len(run.Results) == 0 {
		return "", fmt.Errorf("run benchmarks: none matches %q", pattern)
	}
	return benchtable.Markdown(run, runtime.Version()), nil
}

// benchRooms lists the folders below backend whose tests have a benchmark, as
// arguments for go test, so that nothing is linked in vain.
func benchRooms(root string) ([]string, error) {
	benchmark := regexp.MustCompile(`(?m)^func Benchmark\w*\(`)
	var rooms []string
	err := filepath.WalkDir(filepath.Join(root, "backend"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || !benchmark.Match(data) {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if room := "./" + filepath.ToSlash(rel); err == nil && !slices.Contains(rooms, room) {
			rooms = append(rooms, room)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find benchmarks: %w", err)
	}
	return rooms, nil
}

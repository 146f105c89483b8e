package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"turnwatch/build/task/internal/benchtable"
	"turnwatch/build/task/internal/figures"
	"turnwatch/build/task/internal/host"
	"turnwatch/build/task/internal/step"
)

// How the window is measured where the flags say nothing else.
const (
	figureRounds = 5
	figureTime   = time.Minute
	figureParts  = 10_000
)

// measureWindow is the verb figures: it starts the window that is shipped, a window
// of Wails in which nothing is done, and Chromium with the same page, in turn and
// on a screen of their own, and shows what each takes.
func measureWindow(ctx context.Context, t *task) error {
	if runtime.GOOS != "linux" {
		return usageError{"the window is measured on Linux: /proc counts memory and time, Xvfb shows what is painted"}
	}
	work, err := t.figurePrograms(ctx)
	if err != nil {
		return err
	}
	env, err := t.npmReady(ctx)
	if err != nil {
		return err
	}
	wanted, err := json.Marshal(work)
	if err != nil {
		return fmt.Errorf("say what is to be measured: %w", err)
	}
	err = t.console.Do(ctx, "measure the windows", func(ctx context.Context, log io.Writer) (string, error) {
		c := step.Command{
			Dir: filepath.Join(t.root, "frontend"), Env: env,
			Args: []string{"node", "e2e/figures/figures.mjs", string(wanted)},
		}
		return "", step.Run(ctx, c, log)
	})
	if err != nil {
		return err
	}
	measured, err := os.ReadFile(work.Out)
	if err != nil {
		return fmt.Errorf("read what was measured: %w", err)
	}
	run, err := figures.Parse(measured)
	if err != nil {
		return err
	}
	table := figures.Markdown(run, t.conditions(ctx, run, work.Chromium))
	t.console.Println("\n" + table)
	if !t.options.markdown {
		return nil
	}
	return t.put(table, filepath.Join("docs", "figures.md"))
}

// figureWork is what the measuring program is told.
type figureWork struct {
	Window   string  `json:"window"`
	Hello    string  `json:"hello"`
	Bridge   string  `json:"bridge"`
	Chromium string  `json:"chromium"`
	Page     string  `json:"page"`
	Rounds   int     `json:"rounds"`
	Seconds  float64 `json:"seconds"`
	Parts    int     `json:"parts"`
	Out      string  `json:"out"`
}

// figurePrograms builds what is measured.
func (t *task) figurePrograms(ctx context.Context) (figureWork, error) {
	work := figureWork{
		Page: filepath.Join(t.root, "frontend", "dist"), Hello: t.program("hello"), Out: t.bin("figures.json"),
		Rounds: figureRounds, Seconds: figureTime.Seconds(), Parts: figureParts,
	}
	if t.options.count > 1 {
		work.Rounds = t.options.count
	}
	if t.options.time > 0 {
		work.Seconds = t.options.time.Seconds()
	}
	err := t.ensure(ctx, host.CCompiler, host.Window, host.Screen)
	if err == nil {
		work.Chromium, err = t.browser(ctx)
	}
	if err == nil {
		work.Window, err = t.buildWindow(ctx)
	}
	if err == nil {
		work.Bridge, err = t.plainBridge(ctx)
	}
	if err == nil {
		err = t.command(ctx, "build the bare window", nil, "go", "build", "-trimpath", "-tags", windowTags(runtime.GOOS),
			"-ldflags", "-s -w", "-o", work.Hello, "./build/task/testdata/hello")
	}
	return work, err
}

// conditions says on what was measured, and how.
func (t *task) conditions(ctx context.Context, r figures.Run, chromium string) string {
	ask := func(args ...string) string {
		out, err := step.Output(ctx, step.Command{Args: args})
		if err != nil {
			return "unknown"
		}
		return strings.TrimSpace(out)
	}
	load := "unknown"
	if len(r.Load) == 2 {
		load = fmt.Sprintf("%.1f to %.1f", r.Load[0], r.Load[1])
	}
	return fmt.Sprintf("%d rounds in turn, medians; %s; %d cores, load of the machine %s; WebKitGTK %s, %s, %s. The screen is Xvfb: there is no GPU, "+
		"every pixel is painted by the processor. Wall times and frames are those of a machine with this load; WebKit paints at most 60 frames a second.",
		r.Rounds, processor(), runtime.NumCPU(), load, ask("pkg-config", "--modversion", "webkit2gtk-4.1"), ask(chromium, "--version"), runtime.Version())
}

// processor is the name of the machine's processor.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "an unknown processor"
	}
	for line := range strings.Lines(string(info)) {
		if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "an unknown processor"
}

// put writes a table into the place that a document has for it.
func (t *task) put(table, document string) error {
	path := filepath.Join(t.root, document)
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read %s: %w", document, err)
	}
	made, err := benchtable.Splice(string(text), table)
	if err != nil {
		return fmt.Errorf("put table into %s: %w", document, err)
	}
	if err := os.WriteFile(path, []byte(made), 0o644); err != nil {
		return errors.Join(fmt.Errorf("write %s", document), err)
	}
	t.console.Println(document + " has the table")
	return nil
}

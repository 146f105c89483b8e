package gotest

import (
	"bytes"
	"strings"
)

// Watcher is the io.Writer that go test -json writes to. It is not safe for use
// from several goroutines, and need not be: one command writes to it.
type Watcher struct {
	show     func(line string)
	rest     []byte
	packages map[string]*pkg
	builds   map[string]*strings.Builder // what the compiler said, by import path
	sum      Summary
}

// pkg is what is known of a package whose tests run.
type pkg struct {
	tests map[string]*test
	said  strings.Builder // what no single test said
}

// test is one test, subtest, example or fuzz target.
type test struct {
	said        strings.Builder
	parent      bool // it has subtests
	childFailed bool
}

// Watch makes a watcher. It calls show with each line that is worth showing: one
// for each package that has tests, and all that failing tests and the compiler
// said.
func Watch(show func(line string)) *Watcher {
	return &Watcher{show: show, packages: map[string]*pkg{}, builds: map[string]*strings.Builder{}}
}

// Write takes any piece of the output. It never fails.
func (w *Watcher) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	for {
		line, rest, found := bytes.Cut(w.rest, []byte("\n"))
		if !found {
			return len(p), nil
		}
		w.line(bytes.TrimRight(line, "\r"))
		w.rest = rest
	}
}

// Summary counts what was seen. Call it when the command has ended.
func (w *Watcher) Summary() Summary {
	if len(w.rest) > 0 {
		w.line(w.rest)
		w.rest = nil
	}
	return w.sum
}

func (w *Watcher) line(line []byte) {
	e, ok := parse(line)
	if !ok {
		if text := string(bytes.TrimSpace(line)); text != "" {
			w.show(text)
		}
		return
	}
	switch {
	case e.Action == "build-output":
		w.built(e.ImportPath).WriteString(e.Output)
	case e.Action == "build-fail":
		w.block(w.built(e.ImportPath).String())
	case e.Test != "":
		w.ofTest(e)
	case e.Package != "":
		w.ofPackage(e)
	}
}

func (w *Watcher) built(path string) *strings.Builder {
	if w.builds[path] == nil {
		w.builds[path] = &strings.Builder{}
	}
	return w.builds[path]
}

func (w *Watcher) pkg(path string) *pkg {
	if w.packages[path] == nil {
		w.packages[path] = &pkg{tests: map[string]*test{}}
	}
	return w.packages[path]
}

func (p *pkg) test(name string) *test {
	if p.tests[name] == nil {
		p.tests[name] = &test{}
		if up, ok := parentOf(name); ok {
			p.test(up).parent = true
		}
	}
	return p.tests[name]
}

func parentOf(name string) (string, bool) {
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return "", false
	}
	return name[:i], true
}

func (w *Watcher) ofTest(e event) {
	p := w.pkg(e.Package)
	t := p.test(e.Test)
	switch e.Action {
	case "output":
		if !isFrame(e.Output) {
			t.said.WriteString(e.Output)
		}
	case "pass":
		w.sum.Passed += leaf(t)
		t.said.Reset()
	case "skip":
		w.sum.Skipped += leaf(t)
		w.sum.Skips = append(w.sum.Skips, Skip{Test: e.Package + "." + e.Test, Reason: reason(t.said.String())})
	case "fail":
		if up, ok := parentOf(e.Test); ok {
			p.test(up).childFailed = true
		}
		if !t.childFailed {
			w.sum.Failed++
			w.sum.Failures = append(w.sum.Failures, e.Package+"."+e.Test)
		}
		w.block(t.said.String())
	}
}

// leaf is 1 for a test that counts: one without subtests.
func leaf(t *test) int {
	if t.parent {
		return 0
	}
	return 1
}

func (w *Watcher) ofPackage(e event) {
	p := w.pkg(e.Package)
	switch e.Action {
	case "output":
		w.packageSaid(p, e.Output)
	case "pass":
		w.sum.Packages++
	case "fail":
		w.packageFailed(e.Package, p)
	}
	if e.Action == "pass" || e.Action == "fail" || e.Action == "skip" {
		delete(w.packages, e.Package)
	}
}

func (w *Watcher) packageSaid(p *pkg, output string) {
	line := strings.TrimRight(output, "\n")
	switch {
	case strings.HasPrefix(line, "ok  \t"), strings.HasPrefix(line, "FAIL\t"):
		w.show(line)
		if strings.HasSuffix(line, "(cached)") {
			w.sum.Cached++
		}
	case line == "PASS", line == "FAIL", strings.HasPrefix(line, "?   \t"), strings.Contains(line, "[no test files]"):
	default:
		p.said.WriteString(output)
	}
}

// packageFailed shows what the package said when it was no test that failed: a
// panic, a time-out, a leak found by TestMain, a build.
func (w *Watcher) packageFailed(path string, p *pkg) {
	w.sum.Packages++
	w.sum.FailedPackages++
	w.block(p.said.String())
	for _, name := range w.sum.Failures {
		if strings.HasPrefix(name, path+".") {
			return
		}
	}
	for _, t := range p.tests {
		w.block(t.said.String())
	}
	w.sum.Failed++
	w.sum.Failures = append(w.sum.Failures, path+" (the package itself)")
}

func (w *Watcher) block(text string) {
	if text = strings.TrimRight(text, "\n"); text != "" {
		w.show(text)
	}
}

// isFrame tells the lines by which go test -v frames tests.
func isFrame(output string) bool {
	for _, mark := range []string{"=== RUN", "=== PAUSE", "=== CONT", "=== NAME"} {
		if strings.HasPrefix(output, mark) {
			return true
		}
	}
	return false
}

// reason finds why a test was skipped: its last words before the frame.
func reason(said string) string {
	last := ""
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "--- SKIP") {
			last = line
		}
	}
	if last == "" {
		return "no reason given"
	}
	return last
}

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"turnwatch/build/task/internal/bom"
	"turnwatch/build/task/internal/notice"
	"turnwatch/build/task/internal/step"
)

// module is a Go module inside a program.
type module struct {
	version string
	dirs    []string // its folder first, then those of its packages that are used
}

// papers writes the notices and the bill of materials.
func (p *packaging) papers(ctx context.Context) error {
	return p.console.Do(ctx, "notices and SBOM", func(ctx context.Context, log io.Writer) (string, error) {
		modules, err := p.linked(ctx)
		if err != nil {
			return "", err
		}
		bundled, err := p.bundled(ctx, log)
		if err != nil {
			return "", err
		}
		parts, err := p.parts()
		if err != nil {
			return "", err
		}
		list, err := p.gather(ctx, modules, bundled, parts)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%d works inside, %d in the bill", len(list.Works), len(parts)), p.writePapers(list, parts)
	})
}

// linked finds the Go modules that are inside the programs, of all systems.
func (p *packaging) linked(ctx context.Context) (map[string]*module, error) {
	found := map[string]*module{}
	for _, goos := range []string{"linux", "windows", "darwin"} {
		said, err := step.Output(ctx, step.Command{
			Dir: p.root, Env: []string{"GOOS=" + goos, "GOARCH=amd64", "CGO_ENABLED=1"},
			Args: []string{"go", "list", "-deps", "-tags", windowTags(goos), "-f", "{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}", ".", "./backend/cmd/tw"},
		})
		if err != nil {
			return nil, fmt.Errorf("list modules for %s: %w", goos, err)
		}
		for _, line := range strings.Split(said, "\n") {
			f := strings.Split(strings.TrimSpace(line), "\t")
			if len(f) != 4 || f[1] == "" {
				continue // ours, or of Go itself
			}
			m := found[f[0]]
			if m == nil {
				m = &module{version: f[1], dirs: []string{f[2]}}
				found[f[0]] = m
			}
			m.add(f[3])
		}
	}
	return found, nil
}

// add takes in the folder of a package and those between it and the module's.
func (m *module) add(dir string) {
	for ; strings.HasPrefix(dir, m.dirs[0]+string(filepath.Separator)); dir = filepath.Dir(dir) {
		if !slices.Contains(m.dirs, dir) {
			m.dirs = append(m.dirs, dir)
		}
	}
}

// bundled gives the paths of the npm packages that are inside the page: it is built
// once more, with a map of its sources.
func (p *packaging) bundled(ctx context.Context, log io.Writer) ([]string, error) {
	env, err := p.npmReady(ctx)
	if err != nil {
		return nil, err
	}
	dir := p.work("map")
	c := step.Command{Dir: filepath.Join(p.root, "frontend"), Env: env, Args: []string{"npx", "vite", "build", "--sourcemap", "--outDir", dir, "--emptyOutDir"}}
	if err := step.Run(ctx, c, log); err != nil {
		return nil, err
	}
	maps, err := filepath.Glob(filepath.Join(dir, "assets", "*.js.map"))
	if err != nil || len(maps) == 0 {
		return nil, fmt.Errorf("find source map of the page: none in %s", dir)
	}
	var names []string
	for _, path := range maps {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read source map: %w", err)
		}
		more, err := bom.Bundled(data)
		if err != nil {
			return nil, err
		}
		names = append(names, more...)
	}
	return names, nil
}

// parts lists everything that go.mod and the lock file of npm name.
func (p *packaging) parts() ([]bom.Part, error) {
	var texts [3][]byte
	for i, path := range []string{"go.mod", "go.sum", "frontend/package-lock.json"} {
		data, err := os.ReadFile(filepath.Join(p.root, filepath.FromSlash(path)))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		texts[i] = data
	}
	parts, err := bom.GoModules(string(texts[0]), string(texts[1]))
	if err != nil {
		return nil, err
	}
	more, err := bom.NPMPackages(texts[2])
	return append(parts, more...), err
}

// gather collects the notices of all that is inside, and marks it in parts.
func (p *packaging) gather(ctx context.Context, modules map[string]*module, bundled []string, parts []bom.Part) (notice.Notices, error) {
	var list notice.Notices
	for i := range parts {
		part := &parts[i]
		source := notice.Source{Name: part.Name, Version: part.Version, From: part.From, Says: part.Licence}
		switch m := modules[part.Name]; {
		case part.From == "go" && m != nil && m.version == part.Version:
			source.Dirs = m.dirs
			delete(modules, part.Name)
		case part.From == "npm" && slices.Contains(bundled, part.Path):
			source.Dirs = []string{filepath.Join(p.root, "frontend", filepath.FromSlash(part.Path))}
		default:
			continue
		}
		if err := list.Add(source); err != nil {
			return list, err
		}
		part.Inside = true
		last := slices.IndexFunc(list.Works, func(w notice.Work) bool {
			return w.Name == part.Name && w.Version == part.Version && w.From == part.From
		})
		part.Licence = list.Works[last].Licence
	}
	for name := range modules {
		return list, fmt.Errorf("gather notices: %s is inside, but go.mod does not name it", name)
	}
	return list, p.addBasics(ctx, &list)
}

var sqliteVersion = regexp.MustCompile(`#define SQLITE_VERSION +"([\d.]+)"`)

// addBasics takes in what no list of modules names: Go itself, and SQLite.
func (p *packaging) addBasics(ctx context.Context, list *notice.Notices) error {
	root, err := step.Output(ctx, step.Command{Dir: p.root, Args: []string{"go", "env", "GOROOT"}})
	if err != nil {
		return err
	}
	err = list.Add(notice.Source{Name: "Go", Version: strings.TrimPrefix(runtime.Version(), "go"), From: "upstream", Dirs: []string{strings.TrimSpace(root)}})
	if err != nil {
		return err
	}
	dir, err := step.Output(ctx, step.Command{Dir: p.root, Args: []string{"go", "list", "-m", "-f", "{{.Dir}}", "github.com/mattn/go-sqlite3"}})
	if err != nil {
		return err
	}
	header, err := os.ReadFile(filepath.Join(strings.TrimSpace(dir), "sqlite3-binding.h"))
	if err != nil {
		return fmt.Errorf("find version of SQLite: %w", err)
	}
	m := sqliteVersion.FindSubmatch(header)
	if m == nil {
		return fmt.Errorf("find version of SQLite: its header does not say it")
	}
	list.AddText(notice.Work{Name: "SQLite", Version: string(m[1]), From: "upstream", Licence: "blessing"},
		"The author of SQLite disclaims copyright to its source code. In place of a legal notice, here is a blessing:\n\n"+
			"May you do good and not evil.\nMay you find forgiveness for yourself and forgive others.\nMay you share freely, never taking more than you give.")
	return nil
}

func (p *packaging) writePapers(list notice.Notices, parts []bom.Part) error {
	for _, w := range list.Works {
		if w.From == "upstream" {
			parts = append(parts, bom.Part{Name: strings.ToLower(w.Name), Version: w.Version, From: w.From, Inside: true, Licence: w.Licence})
		}
	}
	bill, err := bom.Write(bom.Product{Name: "turnwatch", Version: p.version.String(), Licence: "Apache-2.0", Time: p.made}, parts)
	if err != nil {
		return err
	}
	data, err := list.JSON()
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"licences.json": data, "NOTICES.txt": []byte(list.Text()), "sbom.cdx.json": bill} {
		if err := put(p.work("papers", name), content, 0o644); err != nil {
			return err
		}
	}
	return put(p.out("turnwatch-"+p.version.String()+".cdx.json"), bill, 0o644)
}

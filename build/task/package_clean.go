package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"turnwatch/build/task/internal/release"
	"turnwatch/build/task/internal/stamp"
	"turnwatch/build/task/internal/step"
)

// clean is a Debian in a folder, of the release that this machine has, from where
// this machine's apt gets its own packages.
type clean struct {
	p    *packaging
	root string
}

// hasty has dpkg not wait for the disk: the system is thrown away.
const hasty = "DPkg::Options { \"--force-unsafe-io\"; };\n"

// codename gives the release of this machine, such as "bookworm".
func codename() (string, error) {
	data, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return "", fmt.Errorf("find release of this system: %w", err)
	}
	for _, line := range strings.Split(string(data), "\n") {
		if name, ok := strings.CutPrefix(line, "VERSION_CODENAME="); ok {
			return strings.Trim(name, `"`), nil
		}
	}
	return "", fmt.Errorf("find release of this system: /etc/os-release does not name it")
}

// mirror asks apt where it gets the packages of a release.
func (p *packaging) mirror(ctx context.Context, name string) (string, error) {
	said, err := step.Output(ctx, step.Command{Dir: p.root, Args: []string{
		"apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Release: " + name, "Component: main",
	}})
	if err != nil {
		return "", fmt.Errorf("ask apt for its mirror: %w", err)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if first == "" {
		return "", fmt.Errorf("ask apt for its mirror: it knows none for %s", name)
	}
	return first, nil
}

// newClean unpacks a system that nothing was ever installed on. The system is
// fetched once; what stands in the folder before is lost.
func (p *packaging) newClean(ctx context.Context) (clean, error) {
	c := clean{p: p, root: p.bin("package", "check", "root")}
	if err := os.RemoveAll(c.root); err != nil {
		return c, fmt.Errorf("empty folder of clean system: %w", err)
	}
	if err := os.MkdirAll(c.root, 0o755); err != nil {
		return c, fmt.Errorf("make folder of clean system: %w", err)
	}
	name, err := codename()
	if err != nil {
		return c, err
	}
	from, err := p.mirror(ctx, name)
	if err != nil {
		return c, err
	}
	archive, key := p.bin("package", "check", name+".tar"), stamp.Of(name, from)
	if _, err := os.Stat(archive); err != nil || !p.stamps().Done("debootstrap", key) {
		fetched := p.bin("package", "check", "fetched")
		if err := os.RemoveAll(fetched); err != nil {
			return c, fmt.Errorf("empty folder of clean system: %w", err)
		}
		if err := p.command(ctx, "fetch a clean Debian", nil, "debootstrap", "--variant=minbase", name, fetched, from); err != nil {
			return c, err
		}
		if err := p.command(ctx, "keep it", nil, "tar", "-C", fetched, "-cf", archive, "."); err != nil {
			return c, err
		}
		if err := os.RemoveAll(fetched); err != nil {
			return c, fmt.Errorf("empty folder of clean system: %w", err)
		}
		if err := p.stamps().Mark("debootstrap", key); err != nil {
			return c, err
		}
	}
	if err := p.command(ctx, "unpack a clean Debian", nil, "tar", "-C", c.root, "-xf", archive); err != nil {
		return c, err
	}
	return c, c.connect(ctx)
}

// connect gives the system the names of the network and this machine's way to its
// packages; those that were fetched before are used again.
func (c clean) connect(ctx context.Context) error {
	names, err := os.ReadFile("/etc/resolv.conf")
	if err == nil {
		err = put(filepath.Join(c.root, "etc", "resolv.conf"), names, 0o644)
	}
	if err != nil {
		return fmt.Errorf("give clean system its network: %w", err)
	}
	way, err := step.Output(ctx, step.Command{Dir: c.p.root, Args: []string{"apt-config", "dump", "--format", "%F \"%v\";%n", "Acquire"}})
	if err == nil {
		err = put(filepath.Join(c.root, "etc", "apt", "apt.conf.d", "90way"), []byte(way+hasty), 0o644)
	}
	if err != nil {
		return fmt.Errorf("give clean system its way to packages: %w", err)
	}
	return c.run(ctx, "clean: lists of packages", "apt-get", "update", "-q")
}

// enter is a command that runs inside.
func (c clean) enter(args ...string) step.Command {
	return step.Command{
		Dir: c.root, Env: []string{"DEBIAN_FRONTEND=noninteractive", "PKGSYSTEM_ENABLE_FSYNC=0", "HOME=/root", "LC_ALL=C.UTF-8", "LANG=C.UTF-8", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "XDG_DATA_HOME=", "XDG_CONFIG_HOME="},
		Args: append([]string{"sh", c.p.source("check", "enter.sh"), c.root}, args...),
	}
}

func (c clean) run(ctx context.Context, name string, args ...string) error {
	return c.p.console.Do(ctx, name, func(ctx context.Context, log io.Writer) (string, error) {
		return "", step.Run(ctx, c.enter(args...), log)
	})
}

func (c clean) says(ctx context.Context, name string, wants []string, args ...string) error {
	return c.p.said(ctx, name, c.enter(args...), wants...)
}

// install has apt install a package file with what it needs and nothing more.
func (c clean) install(ctx context.Context, name, file string) error {
	inside := filepath.Join(c.root, "var", "tmp", filepath.Base(file))
	if err := copyFile(inside, file, 0o644); err != nil {
		return err
	}
	return c.run(ctx, name, "apt-get", "install", "-y", "-q", "--no-install-recommends", "/var/tmp/"+filepath.Base(file))
}

// contents gives the sums of all files below a folder.
func contents(dir string) (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		files, err := release.Files(path)
		for _, f := range files {
			all[filepath.Join(path, f.Name)] = f.Sum
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", dir, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("look at %s: nothing is there", dir)
	}
	return all, nil
}

// unchanged makes sure that a folder holds what it held before.
func unchanged(dir string, before map[string]string) error {
	after, err := contents(dir)
	if err != nil {
		return err
	}
	if !maps.Equal(before, after) {
		names := slices.Sorted(maps.Keys(before))
		return fmt.Errorf("look at the user's data: it is not what it was; before: %s", strings.Join(names, ", "))
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"turnwatch/build/task/internal/host"
	"turnwatch/build/task/internal/step"
)

// check installs and runs what was made: the .deb on a clean system, the Windows
// installer under Wine; the .rpm is only looked into.
func (p *packaging) check(ctx context.Context) error {
	if os.Geteuid() != 0 {
		return usageError{"package -check makes a system of its own in a folder, which needs root: run it as root, in a virtual machine or a container"}
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return usageError{"package -check makes a clean Debian from where this machine's apt gets its packages: run it on Debian"}
	}
	if err := p.ensure(ctx, host.Bootstrap, host.RPM, host.SQLite, host.Wine, host.Screen, host.Git); err != nil {
		return err
	}
	var errs []error
	for _, do := range []func(context.Context) error{p.checkRPM, p.checkWindows, p.checkDeb} {
		if err := do(ctx); err != nil {
			if ctx.Err() != nil {
				return err
			}
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// said is a step that runs a command and makes sure that it says what it has to.
func (p *packaging) said(ctx context.Context, name string, c step.Command, wants ...string) error {
	return p.console.Do(ctx, name, func(ctx context.Context, log io.Writer) (string, error) {
		text, err := step.Output(ctx, c)
		_, _ = io.WriteString(log, text)
		if err != nil {
			return "", err
		}
		return "", lacks(text, wants)
	})
}

// lacks names what a text does not hold.
func lacks(text string, wants []string) error {
	var missing []string
	for _, w := range wants {
		if !strings.Contains(text, w) {
			missing = append(missing, fmt.Sprintf("%q", w))
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s is not in what it said", strings.Join(missing, ", "))
	}
	return nil
}

// installed are files that both Linux packages must bring.
func installed() []string {
	return []string{
		"/usr/bin/turnwatch", "/usr/bin/tw", "/usr/share/applications/turnwatch.desktop",
		"/usr/share/metainfo/" + appID + ".metainfo.xml",
		"/usr/share/icons/hicolor/16x16/apps/turnwatch.png", "/usr/share/icons/hicolor/512x512/apps/turnwatch.png",
		"/usr/share/icons/hicolor/scalable/apps/turnwatch.svg",
		"/usr/share/man/man1/turnwatch.1.gz", "/usr/share/man/man1/tw.1.gz", "/usr/share/man/man1/tw-run.1.gz",
		"/usr/share/bash-completion/completions/tw", "/usr/share/fish/vendor_completions.d/tw.fish",
		"/usr/share/turnwatch/licences.json", "/usr/share/turnwatch/NOTICES.txt", "/usr/share/turnwatch/sbom.cdx.json",
	}
}

// checkRPM looks into the .rpm: Debian has nothing to install it on.
func (p *packaging) checkRPM(ctx context.Context) error {
	files, err := filepath.Glob(p.out("*.rpm"))
	if err != nil || len(files) != 1 {
		return fmt.Errorf("find the .rpm: %d files", len(files))
	}
	query := func(args ...string) step.Command {
		return step.Command{Dir: p.root, Args: append(append([]string{"rpm"}, args...), files[0])}
	}
	if err := p.said(ctx, "rpm: its sums", query("-K", "--nosignature"), "OK"); err != nil {
		return err
	}
	if err := p.said(ctx, "rpm: its name", query("-qp", "--qf", "%{NAME} %{VERSION} %{ARCH} %{LICENSE}\n"),
		"turnwatch "+p.version.Debian()+" x86_64 Apache-2.0"); err != nil {
		return err
	}
	if err := p.said(ctx, "rpm: its files", query("-qpl"), append(installed(), "/usr/share/licenses/turnwatch/LICENSE", "/usr/share/zsh/site-functions/_tw")...); err != nil {
		return err
	}
	return p.said(ctx, "rpm: what it needs", query("-qp", "--requires"), "gtk3", "webkit2gtk4.1", "libc.so.6(GLIBC_")
}

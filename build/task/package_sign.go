package main

import (
	"context"
	"os"
	"path/filepath"

	"turnwatch/build/task/internal/release"
)

// How keys are named to the package task. Nothing is signed without.
const (
	// signsWindows names a program that signs the file it is given, in place.
	signsWindows = "TURNWATCH_SIGN_WINDOWS"
	// signsSums names the key with which gpg signs the sums.
	signsSums = "TURNWATCH_SIGN_GPG"
)

func (p *packaging) signWindows(ctx context.Context, paths ...string) error {
	program := os.Getenv(signsWindows)
	for _, path := range paths {
		name := filepath.Base(path)
		if program == "" {
			p.console.Println("signing " + name + " skipped: " + signsWindows + " names no program that signs")
			continue
		}
		if err := p.command(ctx, "sign "+name, nil, program, path); err != nil {
			return err
		}
	}
	return nil
}

// seal writes the sums of all packages, and signs them where there is a key.
func (p *packaging) seal(ctx context.Context) error {
	files, err := release.Files(p.out())
	if err != nil {
		return err
	}
	sums := p.out("SHA256SUMS")
	if err := put(sums, []byte(release.Sums(files)), 0o644); err != nil {
		return err
	}
	key := os.Getenv(signsSums)
	if key == "" {
		p.console.Println("signing SHA256SUMS skipped: " + signsSums + " names no key")
		return nil
	}
	return p.command(ctx, "sign SHA256SUMS", nil, "gpg", "--batch", "--yes", "--local-user", key, "--armor", "--detach-sign", sums)
}

package proc

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os/exec"
)

// Start starts a program and returns when it runs. Ending ctx afterwards does
// nothing: the program runs until it ends or is stopped, and whoever started it
// must call Stop. An error about the program or its folder is a *StartError.
// With an error nothing is left running.
func Start(ctx context.Context, o Options) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start program: %w", err)
	}
	if err := checkFolder(o.Dir); err != nil {
		return nil, err
	}
	path, err := find(o.Path, o.Dir, o.Env)
	if err != nil {
		return nil, err
	}
	launch := newID()
	if err := o.Ledger.begin(launch); err != nil {
		return nil, &StartError{Reason: NotRecorded, Path: o.Path, Err: err}
	}
	p, err := start(o, path, launch)
	if err != nil {
		o.Ledger.forget(launch)
		return nil, err
	}
	return p, nil
}

// start is Start from where everything is checked and written down.
func start(o Options, path, launch string) (*Process, error) {
	ps, err := openPipes()
	if err != nil {
		return nil, startError(o, path, err)
	}
	h, err := newHold()
	if err != nil {
		ps.close()
		return nil, startError(o, path, err)
	}
	cmd := &exec.Cmd{
		Path: path, Args: append([]string{o.Path}, o.Args...), Dir: o.Dir,
		Env:   Environ(o.Env, map[string]string{LaunchVar: launch}),
		Stdin: ps.stdin, Stdout: ps.stdout, Stderr: ps.stderr,
		SysProcAttr: h.attr(),
	}
	if err := cmd.Start(); err != nil {
		ps.close()
		h.release()
		return nil, startError(o, path, err)
	}
	ps.handOver()
	if err := h.adopt(cmd.Process); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		ps.close()
		h.release()
		return nil, startError(o, path, err)
	}
	return run(o, cmd, h, launch, ps), nil
}

// run takes up a program that was just started.
func run(o Options, cmd *exec.Cmd, h *hold, launch string, ps pipes) *Process {
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	// Nobody has collected it, so this row is its own even if it ended already.
	row, _ := lookup(cmd.Process.Pid)
	p := &Process{
		cmd:    cmd,
		family: &family{launch: launch, root: row.ident, hold: h},
		hold:   h,
		ledger: o.Ledger,
		log:    log.With("launch", launch, "pid", cmd.Process.Pid),
		stdin:  ps.in,
		stdout: newPipe(ps.out),
		drain:  newDrain(o.Want, o.Pass, o.Stamp),
		ending: ending{hurry: make(chan struct{}), spent: make(chan struct{})},
		done:   make(chan struct{}),
	}
	if err := o.Ledger.complete(launch, row.ident); err != nil {
		p.log.Warn("launch recorded by its id only", "error", err)
	}
	go func() {
		p.drain.run(ps.err)
		_ = ps.err.Close()
	}()
	go p.watch(ps.err)
	return p
}

// newID makes a random name of 128 bits in hexadecimal digits.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

//go:build unix

package proc_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"

	"turnwatch/backend/proc"
)

// play is what the test binary does in the place of a program. What it has to
// say it says on stdout, one "word number" a line.
func play(role string) int {
	switch role {
	case "echo":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "polite":
		signal.Ignore(syscall.SIGTERM)
		_, _ = io.Copy(io.Discard, os.Stdin)
		say("eof", 0)
	case "witness":
		return witness()
	case "still": // for ever, deaf to all that can be ignored
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
		say("still", os.Getpid())
		hang()
	case "frail": // for ever, and ends when asked
		say("frail", os.Getpid())
		hang()
	case "twice": // starts "still" in a session of its own and is gone
		child("still", true)
	case "tree":
		return tree()
	case "stderr":
		return stderr()
	case "flood":
		size, _ := strconv.Atoi(os.Args[1])
		return flood(size)
	case "owner":
		return owner(os.Args[1], os.Args[2])
	case "reaper":
		return reaper(os.Args[1])
	case "folder":
		return folder(os.Args[1])
	default:
		return 99
	}
	return 0
}

func say(word string, n int) { fmt.Printf("%s %d\n", word, n) }

func hang() {
	for c := woken(); ; <-c {
	}
}

// woken is a signal that nobody sends; waiting for it is no deadlock.
func woken() <-chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	return c
}

// child starts another role that shares stdout.
func child(role string, session bool) *exec.Cmd {
	cmd := exec.Command(self())
	cmd.Env = append(os.Environ(), roleVar+"="+role)
	cmd.Stdout = os.Stdout
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd
}

func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

// tree has three descendants: one like any, one in its own session, one that
// lost its parent as well. It goes on after the end of its stdin.
func tree() int {
	signal.Ignore(syscall.SIGTERM, syscall.SIGPIPE)
	child("still", false)
	child("still", true)
	_ = child("twice", true).Wait()
	say("tree", os.Getpid())
	hang()
	return 0
}

// witness tells what it sees coming and gives way to nothing.
func witness() int {
	terms := make(chan os.Signal, 1)
	signal.Notify(terms, syscall.SIGTERM)
	say("ready", 0)
	_, _ = io.Copy(io.Discard, os.Stdin)
	say("eof", 0)
	<-terms
	say("term", 0)
	hang()
	return 0
}

// stderr writes, for each pair of arguments, so many lines of such a length, and
// then a line that is wanted.
func stderr() int {
	w := bufio.NewWriterSize(os.Stderr, 1<<20)
	for i := 1; i+1 < len(os.Args); i += 2 {
		lines, _ := strconv.Atoi(os.Args[i])
		size, _ := strconv.Atoi(os.Args[i+1])
		line := append(bytes.Repeat([]byte{'x'}, size), '\n')
		for range lines {
			_, _ = w.Write(line)
		}
		fmt.Fprintf(w, "wanted %d\n", i/2)
	}
	_ = w.Flush()
	return 7
}

// chatter is a line as a talkative agent writes it, record the one that matters.
const (
	chatter = `timestamp=2026-11-30T17:15:33.855Z level=INFO run=a1035371 message=stream providerID=fake modelID=main session.id=ses_1 small=false agent=build mode=x` + "\n"
	record  = `timestamp=2026-11-30T17:15:33.855Z level=ERROR run=a1035371 message="stream error" providerID=fake modelID=main session.id=ses_1 small=false agent=build mode=primary error.error="AI_APICallError: Weekly usage limit reached. Resets in 4 days."` + "\n"
)

// flood writes so many bytes of chatter to stderr, with one record in their middle.
func flood(size int) int {
	block := bytes.Repeat([]byte(chatter), 64<<10/len(chatter))
	for sent := 0; sent < size; sent += len(block) {
		if before := sent - size/2; before >= 0 && before < len(block) {
			_, _ = os.Stderr.WriteString(record)
		}
		if _, err := os.Stderr.Write(block); err != nil {
			return 1
		}
	}
	return 7
}

// owner is a Turnwatch that has started a program and lives until it is killed.
func owner(dir, role string) int {
	l, err := proc.OpenLedger(dir, "")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	p, err := proc.Start(context.Background(), proc.Options{
		Path: self(), Dir: os.TempDir(), Ledger: l,
		Env: proc.Environ(os.Environ(), map[string]string{roleVar: role, "GORACE": "atexit_sleep_ms=0"}),
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	_, _ = io.Copy(os.Stdout, p.Stdout())
	return 0
}

// folder says why nothing can be started in a folder.
func folder(dir string) int {
	_, err := proc.Start(context.Background(), proc.Options{Path: "/bin/true", Dir: dir})
	fmt.Println(err)
	return 0
}

// reaper reaps once and tells what it did.
func reaper(dir string) int {
	l, err := proc.OpenLedger(dir, "reaper")
	if err != nil {
		return 1
	}
	got, err := l.Reap(context.Background())
	if err != nil || len(got) != 1 {
		return 2
	}
	say("ended", len(got[0].Ended))
	for _, n := range got[0].Left {
		say("left", n.PID)
	}
	return 0
}

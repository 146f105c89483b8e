package local

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// ErrNoTerminal says that no terminal program was found.
var ErrNoTerminal = errors.New("no terminal program was found")

// Terminal opens the user's terminal with a command in a folder and does not wait
// for either. The terminal stays open when the command has ended, so that what it
// says can be read. The command is ours, never an agent's.
func Terminal(command []string, dir string) error {
	if len(command) == 0 {
		return errors.New("open terminal: no command")
	}
	cmd, err := terminal(command, exec.LookPath)
	if err != nil {
		return fmt.Errorf("open terminal: %w", err)
	}
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open terminal: %w", err)
	}
	go func() { _ = cmd.Wait() }() // how a terminal ends is the user's business
	return nil
}

// Quoted is a command as a person would write it in a shell of Unix.
func Quoted(command []string) string {
	out := make([]string, len(command))
	for i, word := range command {
		out[i] = word
		if word == "" || strings.ContainsFunc(word, special) {
			out[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}

func special(r rune) bool {
	return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,", r)
}

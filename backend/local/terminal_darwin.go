package local

import (
	"os/exec"
	"strings"
)

// terminal asks the Terminal app. Never run by us: there is no such machine here.
func terminal(command []string, look func(string) (string, error)) (*exec.Cmd, error) {
	path, err := look("osascript")
	if err != nil {
		return nil, ErrNoTerminal
	}
	text := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(Quoted(command))
	return exec.Command(path, "-e", `tell application "Terminal" to do script "`+text+`"`, "-e", `tell application "Terminal" to activate`), nil
}

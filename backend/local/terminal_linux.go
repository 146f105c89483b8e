package local

import "os/exec"

// terminals are the programs that are tried, with what comes before a command:
// the one that the system has chosen first.
func terminals() [][]string {
	return [][]string{
		{"x-terminal-emulator", "-e"}, {"gnome-terminal", "--"}, {"kgx", "--"}, {"konsole", "-e"},
		{"xfce4-terminal", "-x"}, {"mate-terminal", "-x"}, {"foot"}, {"kitty"}, {"alacritty", "-e"},
		{"wezterm", "start", "--"}, {"ghostty", "-e"}, {"xterm", "-e"},
	}
}

func terminal(command []string, look func(string) (string, error)) (*exec.Cmd, error) {
	stay := Quoted(command) + `; printf '\n'; exec "${SHELL:-sh}"`
	for _, t := range terminals() {
		if path, err := look(t[0]); err == nil {
			return exec.Command(path, append(append([]string{}, t[1:]...), "sh", "-c", stay)...), nil
		}
	}
	return nil, ErrNoTerminal
}

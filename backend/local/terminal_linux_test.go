package local

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheTerminalThatIsThereIsTaken(t *testing.T) {
	for _, tt := range []struct {
		name  string
		there []string
		want  []string
	}{
		{"the system's choice first", []string{"xterm", "x-terminal-emulator"}, []string{"/bin/x-terminal-emulator", "-e"}},
		{"GNOME's wants two dashes", []string{"gnome-terminal"}, []string{"/bin/gnome-terminal", "--"}},
		{"one that takes the command as it is", []string{"foot"}, []string{"/bin/foot"}},
		{"none", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd, err := terminal([]string{"agent", "log in"}, func(name string) (string, error) {
				for _, n := range tt.there {
					if n == name {
						return "/bin/" + n, nil
					}
				}
				return "", exec.ErrNotFound
			})
			if tt.want == nil {
				require.ErrorIs(t, err, ErrNoTerminal)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, append(tt.want, "sh", "-c", `agent 'log in'; printf '\n'; exec "${SHELL:-sh}"`), cmd.Args)
		})
	}
}

// A terminal of the test's runs what it is given, in the folder, and the command
// arrives as it was meant.
func TestTheCommandRunsInItsFolder(t *testing.T) {
	bin, dir := t.TempDir(), t.TempDir()
	fifo := filepath.Join(dir, "said")
	require.NoError(t, exec.Command("mkfifo", fifo).Run())
	fake := "#!/bin/sh\nshift\nSHELL=true exec \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "x-terminal-emulator"), []byte(fake), 0o700))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	require.NoError(t, Terminal([]string{"sh", "-c", `echo "$PWD/it's $1" > said`, "-", "a b"}, dir))
	said, err := os.ReadFile(fifo) // waits until it is written
	require.NoError(t, err)
	assert.Equal(t, dir+"/it's a b\n", string(said))
}

func TestACommandIsQuotedAsAPersonWould(t *testing.T) {
	assert.Equal(t, `opencode auth login 'a b' '' 'it'\''s'`, Quoted([]string{"opencode", "auth", "login", "a b", "", "it's"}))
}

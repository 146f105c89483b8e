//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// outcome of a command: what it printed and its exit status.
func call(t *testing.T, stdin string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := tw(t, args...)
	var out, err bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &err
	_ = cmd.Run() // the status tells
	return out.String(), err.String(), cmd.ProcessState.ExitCode()
}

func TestWrongUsage(t *testing.T) {
	long := strings.Repeat("x", 70)
	tests := []struct {
		name  string
		stdin string
		args  []string
		says  string
	}{
		{"unknown command", "", []string{"rum"}, "Did you mean: run"},
		{"unknown flag", "", []string{"run", "--speed", "9"}, "--speed"},
		{"no agent", "", []string{"run", "--prompt", "x"}, "opencode, claude"},
		{"misspelt agent", "", []string{"run", "--agent", "claud", "--prompt", "x"}, "Did you mean claude?"},
		{"unknown agent", "", []string{"run", "--agent", "hal9000", "--prompt", "x"}, "after --"},
		{"agent with escape sequences", "", []string{"run", "--agent", "a\x1b[2Jb", "--prompt", "x"}, "--agent takes a name"},
		{"agent's name is too long", "", []string{"run", "--agent", long, "--prompt", "x"}, "at most 64"},
		{"no prompt", "", []string{"run", "--agent", "demo"}, "--prompt"},
		{"blank prompt", "", []string{"run", "--agent", "demo", "--prompt", " \n"}, "--prompt"},
		{"nothing on stdin", "", []string{"run", "--agent", "demo", "--prompt", "-"}, "--prompt"},
		{"no text on stdin", "\xff\xfe", []string{"run", "--agent", "demo", "--prompt", "-"}, "UTF-8"},
		{"too much on stdin", strings.Repeat("x", 8<<20+1), []string{"run", "--agent", "demo", "--prompt", "-"}, "8 MiB"},
		{"prompt without its flag", "", []string{"run", "--agent", "demo", "hello"}, "hello"},
		{"unknown group", "", []string{"run", "--agent", "demo", "--prompt", "x", "--allow", "all"}, "all"},
		{"folder that is not there", "", []string{"run", "--agent", "demo", "--prompt", "x", "--cwd", "/no/such"}, "/no/such"},
		{"folder that is a file", "", []string{"run", "--agent", "demo", "--prompt", "x", "--cwd", "/etc/passwd"}, "/etc/passwd is not a folder"},
		{"bad log level", "", []string{"run", "--agent", "demo", "--prompt", "x", "--log", "loud"}, "loud"},
		{"bad log level of a command that logs nothing", "", []string{"version", "--log", "foo"}, "--log takes off"},
		{"bad log level of diagnose", "", []string{"diagnose", "--agent", "opencode", "--log", "foo"}, "--log takes off"},
		{"agents takes no argument", "", []string{"agents", "x"}, "\"x\" belongs nowhere: tw agents takes no argument."},
		{"mcp without its session", "", []string{"mcp"}, "started by an agent that Turnwatch runs"},
		{"backward pace", "", []string{"demo-agent", "--pace", "-3"}, "--pace takes a number from 0 on"},
		{"pace that is no number", "", []string{"demo-agent", "--pace", "NaN"}, "--pace takes a number from 0 on"},
		{"diagnose of an unknown agent", "", []string{"diagnose", "--agent", "nosuch"}, "Lines of \"nosuch\" cannot be read"},
		{"diagnose of another agent", limitLine, []string{"diagnose", "--agent", "claude"}, "--agent opencode"},
		{"completion of an unknown shell", "", []string{"completion", "foo"}, "There is for: bash, fish, powershell, zsh."},
		{"scenario in the place of a file", "", []string{"replay", "{}"}, "There is no file {}."},
		{"a policy that there is not", "", []string{"replay", "--policy", "bold", "-"}, "interactive and auto-resume are"},
		{"no detector", "", []string{"detect"}, "tool_text, thinking_tool"},
		{"unknown detector", "", []string{"detect", "--detector", "x\x1b[2J"}, "There is no detector"},
		{"an ID and a search", "", []string{"history", "X", "--search", "y"}, "not both"},
		{"two IDs", "", []string{"history", "X", "Y"}, "takes one ID, not 2"},
		{"bad limit", "", []string{"history", "--limit", "0"}, "1 to 500"},
		{"limit is no number", "", []string{"history", "--limit", "many"}, "many"},
		{"unknown scenario", "", []string{"demo-agent", "--scenario", "nope"}, "nope"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			stdout, stderr, status := call(t, tt.stdin, append([]string{"--data", data}, tt.args...)...)
			assert.Equal(t, 2, status)
			assert.Empty(t, stdout)
			assert.Contains(t, stderr, tt.says)
			assert.Contains(t, stderr, "--help")
			assert.NotContains(t, stderr, "\x1b")
			assert.NoDirExists(t, data, "nothing is made for a wrong command line")
		})
	}
}

func TestAFolderThatIsGone(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	require.NoError(t, os.Mkdir(gone, 0o700))
	cmd := exec.Command("sh", "-c", `cd "$1" && rmdir "$1" && exec "$0" --data "$2" run --agent demo --prompt x`, program, gone, t.TempDir())
	out, _ := cmd.CombinedOutput() // the status tells
	assert.Equal(t, 2, cmd.ProcessState.ExitCode())
	assert.Contains(t, string(out), "The folder that you are in is not there any more.")
}

func TestALineThatIsNoScenario(t *testing.T) {
	_, stderr, status := call(t, "{}\n", "replay", "-")
	assert.Equal(t, 1, status)
	assert.Equal(t, "tw: -, line 1, is no scenario: it has no id\n", stderr)
}

func TestWhatGoesWrongSaysWhatToDo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	run := []string{"run", "--agent", "mine", "--prompt", "x", "--"}
	tests := []struct {
		name   string
		data   string // "" is a fresh folder
		args   []string
		status int
		says   string
	}{
		{"command that is not there", "", append(run, "/no/such/agent"), 11, "agent was not found"},
		{"command that ends at once", "", append(run, "false"), 11, "ended at once"},
		{"command that prints no ACP", "", append(run, "sh", "-c", "echo '<html>'"), 11, "Agent Client Protocol"},
		{"model that is not there", "", []string{"run", "--agent", "demo", "--model", "gpt-0", "--prompt", "x"}, 11, "gpt-0"},
		{"data folder that is a file", file, []string{"run", "--agent", "demo", "--prompt", "x"}, 1, file},
		{"data folder that cannot be made", file + "/in/it", []string{"run", "--agent", "demo", "--prompt", "x"}, 1, file},
		{"task that is not there", "", []string{"history", "01ABC"}, 1, "no history"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := tt.data
			if data == "" {
				data = filepath.Join(t.TempDir(), "data")
			}
			_, stderr, status := call(t, "", append([]string{"--data", data}, tt.args...)...)
			assert.Equal(t, tt.status, status, stderr)
			assert.Contains(t, stderr, tt.says)
			assert.Empty(t, left(t))
		})
	}
}

func TestAPromptFromStdin(t *testing.T) {
	data := t.TempDir()
	_, _, status := call(t, "play ok\nand more", append([]string{"run", "--data", data, "--agent", "demo", "--prompt", "-"},
		"--", program, "demo-agent", "--pace", "0")...)
	assert.Equal(t, 0, status)
	_, _, parts := recorded(t, data)
	assert.Equal(t, "play ok\nand more", parts[0].Text)
}

func TestCommandsThatNeedNothing(t *testing.T) {
	tests := []struct {
		name string
		args []string
		says string
	}{
		{"no command", nil, "Usage:"},
		{"help", []string{"run", "--help"}, "Exit status"},
		{"version", []string{"version"}, "tw "},
		{"scenarios", []string{"demo-agent", "--list"}, "hostile-markdown"},
		{"agents", []string{"agents"}, "demo-agent"},
		{"agents for a program", []string{"agents", "--json"}, `{"agent":"demo"`},
		{"completion", []string{"completion", "bash"}, "complete"},
		{"names are completed", []string{"__complete", "run", "--agent", "cla"}, "claude"},
		{"an empty history", []string{"history"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			stdout, _, status := call(t, "", append(tt.args, "--data", data)...)
			if strings.HasPrefix(tt.name, "names") {
				stdout, _, status = call(t, "", tt.args...)
			}
			assert.Equal(t, 0, status)
			assert.Contains(t, stdout, tt.says)
			assert.NoDirExists(t, data, "only runs make a data folder")
		})
	}
}

func TestManualPagesAreWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man")
	_, stderr, status := call(t, "", "man", dir)
	require.Equal(t, 0, status, stderr)
	page, err := os.ReadFile(filepath.Join(dir, "tw-run.1"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "Exit status")
}

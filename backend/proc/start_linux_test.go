package proc_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/proc"
)

func TestWhatCannotBeStartedSaysWhy(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "plain-file", "no program")
	script := write(t, dir, "script", "#!/nowhere/interpreter\n")
	broken := write(t, dir, "broken", "\x7fELF and then nothing")
	for _, f := range []string{script, broken} {
		require.NoError(t, os.Chmod(f, 0o700))
	}
	on := []string{"PATH=" + dir + ":relative:/usr/bin:/bin"}
	for _, row := range []struct {
		name   string
		o      proc.Options
		reason proc.Reason
		text   string
	}{
		{"no name", proc.Options{Dir: dir}, proc.NotFound, "no program was named"},
		{"a name that is nowhere", proc.Options{Path: "no-such-agent", Dir: dir, Env: on}, proc.NotFound, "no-such-agent"},
		{"no PATH at all", proc.Options{Path: "sh", Dir: dir}, proc.NotFound, "sh"},
		{"a path that is nowhere", proc.Options{Path: "/no/such/agent", Dir: dir}, proc.NotFound, "/no/such/agent"},
		{"a path through a file", proc.Options{Path: file + "/agent", Dir: dir}, proc.NotFound, "agent"},
		{"a file that is no program", proc.Options{Path: file, Dir: dir}, proc.NotExecutable, file},
		{"the same by its name", proc.Options{Path: "plain-file", Dir: dir, Env: on}, proc.NotExecutable, "file"},
		{"the same relative to the folder", proc.Options{Path: "./plain-file", Dir: dir}, proc.NotExecutable, "file"},
		{"a folder", proc.Options{Path: dir, Dir: dir}, proc.NotExecutable, dir},
		{"a script without interpreter", proc.Options{Path: script, Dir: dir}, proc.NoInterpreter, script},
		{"a damaged program", proc.Options{Path: broken, Dir: dir}, proc.WrongFormat, broken},
		{"too many arguments", proc.Options{Path: "/bin/true", Dir: dir, Args: []string{strings.Repeat("x", 4<<20)}}, proc.TooLong, "/bin/true"},
		{"a missing folder", proc.Options{Path: "/bin/true", Dir: dir + "/none"}, proc.FolderMissing, dir + "/none"},
		{"a relative folder", proc.Options{Path: "/bin/true", Dir: "."}, proc.FolderMissing, "absolute"},
		{"a file as folder", proc.Options{Path: "/bin/true", Dir: file}, proc.FolderNotAFolder, file},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := proc.Start(t.Context(), row.o)
			var se *proc.StartError
			require.ErrorAs(t, err, &se)
			assert.Equal(t, row.reason, se.Reason, err)
			assert.Contains(t, err.Error(), row.text)
			assert.Less(t, len(err.Error()), 400)
		})
	}
}

func TestAFolderThatMayNotBeReadSaysSo(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs to become another user")
	}
	top := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(top), 0o755))
	raw, err := os.ReadFile(self())
	require.NoError(t, err)
	program := filepath.Join(top, "program")
	require.NoError(t, os.WriteFile(program, raw, 0o755))
	for _, row := range []struct {
		name string
		mode os.FileMode
		text string
	}{
		{"neither listed nor entered", 0o700, "start program: folder_unreadable: folder "},
		{"entered, not listed", 0o711, "start program: folder_unreadable: folder "},
		{"listed, not entered", 0o744, "start program: folder_unreadable: folder "},
		{"both", 0o755, "<nil>"},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := filepath.Join(top, row.name)
			require.NoError(t, os.Mkdir(dir, row.mode))
			cmd := exec.Command(program, dir)
			cmd.Env = append(os.Environ(), roleVar+"=folder", "GORACE=atexit_sleep_ms=0")
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			out, err := cmd.Output()
			require.NoError(t, err)
			assert.True(t, strings.HasPrefix(string(out), row.text), string(out))
		})
	}
}

func TestAProgramIsFoundOnThePATHOfItsOwnEnvironment(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, "only-here", "#!/bin/sh\necho found\n")
	require.NoError(t, os.Chmod(path, 0o700))
	p := start(t, proc.Options{Path: "only-here", Dir: dir, Env: []string{"PATH=/nowhere:" + dir}})
	got, err := io.ReadAll(p.Stdout())
	require.NoError(t, err)
	assert.Equal(t, "found\n", string(got))
}

func TestALaunchThatCannotBeWrittenDownIsNotStarted(t *testing.T) {
	dir := t.TempDir()
	l, err := proc.OpenLedger(filepath.Join(dir, "launches"), "me")
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "launches")))
	mark := filepath.Join(dir, "started")
	o := shell("touch " + mark)
	o.Ledger = l
	_, err = proc.Start(t.Context(), o)
	var se *proc.StartError
	require.ErrorAs(t, err, &se)
	assert.Equal(t, proc.NotRecorded, se.Reason)
	assert.NoFileExists(t, mark)
}

package proc_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"turnwatch/backend/proc"
)

func TestBytesGoThroughAProgramUnchanged(t *testing.T) {
	p := start(t, options("echo"))
	want := strings.Repeat("half a line\x00\xff and no end", 100_000)
	go func() {
		_, _ = io.WriteString(p.Stdin(), want)
		_ = p.Stdin().Close()
	}()
	got, err := io.ReadAll(p.Stdout())
	require.NoError(t, err)
	assert.Equal(t, want, string(got))
	assert.Equal(t, 0, done(t, p).Code)
}

func TestAnExitIsTold(t *testing.T) {
	for _, row := range []struct {
		name, script string
		code         int
		signal       string
	}{
		{"success", "exit 0", 0, ""},
		{"status", "exit 42", 42, ""},
		{"signal", "kill -9 $$", -1, "killed"},
		{"crash", "ulimit -c 0; kill -SEGV $$", -1, "segmentation fault"},
	} {
		t.Run(row.name, func(t *testing.T) {
			before := time.Now()
			p := start(t, shell(row.script))
			e := done(t, p)
			assert.Equal(t, row.code, e.Code)
			assert.Equal(t, row.signal, e.Signal)
			assert.WithinRange(t, e.At, before, time.Now())
			assert.Zero(t, e.Strays)
			assert.Empty(t, e.Left)
			assert.Nil(t, p.Tree())
		})
	}
}

func TestTheLastWordIsReadAfterTheExit(t *testing.T) {
	p := start(t, shell("printf 'the answer'"))
	done(t, p)
	got, err := io.ReadAll(p.Stdout())
	require.NoError(t, err)
	assert.Equal(t, "the answer", string(got))
}

func TestAWriteToAProgramThatDoesNotReadIsBounded(t *testing.T) {
	p := start(t, options("still"))
	require.NoError(t, p.Stdin().SetWriteDeadline(time.Now().Add(50*time.Millisecond)))
	_, err := p.Stdin().Write(make([]byte, 10<<20))
	assert.ErrorIs(t, err, os.ErrDeadlineExceeded)
}

func TestStopEndsABlockedWrite(t *testing.T) {
	p := start(t, options("still"))
	read(t, p.Stdout()).next()
	wrote := make(chan error, 1)
	go func() {
		_, err := p.Stdin().Write(make([]byte, 10<<20))
		wrote <- err
	}()
	require.NoError(t, p.Stop(bounded(t), proc.Stopping{Grace: -1, Term: -1}))
	assert.Error(t, <-wrote)
}

func TestAPoliteProgramSeesTheEndOfItsInputAndNoSignal(t *testing.T) {
	p := start(t, options("polite"))
	out := read(t, p.Stdout())
	require.NoError(t, p.Stop(bounded(t), proc.Stopping{Grace: patience}))
	assert.Equal(t, "eof 0", out.next())
	assert.Equal(t, 0, p.Exit().Code)
	assert.Empty(t, p.Exit().Signal)
}

func TestTheStopOrderIsKept(t *testing.T) {
	p := start(t, options("witness"))
	out := read(t, p.Stdout())
	assert.Equal(t, "ready 0", out.next())
	require.NoError(t, p.Stop(bounded(t), proc.Stopping{Grace: time.Second, Term: time.Second}))
	assert.Equal(t, "eof 0", out.next())
	assert.Equal(t, "term 0", out.next())
	assert.Equal(t, "", out.next())
	assert.Equal(t, "killed", p.Exit().Signal)
}

func TestEndingTheStopsContextHurriesTheStop(t *testing.T) {
	p := start(t, options("still"))
	read(t, p.Stdout()).next()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := p.Stop(ctx, proc.Stopping{Grace: time.Hour, Term: time.Hour})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, "killed", done(t, p).Signal)
}

func TestStopMayBeCalledByMany(t *testing.T) {
	p := start(t, options("tree"))
	read(t, p.Stdout()).numbers(4)
	errs := make(chan error)
	for range 8 {
		go func() { errs <- p.Stop(bounded(t), proc.Stopping{Grace: -1, Term: -1}) }()
	}
	for range 8 {
		assert.NoError(t, <-errs)
	}
	assert.NoError(t, p.Stop(bounded(t), proc.Stopping{}))
}

func TestTheTreeNamesEverybodyAndNoArgument(t *testing.T) {
	p := start(t, options("tree", "--secret=hunter2"))
	pids := read(t, p.Stdout()).numbers(4)
	var seen []int
	for _, n := range p.Tree() {
		seen = append(seen, n.PID)
		assert.NotContains(t, n.Name, "hunter2")
		assert.NotEmpty(t, n.Name)
		assert.NotZero(t, n.RSS)
	}
	assert.ElementsMatch(t, all(pids), seen)
	assert.Equal(t, p.PID(), seen[0])
}

func TestTheTreeSaysWhoStandsStill(t *testing.T) {
	p := start(t, options("tree"))
	pids := all(read(t, p.Stdout()).numbers(4))
	stand := func(still bool) func() bool {
		return func() bool {
			for _, n := range p.Tree() {
				if n.PID == pids[0] {
					return n.Stopped == still
				}
			}
			return false
		}
	}
	assert.Eventually(t, stand(false), patience, 10*time.Millisecond)
	require.NoError(t, unix.Kill(pids[0], syscall.SIGSTOP))
	assert.Eventually(t, stand(true), patience, 10*time.Millisecond)
	require.NoError(t, unix.Kill(pids[0], syscall.SIGCONT))
	assert.Eventually(t, stand(false), patience, 10*time.Millisecond)
}

func TestNothingOfATreeIsLeft(t *testing.T) {
	for _, row := range []struct {
		name string
		end  func(t *testing.T, p *proc.Process)
	}{
		{"after Stop", func(t *testing.T, p *proc.Process) {
			require.NoError(t, p.Stop(bounded(t), proc.Stopping{Grace: -1, Term: -1}))
		}},
		{"after a crash", func(t *testing.T, p *proc.Process) {
			require.NoError(t, unix.Kill(p.PID(), syscall.SIGKILL))
			assert.Equal(t, 3, done(t, p).Strays)
		}},
		{"after a kill of the whole group", func(t *testing.T, p *proc.Process) {
			require.NoError(t, unix.Kill(-p.PID(), syscall.SIGKILL))
			assert.GreaterOrEqual(t, done(t, p).Strays, 2) // the third may still be dying
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			other := bystander(t, os.Environ())
			p := start(t, options("tree"))
			out := read(t, p.Stdout())
			pids := out.numbers(4)
			row.end(t, p)
			gone(t, all(pids))
			assert.Equal(t, "", out.next(), "stdout has no end")
			assert.True(t, alive(other), "a process of the same name was ended")
		})
	}
}

func TestAStrayThatEndsWhenAskedIsNotKilled(t *testing.T) {
	p := start(t, shell(`(trap 'echo asked; exit 0' TERM; echo up; while :; do sleep 0.05; done) & read x; exit 3`))
	out := read(t, p.Stdout())
	require.Equal(t, "up", out.next())
	require.NoError(t, p.Stdin().Close())
	assert.Equal(t, 3, done(t, p).Code)
	assert.Equal(t, "asked", out.next())
	assert.Equal(t, "", out.next())
}

// A program that is forever starting its successor, each in a session of its own,
// and ending: there is always one that no look has seen yet. It gives up by
// itself after 20,000, should the room not catch it.
func TestAMovingTargetIsCaught(t *testing.T) {
	hop := write(t, t.TempDir(), "hop.sh", `n=$1
[ "$n" -gt 20000 ] && exit
[ "$n" -eq 1 ] && { echo up; setsid sh "$0" 2 & read x; exit 0; }
setsid sh "$0" $((n+1)) </dev/null >/dev/null 2>&1 &
`)
	o := shell("")
	o.Args = []string{hop, "1"}
	p := start(t, o)
	require.Equal(t, "up", read(t, p.Stdout()).next())
	require.NoError(t, unix.Kill(p.PID(), syscall.SIGKILL))
	e := done(t, p)
	require.NoError(t, e.Err)
	require.Empty(t, e.Left)
	for range 20 {
		found := holders(t, p.LaunchID())
		require.Empty(t, found)
	}
}

func TestWhoeverSneaksAwayUnseenKeepsNothingOpen(t *testing.T) {
	p := start(t, shell(`env -i setsid sh -c 'echo ghost $$; exec sleep 100' & read x`))
	out := read(t, p.Stdout())
	ghost := out.numbers(1)["ghost"]
	defer func() { _ = unix.Kill(ghost[0], syscall.SIGKILL) }()
	require.NoError(t, unix.Kill(p.PID(), syscall.SIGKILL))
	done(t, p)
	assert.Equal(t, "", out.next(), "stdout has no end")
	select {
	case l, more := <-p.Lines():
		assert.False(t, more, "a line came: %s", l.Text)
	case <-time.After(patience):
		assert.Fail(t, "stderr has no end")
	}
	assert.True(t, alive(ghost[0]), "it was found: then the limit in the package comment can go")
}

func TestWhoeverWasSeenIsKnownAfterItLostEveryMark(t *testing.T) {
	p := start(t, shell(`env -i setsid sh -c 'echo ghost $$; exec sleep 100' & read x`))
	ghost := read(t, p.Stdout()).numbers(1)["ghost"]
	require.Len(t, p.Tree(), 2)
	require.NoError(t, unix.Kill(p.PID(), syscall.SIGKILL))
	assert.Equal(t, 1, done(t, p).Strays)
	gone(t, ghost)
}

func TestAnOrphanWithoutEnvironmentIsKnownByItsSession(t *testing.T) {
	p := start(t, shell(`env -i sh -c 'echo ghost $$; exec sleep 100' & read x`))
	ghost := read(t, p.Stdout()).numbers(1)["ghost"]
	require.NoError(t, unix.Kill(p.PID(), syscall.SIGKILL))
	assert.Equal(t, 1, done(t, p).Strays)
	gone(t, ghost)
}

func TestStartRefusesAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := proc.Start(ctx, options("still"))
	assert.ErrorIs(t, err, context.Canceled)
}

func TestTheLaunchIDIsInTheEnvironment(t *testing.T) {
	o := shell(`echo "$TURNWATCH_LAUNCH"`)
	o.Env = append(o.Env, proc.LaunchVar+"=an older one")
	p := start(t, o)
	assert.Equal(t, p.LaunchID(), read(t, p.Stdout()).next())
	assert.Len(t, p.LaunchID(), 32)
}

func TestAProgramLeadsASessionOfItsOwnAndHasNoTerminal(t *testing.T) {
	p := start(t, shell(`: </dev/tty; echo $?; read x`))
	assert.NotEqual(t, "0", read(t, p.Stdout()).next())
	sid, err := unix.Getsid(p.PID())
	require.NoError(t, err)
	assert.Equal(t, p.PID(), sid)
}

// One of the family waits for the death of another, which is killed long before
// it. It would leave a mark, or start something that nobody knows, were it not
// frozen by then.
func TestNobodyActsOnTheDeathOfAnother(t *testing.T) {
	dir := t.TempDir()
	o := shell(`trap '' TERM
mkfifo f
setsid sh -c 'sleep 1000 >f &
i=0; while [ $i -lt 300 ]; do sleep 1000 & i=$((i+1)); done
setsid sh -c "exec <f; echo up; read x; : >mark" &
wait' &
wait`)
	o.Dir = dir
	p := start(t, o)
	require.Equal(t, "up", read(t, p.Stdout()).next())
	require.NoError(t, p.Stop(bounded(t), proc.Stopping{Grace: -1, Term: -1}))
	assert.NoFileExists(t, filepath.Join(dir, "mark"))
}

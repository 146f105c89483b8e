package history_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// The test binary is also the other program: what it does stands in this
// variable, the data folder in the next.
const (
	helperRole = "TURNWATCH_HISTORY_TEST_ROLE"
	helperDir  = "TURNWATCH_HISTORY_TEST_DIR"
)

// runHelper is what the test binary does when it is started as another program.
func runHelper() bool {
	role := os.Getenv(helperRole)
	if role == "" {
		return false
	}
	o := history.Options{Dir: os.Getenv(helperDir)}
	switch role {
	case "stream":
		helperStream(o)
	case "hold":
		helperHold(o)
	case "open":
		helperOpen(o)
	}
	return true
}

// helperStream writes a session of its own for ever, and says what was stored:
// "part N" after each part, "prompt ID" after each accepted prompt, "turn G" and
// "settled G".
func helperStream(o history.Options) {
	ctx := context.Background()
	s, _, err := history.Open(ctx, o)
	must(err)
	id := fmt.Sprintf("s-%d", os.Getpid())
	must(s.CreateTask(ctx, history.Task{ID: agent.TaskID("t" + id)}))
	must(s.CreateSession(ctx, history.NewSession{ID: agent.SessionID(id), Task: agent.TaskID("t" + id)}))
	fmt.Println("session", id)
	waiting := make(chan struct{}, 500)
	put := func(g agent.Generation, said string, facts ...agent.Fact) {
		var batch []agent.Entry
		for _, f := range facts {
			batch = append(batch, agent.Entry{Task: agent.TaskID("t" + id), Session: agent.SessionID(id), Generation: g, Fact: f})
		}
		waiting <- struct{}{}
		s.Record(batch, true, func(err error) {
			must(err)
			fmt.Println(said)
			<-waiting
		})
	}
	seq := uint64(0)
	for g := agent.Generation(1); ; g++ {
		p := prompt(fmt.Sprintf("q%d", g), "waits")
		put(0, "prompt "+string(p.ID), agent.PromptQueued{Prompt: p})
		put(g, fmt.Sprint("turn ", g), agent.TurnStarted{Generation: g, Prompt: prompt(fmt.Sprint("p", g), "go")},
			agent.StateSet{Session: agent.SessionRunning, Task: agent.TaskRunning})
		for range 300 {
			seq++
			put(g, fmt.Sprint("part ", seq), text(seq, "some text"), agent.PartAppended{Seq: seq, Text: " and more"})
		}
		put(g, fmt.Sprint("settled ", g), agent.TurnSettled{Outcome: agent.Completed},
			agent.StateSet{Session: agent.SessionWaiting, Task: agent.TaskDone})
	}
}

// helperHold starts a turn and waits for the end of its input.
func helperHold(o history.Options) {
	ctx := context.Background()
	s, _, err := history.Open(ctx, o)
	must(err)
	must(s.CreateTask(ctx, history.Task{ID: "t2"}))
	must(s.CreateSession(ctx, history.NewSession{ID: "s2", Task: "t2"}))
	s.Record([]agent.Entry{
		{Task: "t2", Session: "s2", Generation: 1, Fact: agent.TurnStarted{Generation: 1, Prompt: prompt("p1", "go")}},
		{Task: "t2", Session: "s2", Generation: 1, Fact: text(1, "other's words")},
	}, true, func(err error) {
		must(err)
		fmt.Println("started")
	})
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	must(s.Close(ctx))
}

// helperOpen opens the history and says what came of it.
func helperOpen(o history.Options) {
	s, _, err := history.Open(context.Background(), o)
	if err != nil {
		fmt.Println(kindName(err), err)
		return
	}
	must(s.Close(context.Background()))
	fmt.Println("fine")
}

func kindName(err error) string {
	var e *history.Error
	if !asError(err, &e) {
		return "none"
	}
	return e.Hint
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

// other is another program at work on the same folder.
type other struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
}

func startOther(t *testing.T, role, dir string) *other {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), helperRole+"="+role, helperDir+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	_, err = cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return &other{cmd, bufio.NewScanner(out)}
}

// until reads lines up to one that starts with prefix.
func (o *other) until(t *testing.T, prefix string) string {
	t.Helper()
	for o.lines.Scan() {
		if strings.HasPrefix(o.lines.Text(), prefix) {
			return o.lines.Text()
		}
	}
	t.Fatalf("the other program ended without %q", prefix)
	return ""
}

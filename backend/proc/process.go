package proc

import (
	"io"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"

	"turnwatch/backend/agent"
)

// LaunchVar is the variable that carries the launch id in the environment of a
// program and, by inheritance, of its descendants.
const LaunchVar = "TURNWATCH_LAUNCH"

// Options say what to start and how. Path and Dir are required.
type Options struct {
	Path string   // the program: absolute, relative to Dir, or a bare name to be found on the PATH of Env
	Args []string // without the program's own name
	Env  []string // the full environment, KEY=value; nil is an empty one. See Environ
	Dir  string   // the folder to start in; it must be readable

	// Want chooses the lines of stderr that are kept. It is called in the
	// draining goroutine, must not block, and must not keep its argument. Nil
	// keeps nothing.
	Want func(line []byte) bool
	// Pass may say of a whole block that Want would take none of the lines of
	// which a byte is in it; that is what makes a flood cheap. It is called like
	// Want. Nil never does.
	Pass func(block []byte) bool
	// Stamp is asked for right after each read of stderr. It must not block. Nil
	// stamps the time alone.
	Stamp func() agent.Stamp

	Ledger *Ledger      // where the launch is written down; nil for nowhere
	Log    *slog.Logger // nil is silent
}

// Input is the program's stdin. A write blocks while the program does not read;
// a write deadline bounds it (not on Windows, where it is os.ErrNoDeadline).
// Closing it ends a blocked write.
type Input interface {
	io.WriteCloser
	SetWriteDeadline(t time.Time) error
}

// Exit is how a program ended.
type Exit struct {
	Code   int       // exit status, -1 where a signal ended it
	Signal string    // name of the signal ("killed"), "" where there was none
	At     time.Time // when its end was seen
	Strays int       // descendants that outlived it and were ended
	Left   []Node    // descendants that could not be ended
	Err    error     // set where nobody knows what is left: the process table could not be read
}

// Process is a program that was started, with all that descends from it. It is
// safe for use from several goroutines.
type Process struct {
	cmd    *exec.Cmd
	family *family
	hold   *hold
	ledger *Ledger
	log    *slog.Logger

	stdin  *os.File
	stdout *pipe
	drain  *drain

	ending ending
	exit   Exit          // written before done is closed
	done   chan struct{} // closed by watch
}

// ending is the state of Stop.
type ending struct {
	begin, hasten sync.Once
	hurry         chan struct{} // closed: give no more time
	spent         chan struct{} // closed: the stop order was gone through
}

// Stdin is the program's input. The caller writes; Stop closes it.
func (p *Process) Stdin() Input { return p.stdin }

// Stdout is the program's output. The caller reads it to its end and closes it.
// It ends when every writer is gone, and at the latest two seconds of silence
// after Done, whoever still holds the other end.
func (p *Process) Stdout() io.ReadCloser { return p.stdout }

// Lines are the lines of stderr that Want accepted. There is room for 64; a line
// that finds none is dropped and counted. The channel is closed at the end of
// stderr, which comes after Done.
func (p *Process) Lines() <-chan Line { return p.drain.lines }

// Stats counts what was read from stderr so far.
func (p *Process) Stats() Stats { return p.drain.stats() }

// PID is the program's process id. It means nothing any more after Done.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// LaunchID is the value of LaunchVar for this program: 32 hexadecimal digits.
func (p *Process) LaunchID() string { return p.family.launch }

// Done is closed when the program has ended and what it left behind was ended
// too, or could not be and is told in Exit.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit is how the program ended. Before Done it is the zero value.
func (p *Process) Exit() Exit {
	select {
	case <-p.done:
		return p.exit
	default:
		return Exit{}
	}
}

// Tree lists the program and its living descendants, parents before children.
// It reads the system's process table (milliseconds). It is nil after Done.
func (p *Process) Tree() []Node {
	select {
	case <-p.done:
		return nil
	default:
	}
	s, err := p.family.look()
	if err != nil {
		p.log.Warn("process tree not read", "error", err)
	}
	return nodes(s.found)
}

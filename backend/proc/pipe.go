package proc

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// linger is how long a pipe is still read in silence after the family is gone,
// should somebody unknown hold its other end.
const linger = 2 * time.Second

// pipe is the reading end of the program's stdout.
type pipe struct {
	f    *os.File
	over chan struct{} // closed when the family is gone
	once sync.Once
}

func newPipe(f *os.File) *pipe { return &pipe{f: f, over: make(chan struct{})} }

// expire says that the family is gone: from here on a read waits for linger at
// most and then reports the end.
func (p *pipe) expire() {
	p.once.Do(func() {
		close(p.over)
		_ = p.f.SetReadDeadline(time.Now().Add(linger))
	})
}

func (p *pipe) Read(b []byte) (int, error) {
	if p.expired() {
		_ = p.f.SetReadDeadline(time.Now().Add(linger))
	}
	n, err := p.f.Read(b)
	if errors.Is(err, os.ErrDeadlineExceeded) && p.expired() {
		err = io.EOF
	}
	return n, err
}

func (p *pipe) Close() error { return p.f.Close() }

func (p *pipe) expired() bool {
	select {
	case <-p.over:
		return true
	default:
		return false
	}
}

// pipes are the three streams of a program that is about to start.
type pipes struct {
	in, out, err  *os.File // ours
	stdin, stdout *os.File // the program's
	stderr        *os.File
}

func openPipes() (ps pipes, err error) {
	defer func() {
		if err != nil {
			ps.close()
		}
	}()
	if ps.stdin, ps.in, err = os.Pipe(); err != nil {
		return ps, err
	}
	if ps.out, ps.stdout, err = os.Pipe(); err != nil {
		return ps, err
	}
	if ps.err, ps.stderr, err = os.Pipe(); err == nil {
		widen(ps.err)
	}
	return ps, err
}

// handOver closes the ends that the program has now.
func (ps pipes) handOver() { shut(ps.stdin, ps.stdout, ps.stderr) }

func (ps pipes) close() { shut(ps.in, ps.out, ps.err, ps.stdin, ps.stdout, ps.stderr) }

func shut(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

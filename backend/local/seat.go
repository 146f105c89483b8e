package local

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/adrg/xdg"
	"github.com/gofrs/flock"

	"turnwatch/backend/agent"
	"turnwatch/backend/local/link"
)

// ErrTaken says that another program has the window of this data folder.
var ErrTaken = errors.New("window is open already")

// Bounds of the talk.
const (
	patience = 3 * time.Second
	longest  = 256 // bytes of a line
	longPath = 100
)

// What is said.
const (
	askRaise = "raise"
	askOpen  = "open " // and a link
	ack      = "ok"
)

// Seat is the right to the one window of a data folder.
type Seat struct {
	dir    string
	lock   *flock.Flock
	listen net.Listener
	done   sync.WaitGroup
}

// Take takes the seat of a data folder, which is made if it is missing. ErrTaken
// when a living program has it; the seat of a dead one is free.
func Take(dir string) (*Seat, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("take window: %w", err)
	}
	lock := flock.New(filepath.Join(dir, "window.lock"), flock.SetPermissions(0o600))
	mine, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("take window: %w", err)
	case !mine:
		return nil, ErrTaken
	}
	return &Seat{dir: dir, lock: lock}, nil
}

// Listen calls raise, one call at a time, whenever another program asks for the
// window, with the task that it asked for or "". Call it once.
func (s *Seat) Listen(raise func(task agent.TaskID)) error {
	name, err := address(s.dir)
	if err != nil {
		return err
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("listen for other programs: %w", err)
	}
	l, err := net.Listen("unix", name)
	if err != nil {
		return fmt.Errorf("listen for other programs: %w", err)
	}
	if err := os.Chmod(name, 0o600); err != nil {
		return fmt.Errorf("listen for other programs: %w", errors.Join(err, l.Close()))
	}
	s.listen = l
	s.done.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serve(c, raise)
		}
	})
	return nil
}

// serve hears one line. Anything but a known word, or a link as it must be, is
// ignored.
func serve(c net.Conn, raise func(agent.TaskID)) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	line, err := readLine(c)
	if err != nil {
		return
	}
	var task agent.TaskID
	if line != askRaise {
		raw, asks := strings.CutPrefix(line, askOpen)
		if task, err = link.Task(raw); err != nil || !asks {
			return
		}
	}
	raise(task)
	_, _ = io.WriteString(c, ack+"\n")
}

// Close gives the seat back.
func (s *Seat) Close() error {
	var err error
	if s.listen != nil {
		err = s.listen.Close()
		s.done.Wait()
	}
	if err = errors.Join(err, s.lock.Unlock()); err != nil {
		return fmt.Errorf("give window back: %w", err)
	}
	return nil
}

// Raise asks the program that has the window to show it, with a task where one is
// named, and waits until it has heard.
func Raise(ctx context.Context, dir string, task agent.TaskID) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	name, err := address(dir)
	if err != nil {
		return err
	}
	c, err := (&net.Dialer{}).DialContext(ctx, "unix", name)
	if err != nil {
		return fmt.Errorf("raise window: %w", err)
	}
	defer c.Close()
	if until, ok := ctx.Deadline(); ok {
		_ = c.SetDeadline(until)
	}
	ask := askRaise
	if task != "" {
		ask = askOpen + link.To(task)
	}
	if _, err := io.WriteString(c, ask+"\n"); err != nil {
		return fmt.Errorf("raise window: %w", err)
	}
	if line, err := readLine(c); err != nil || line != ack {
		return fmt.Errorf("raise window: %w", errors.Join(err, errors.New("no answer")))
	}
	return nil
}

func readLine(r io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(r, longest)).ReadString('\n')
	if err != nil {
		return "", err
	}
	return line[:len(line)-1], nil
}

// address is where the socket of a data folder is: in it, or where its path is
// too long for a socket in the user's run folder.
func address(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find window socket: %w", err)
	}
	if name := filepath.Join(dir, "window.sock"); len(name) <= longPath {
		return name, nil
	}
	sum := sha256.Sum256([]byte(dir))
	own := filepath.Join(xdg.RuntimeDir, "turnwatch")
	if err := os.MkdirAll(own, 0o700); err != nil {
		return "", fmt.Errorf("find window socket: %w", err)
	}
	return filepath.Join(own, hex.EncodeToString(sum[:8])+".sock"), nil
}

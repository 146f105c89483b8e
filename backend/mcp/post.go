package mcp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"turnwatch/backend/agent"
)

// Decide is asked what becomes of a call of a session. It may wait, within ctx.
type Decide func(ctx context.Context, session agent.SessionID) Reply

// Post hears the calls of all sessions of one program.
type Post struct {
	listen net.Listener
	name   string
	decide Decide
	ctx    context.Context
	stop   context.CancelFunc
	calls  sync.WaitGroup

	mu     sync.Mutex
	tokens map[[sha256.Size]byte]agent.SessionID // by hash: comparing takes equally long for all
}

// Open begins to listen. The socket lies in dir, or in the user's run folder where
// the path is too long for one.
func Open(dir string, decide Decide) (*Post, error) {
	name, err := place(dir)
	if err != nil {
		return nil, fmt.Errorf("listen for task_complete: %w", err)
	}
	l, err := net.Listen("unix", name)
	if err != nil {
		return nil, fmt.Errorf("listen for task_complete: %w", err)
	}
	if err := os.Chmod(name, 0o600); err != nil {
		return nil, fmt.Errorf("listen for task_complete: %w", errors.Join(err, l.Close()))
	}
	p := &Post{listen: l, name: name, decide: decide, tokens: map[[sha256.Size]byte]agent.SessionID{}}
	p.ctx, p.stop = context.WithCancel(context.Background())
	p.calls.Go(p.hear)
	return p, nil
}

// place is a name that no other program has: one for each process.
func place(dir string) (string, error) {
	name := filepath.Join(dir, fmt.Sprintf("mcp-%d.sock", os.Getpid()))
	if len(name) > 100 {
		dir = filepath.Join(xdg.RuntimeDir, "turnwatch")
		name = filepath.Join(dir, fmt.Sprintf("mcp-%d-%s.sock", os.Getpid(), rand.Text()[:8]))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return name, nil
}

// Admit makes the environment by which tw mcp speaks for a session. An earlier
// one of the session is worth nothing from then on.
func (p *Post) Admit(session agent.SessionID) []string {
	token := rand.Text()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget(session)
	p.tokens[sha256.Sum256([]byte(token))] = session
	return []string{EnvSocket + "=" + p.name, EnvToken + "=" + token}
}

// Forget takes the admission of a session back.
func (p *Post) Forget(session agent.SessionID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget(session)
}

func (p *Post) forget(session agent.SessionID) {
	for k, s := range p.tokens {
		if s == session {
			delete(p.tokens, k)
		}
	}
}

// Close stops listening and waits for the calls in hand, whose contexts it ends.
func (p *Post) Close() error {
	p.stop()
	err := p.listen.Close()
	p.calls.Wait()
	if err != nil {
		return fmt.Errorf("stop listening for task_complete: %w", err)
	}
	return nil
}

func (p *Post) hear() {
	for {
		c, err := p.listen.Accept()
		if err != nil {
			return
		}
		p.calls.Go(func() { p.serve(c) })
	}
}

// serve hears one call. One without a token of ours gets no answer.
func (p *Post) serve(c net.Conn) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	defer context.AfterFunc(p.ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })()
	var heard call
	if err := readLine(c, &heard); err != nil {
		return
	}
	p.mu.Lock()
	session, ok := p.tokens[sha256.Sum256([]byte(heard.Token))]
	p.mu.Unlock()
	if !ok {
		return
	}
	ctx, stop := context.WithTimeout(p.ctx, patience)
	defer stop()
	if reply := p.decide(ctx, session); p.ctx.Err() == nil {
		_ = writeLine(c, reply)
	}
}

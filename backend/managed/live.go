package managed

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/proc"
)

// Bounds of the stop order.
const (
	cancelGrace = 2 * time.Second // for open prompts to return after our session/cancel
	mutedGrace  = 2 * time.Second // for a program that closed its stdout to end by itself
)

// live is a running agent: its process, the connection with it and everything
// that listens. One goroutine, watch, owns its end; whoever starts it must see
// to it that end is called or the process ends by itself.
type live struct {
	profile profile
	process *proc.Process
	client  acp.Client
	ear     *ear
	auth    []acp.AuthMethod // written before the session is open, then only read

	prompts calls
	closing atomic.Bool // we ask for the end: no Exited is delivered
	ending  sync.Once
	exit    failure.Exit  // written before gone is closed
	gone    chan struct{} // everything the process said was handled; its exit is known
	over    chan struct{} // every goroutine has ended
}

// launch starts the process and the connection.
func launch(ctx context.Context, p profile, o proc.Options, e *ear) (*live, error) {
	o.Want, o.Pass, o.Stamp = e.want, e.pass, e.sink.Stamp
	process, err := proc.Start(ctx, o)
	if err != nil {
		return nil, err
	}
	l := &live{
		profile: p, process: process, ear: e,
		gone: make(chan struct{}), over: make(chan struct{}),
	}
	l.client = acp.Client{Conn: acp.New(process.Stdout(), process.Stdin(), e, acp.Options{
		Stamp: e.sink.Stamp, Noise: e.noise, Log: e.log,
	})}
	errs := make(chan struct{})
	go func() {
		defer close(errs)
		e.stderr(process.Lines())
	}()
	go l.watch(errs)
	return l, nil
}

// watch waits for the end of the agent, whoever brings it about, and reports it
// after everything that the agent said. A program that closes its stdout cannot
// be spoken to any more and is stopped.
func (l *live) watch(errs <-chan struct{}) {
	defer close(l.over)
	select {
	case <-l.process.Done():
	case <-l.client.Done():
		_ = l.stop(context.Background(), proc.Stopping{Grace: mutedGrace}) // logged there
	}
	<-l.process.Done()
	_ = l.client.Close() // stdin is of no use any more
	<-l.client.Done()
	_ = l.process.Stdout().Close()
	<-errs
	l.ear.read.end()
	end := l.process.Exit()
	l.exit = failure.Exit{Code: end.Code, Signal: end.Signal, At: end.At}
	close(l.gone)
	<-l.prompts.close()
	l.ear.desk.close()
	if !l.closing.Load() {
		l.reportExit()
	}
	l.ear.log.Info("agent ended", "agent", l.profile.kind, "launch", l.process.LaunchID(),
		"code", end.Code, "signal", end.Signal, "asked", l.closing.Load(), "strays", end.Strays)
}

// reportExit delivers the end of the process. It blocks while the owner is behind.
func (l *live) reportExit() {
	st := l.ear.sink.Stamp()
	l.ear.deliver(l.ear.read.exited(st, l.exit))
	l.ear.sink.Deliver(agent.Exited{Stamp: st, Failure: failure.OfExit(l.exit)})
}

// end brings the agent down by the stop order and waits until nothing of it is
// left. The first caller's times count. When ctx ends it returns at once, and
// the end goes on without giving any more time.
func (l *live) end(ctx context.Context, s proc.Stopping) error {
	l.closing.Store(true)
	l.ending.Do(func() { go l.wind(s) })
	select {
	case <-l.over:
		return l.stop(ctx, s) // names what could not be ended
	case <-ctx.Done():
		return l.stop(ctx, s) // makes haste
	}
}

// wind is the part of the stop order that is spoken: session/cancel while a
// prompt is open, then the end of stdin. The rest is proc's.
func (l *live) wind(s proc.Stopping) {
	if l.prompts.any() {
		grace := cancelGrace
		if s.Grace > 0 {
			grace = min(grace, s.Grace)
		}
		ctx, stop := context.WithTimeout(context.Background(), grace)
		if l.client.Cancel(ctx, l.ear.own()) == nil {
			l.ear.asks.cancel()
			l.settle(ctx)
		}
		stop()
	}
	_ = l.client.Close()
	_ = l.stop(context.Background(), s)
}

// settle waits for the open prompts to return, the process to end, or ctx.
func (l *live) settle(ctx context.Context) {
	select {
	case <-l.prompts.none():
	case <-l.process.Done():
	case <-ctx.Done():
	}
}

func (l *live) stop(ctx context.Context, s proc.Stopping) error {
	err := l.process.Stop(ctx, s)
	if err != nil && ctx.Err() == nil {
		l.ear.log.Warn("agent not wholly stopped", "agent", l.profile.kind, "launch", l.process.LaunchID())
	}
	return err
}

// lost makes a failure of an error of the connection: how the process ended
// where it has, else that it does not listen. It waits for the end of a process
// whose connection has ended.
func (l *live) lost(err error) error {
	switch {
	case errors.Is(err, acp.ErrStalled):
		return &agent.Failure{
			Code: failure.AgentTransportLost, Rule: "transport.stalled", Source: failure.SourceACP,
			Hint: failure.HintRestart, OccurredAt: l.now(), Confidence: string(failure.High),
		}
	case errors.Is(err, acp.ErrClosed):
		<-l.gone
		f := failure.OfExit(l.exit)
		return &f
	}
	return err
}

func (l *live) now() time.Time { return l.ear.sink.Stamp().At }

// silent is the logger of who wants none.
func silent(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return log
}

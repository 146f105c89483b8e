package provider

import (
	"context"
	"slices"
	"time"
)

// Dialect is the protocol of a request.
type Dialect string

// Dialects. None is anything that asks for no answer of a model.
const (
	None      Dialect = ""
	Chat      Dialect = "chat"      // …/chat/completions
	Responses Dialect = "responses" // …/responses
	Messages  Dialect = "messages"  // …/messages
	Gemini    Dialect = "gemini"    // …:generateContent, …:streamGenerateContent
)

// End says how a request ended.
type End string

// Ends of a request. It is "" while the request is being answered.
const (
	Answered   End = "answered"    // everything that was to be said was said
	ClientGone End = "client_gone" // the client let go first, as it does at a cancel
	ServerGone End = "server_gone" // the provider's context ended
	Dropped    End = "dropped"     // the provider cut the connection, as asked
)

// Request is what is remembered of one request. It holds no header and no text.
type Request struct {
	N        int // counts from 1 in the order of arrival
	At       time.Time
	Method   string
	Path     string // with the scenario part, without the query
	Dialect  Dialect
	Model    string
	Scenario string   // the behaviour that was played
	Side     bool     // no tools offered: a title, a summary, a router
	Step     int      // tool results since the newest prompt
	Tools    []string // names of the tools that were offered
	End      End
}

// Requests returns what was asked so far, in order of arrival.
func (p *Provider) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

// Await returns the first request, past or to come, that match accepts. A
// request is offered to match when it arrives and again when it ends. It blocks
// until there is one or ctx ends.
func (p *Provider) Await(ctx context.Context, match func(Request) bool) (Request, error) {
	for {
		p.mu.Lock()
		i := slices.IndexFunc(p.requests, match)
		if i >= 0 {
			defer p.mu.Unlock()
			return p.requests[i], nil
		}
		news := p.news
		p.mu.Unlock()
		select {
		case <-news:
		case <-ctx.Done():
			return Request{}, ctx.Err()
		}
	}
}

// note keeps a request and returns its number.
func (p *Provider) note(r Request) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.N = len(p.requests) + 1
	p.requests = append(p.requests, r)
	p.tell()
	return r.N
}

// ended keeps how request n ended.
func (p *Provider) ended(n int, how End) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests[n-1].End = how
	p.tell()
}

// tell wakes everybody who waits for news. The lock is held.
func (p *Provider) tell() {
	close(p.news)
	p.news = make(chan struct{})
}

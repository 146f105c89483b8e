package managed

import (
	"errors"
	"sync"

	sdk "github.com/coder/acp-go-sdk"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
)

// deskSlots is how many file requests may wait.
const deskSlots = 64

// desk serves an agent's fs/* requests, one after the other in the order they
// came, on a goroutine of its own: the reader of the connection never waits for a
// disk. Without a folder it serves nothing and answers that.
type desk struct {
	folder *folder // nil: not served
	todo   chan job
	wg     sync.WaitGroup
}

type job struct {
	request *acp.Request
	session agent.ProviderSession // the connection's own; "" while it has none
}

// newDesk takes over a folder, which may be nil. Call close when no request can
// come any more.
func newDesk(f *folder) *desk {
	d := &desk{folder: f, todo: make(chan job, deskSlots)}
	if f != nil {
		d.wg.Go(func() {
			for j := range d.todo {
				d.serve(j)
			}
		})
	}
	return d
}

func (d *desk) close() {
	close(d.todo)
	d.wg.Wait()
	if d.folder != nil {
		_ = d.folder.close()
	}
}

// take queues a request, or answers it at once where it is not served or too
// many wait. It never blocks.
func (d *desk) take(r *acp.Request, session agent.ProviderSession) {
	if d.folder == nil {
		_ = r.Fail(acp.CodeMethodNotFound, r.Method+" is not offered by this client", nil)
		return
	}
	select {
	case d.todo <- job{r, session}:
	default:
		_ = r.Fail(acp.CodeInternal, "too many file requests at once", nil)
	}
}

func (d *desk) serve(j job) {
	r := j.request
	switch r.Method {
	case methodRead:
		var p sdk.ReadTextFileRequest
		if r.Decode(&p) != nil || d.foreign(j, agent.ProviderSession(p.SessionId)) {
			return
		}
		text, err := d.folder.read(p.Path, p.Line, p.Limit)
		if err != nil {
			fail(r, err)
			return
		}
		_ = r.Respond(map[string]string{"content": text})
	case methodWrite:
		var p sdk.WriteTextFileRequest
		if r.Decode(&p) != nil || d.foreign(j, agent.ProviderSession(p.SessionId)) {
			return
		}
		if err := d.folder.write(p.Path, p.Content); err != nil {
			fail(r, err)
			return
		}
		_ = r.Respond(struct{}{})
	}
}

// foreign refuses a request for a session that is not this connection's.
func (d *desk) foreign(j job, named agent.ProviderSession) bool {
	if j.session == "" || named == j.session {
		return false
	}
	_ = j.request.Fail(acp.CodeInvalidParams, "no such session", nil)
	return true
}

// fail answers with the reason. No path is in it but what the agent knows.
func fail(r *acp.Request, err error) {
	code := acp.CodeInternal
	switch {
	case errors.Is(err, errNoFile):
		code = acp.CodeNotFound
	case errors.Is(err, errOutside), errors.Is(err, errRelative), errors.Is(err, errFolder),
		errors.Is(err, errNotFile), errors.Is(err, errTooLarge), errors.Is(err, errNotText), errors.Is(err, errDenied):
		code = acp.CodeInvalidParams
	}
	_ = r.Fail(code, r.Method+": "+err.Error(), nil)
}

package managed

import (
	"log/slog"
	"strings"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/opencode"
)

// evidence is the port of one agent's dialect: it sees everything the process
// says, as it came, and hands on agent events (FailureSeen, Retrying) or marks
// (Update.NotOutput). It collects and correlates and decides nothing.
//
// There is one for each process. update, notification, answer and refused come
// in the order of the wire; stderr and want come beside them, from two other
// goroutines. None may block, and none may keep raw bytes it was given. Events
// are delivered right after what they were found in, those of refused before it.
//
// answer is asked about a successful answer to a prompt: a failure says that the
// agent told of one beside it, and becomes the end of the turn. explain may make
// the failure of an error answer more exact by what was told beside it.
//
// begin comes once the agent has answered initialize, end when everything that the
// process said was handled; both at most once, in whatever order. What begin starts
// end waits for, and after it nothing is delivered any more. prompted comes before
// each prompt, asked with each request for the user, over after each prompt call.
type evidence interface {
	// want chooses the lines of stderr that are worth a call of stderr.
	want(line []byte) bool
	// passes says of a whole block that want would choose none of its lines.
	passes(block []byte) bool
	// keeps says whether stderr may be kept in the bounded tail, which is shown
	// on request and never stored.
	keeps() bool
	update(st agent.Stamp, u *agent.Update, raw []byte) []agent.Event
	notification(st agent.Stamp, method string, params []byte) []agent.Event
	answer(st agent.Stamp, raw []byte) *agent.Failure
	refused(st agent.Stamp, e failure.RPC) []agent.Event
	stderr(st agent.Stamp, line []byte) []agent.Event
	exited(st agent.Stamp, e failure.Exit) []agent.Event
	explain(st agent.Stamp, f agent.Failure) agent.Failure

	begin(j joint)
	prompted(st agent.Stamp)
	asked(st agent.Stamp)
	over(st agent.Stamp)
	end()
}

// joint is what evidence needs that listens beside the pipes.
type joint struct {
	sink    agent.Sink
	session func() agent.ProviderSession // "" while it is not known
	dir     string                       // of the session
	server  *opencode.Server             // the agent's own; nil where it has none, or nobody knows where
	clock   agent.Clock
	log     *slog.Logger
}

// plain is the evidence of an agent that nothing special is known of: its stderr
// goes to the tail, and nothing else is read.
type plain struct{}

func (*plain) want([]byte) bool                                        { return true }
func (*plain) passes([]byte) bool                                      { return false }
func (*plain) keeps() bool                                             { return true }
func (*plain) update(agent.Stamp, *agent.Update, []byte) []agent.Event { return nil }
func (*plain) notification(agent.Stamp, string, []byte) []agent.Event  { return nil }
func (*plain) answer(agent.Stamp, []byte) *agent.Failure               { return nil }
func (*plain) refused(agent.Stamp, failure.RPC) []agent.Event          { return nil }
func (*plain) stderr(agent.Stamp, []byte) []agent.Event                { return nil }
func (*plain) exited(agent.Stamp, failure.Exit) []agent.Event          { return nil }
func (*plain) explain(_ agent.Stamp, f agent.Failure) agent.Failure    { return f }
func (*plain) begin(joint)                                             {}
func (*plain) prompted(agent.Stamp)                                    {}
func (*plain) asked(agent.Stamp)                                       {}
func (*plain) over(agent.Stamp)                                        {}
func (*plain) end()                                                    {}

// ownText reports whether an update is a chunk of message text that has the form
// of the agent's own words. Agents send those whole, in one chunk.
func ownText(u *agent.Update, form func(string) bool) bool {
	if u.Kind != agent.MessageChunk || u.Block.Kind != agent.BlockText {
		return false
	}
	return form(strings.TrimSpace(u.Block.Text))
}

//go:build unix

package managed_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// fakeVar makes the test binary an agent of that script.
const fakeVar = "FAKE_AGENT"

func TestMain(m *testing.M) {
	if script := os.Getenv(fakeVar); script != "" {
		os.Exit(runFake(script))
	}
	goleak.VerifyTestMain(m)
}

// fake is an agent as a program of its own. It shares no code with the
// connection under test.
type fake struct {
	in   *bufio.Reader
	out  *bufio.Writer
	next int
	held json.RawMessage // id of a prompt that is not answered yet
}

type frame struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

func runFake(script string) int {
	f := &fake{in: bufio.NewReaderSize(os.Stdin, 1<<20), out: bufio.NewWriter(os.Stdout)}
	if start := starts[script]; start != nil {
		if code := start(f); code >= 0 {
			return code
		}
	}
	for {
		m, ok := f.read()
		if !ok {
			return 0
		}
		if special := scripts[script]; special != nil && special(f, m) {
			continue
		}
		f.usual(m)
	}
}

func (f *fake) read() (frame, bool) {
	for {
		line, err := f.in.ReadBytes('\n')
		var m frame
		if json.Unmarshal(line, &m) == nil {
			return m, true
		}
		if err != nil {
			return m, false
		}
	}
}

func (f *fake) line(format string, args ...any) {
	fmt.Fprintf(f.out, format+"\n", args...)
	f.out.Flush()
}

func (f *fake) answer(id json.RawMessage, result string) {
	f.line(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

func (f *fake) fail(id json.RawMessage, err string) {
	f.line(`{"jsonrpc":"2.0","id":%s,"error":%s}`, id, err)
}

func (f *fake) update(update string) {
	f.line(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":%s}}`, update)
}

func (f *fake) say(text string) {
	t, _ := json.Marshal(text)
	f.update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":` + string(t) + `}}`)
}

// ask sends a request and returns the answer to it, reading past other frames.
func (f *fake) ask(method, params string) frame {
	f.next++
	f.line(`{"jsonrpc":"2.0","id":"q%d","method":%q,"params":%s}`, f.next, method, params)
	for {
		m, ok := f.read()
		if !ok {
			os.Exit(0)
		}
		if m.Method == "" {
			return m
		}
		if m.Method == "session/cancel" && f.held != nil {
			continue
		}
	}
}

// usual is what an agent without peculiarities does.
func (f *fake) usual(m frame) {
	switch m.Method {
	case "initialize":
		f.answer(m.ID, `{"protocolVersion":1,"agentInfo":{"name":"fake","title":"Fake Agent","version":"9.1"},"agentCapabilities":{"loadSession":true,"promptCapabilities":{"image":true},"sessionCapabilities":{"resume":{}}},"authMethods":[{"id":"key","name":"API key"},{"id":"web","name":"Log in\u202e on the web"}]}`)
	case "session/new":
		f.answer(m.ID, `{"sessionId":"s1"}`)
	case "session/load", "session/resume":
		f.answer(m.ID, `{}`)
	case "session/prompt":
		f.say("hello ")
		f.say("world")
		f.answer(m.ID, `{"stopReason":"end_turn","usage":{"inputTokens":3,"outputTokens":4,"totalTokens":7}}`)
	default:
		if m.ID != nil && m.Method != "" {
			f.fail(m.ID, `{"code":-32601,"message":"Method not found"}`)
		}
	}
}

// prompt returns the text of a prompt.
func (m frame) prompt() string {
	var p struct {
		Prompt []struct{ Text string } `json:"prompt"`
	}
	_ = json.Unmarshal(m.Params, &p)
	if len(p.Prompt) == 0 {
		return ""
	}
	return p.Prompt[0].Text
}

package acp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/acp"
)

// TestAnswers is how each shape of answer ends a call.
func TestAnswers(t *testing.T) {
	for _, row := range []struct {
		name    string
		say     []string
		want    string // the result
		code    string // of an error answer
		whole   int64
		message string
		data    string
	}{
		{name: "result", say: []string{`{"jsonrpc":"2.0","id":1,"result":{"a":1}}`}, want: `{"a":1}`},
		{name: "null", say: []string{`{"jsonrpc":"2.0","id":1,"result":null}`}, want: `null`},
		{name: "result dropped by JavaScript", say: []string{`{"jsonrpc":"2.0","id":1}`}, want: `null`},
		{name: "id as text", say: []string{`{"id":"1","result":2}`}, want: `2`},
		{name: "no version", say: []string{`{"id":1,"result":2}`}, want: `2`},
		{name: "null error beside a result", say: []string{`{"id":1,"error":null,"result":2}`}, want: `2`},
		{name: "members in another order", say: []string{`{"result":[1, 2],"id":1}`}, want: `[1, 2]`},
		{name: "white space and carriage return", say: []string{" \t{\"id\":1 , \"result\":2 } \r"}, want: `2`},
		{name: "byte order mark", say: []string{"\xef\xbb\xbf" + `{"id":1,"result":2}`}, want: `2`},
		{name: "escaped member names", say: []string{`{"\u0069d":1,"re\u0073ult":2}`}, want: `2`},
		{name: "repeated member: the last one counts", say: []string{`{"id":7,"result":3,"id":1,"result":2}`}, want: `2`},
		{name: "broken UTF-8", say: []string{"{\"id\":1,\"result\":\"a\xffb\"}"}, want: "\"a\xffb\""},
		{name: "after garbage", say: []string{"<html>", "\x00\x01\xff", `{"id":1,`, `{"id":1,"result":2}`}, want: `2`},
		{name: "after unknown answers", say: []string{`{"id":99,"result":1}`, `{"id":"x","result":1}`, `{"id":null,"error":{"code":-32700}}`, `{"id":1.5,"result":1}`, `{"id":1,"result":2}`}, want: `2`},
		{name: "error", say: []string{`{"id":1,"error":{"code":-32603,"message":"m","data":{"k":[1]}}}`}, code: "-32603", whole: -32603, message: "m", data: `{"k":[1]}`},
		{name: "error code as text", say: []string{`{"id":1,"error":{"code":"429","message":"m"}}`}, code: "429", whole: 429, message: "m"},
		{name: "error code as fraction", say: []string{`{"id":1,"error":{"code":429.0,"message":"m"}}`}, code: "429.0", whole: 429, message: "m"},
		{name: "error code as word", say: []string{`{"id":1,"error":{"code":"rate_limit","message":"m"}}`}, code: "rate_limit", message: "m"},
		{name: "error without code", say: []string{`{"id":1,"error":{"message":"m"}}`}, message: "m"},
		{name: "error with a bad message", say: []string{`{"id":1,"error":{"code":5,"message":{"x":1}}}`}, code: "5", whole: 5},
		{name: "error as text", say: []string{`{"id":1,"error":"m"}`}, message: "m"},
		{name: "error as number", say: []string{`{"id":1,"error":5}`}},
		{name: "error beside a result", say: []string{`{"id":1,"result":2,"error":{"code":5,"message":"m"}}`}, code: "5", whole: 5, message: "m"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := newPeer(t, acp.Options{})
			call := p.conn.Go(within(t), "test/method", nil)
			require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"method":"test/method"}`, p.hear())
			p.say(row.say...)
			raw, err := call.Wait(within(t))
			if row.want != "" {
				require.NoError(t, err)
				assert.Equal(t, row.want, string(raw))
				return
			}
			var fault *acp.Error
			require.ErrorAs(t, err, &fault)
			n, _ := fault.Int()
			assert.Equal(t, row.code, fault.Code)
			assert.Equal(t, row.whole, n)
			assert.Equal(t, row.message, fault.Message)
			assert.Equal(t, row.data, string([]byte(fault.Data)))
		})
	}
}

// TestErrorsSayNothingOfThePeers: what a peer writes must not reach a log through
// the text of an error.
func TestErrorsSayNothingOfThePeers(t *testing.T) {
	p := newPeer(t, acp.Options{})
	call := p.conn.Go(within(t), "test/method", nil)
	p.hear()
	p.say(`{"id":1,"error":{"code":"canary-code","message":"canary-message","data":"canary-data"}}`)
	_, err := call.Wait(within(t))
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "canary")

	ctx, errs := within(t), make(chan error, 1)
	go func() {
		var n int
		errs <- p.conn.Call(ctx, "test/other", nil, &n)
	}()
	p.hear()
	p.say(`{"id":2,"result":"canary-result"}`)
	err = receive(t, errs)
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "canary")

	p.say(`{"id":3,"method":"bad/params","params":["canary-params"]}`)
	var v struct{ A int }
	err = p.request().Decode(&v)
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "canary")
	assert.JSONEq(t, `{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"invalid parameters of bad/params"}}`, p.hear())
}

// TestMessages is what reaches the handler of each kind of line.
func TestMessages(t *testing.T) {
	for _, row := range []struct {
		name, say, want string
	}{
		{"chunk", chunkLine("hi\n<é>"), `update agent_message_chunk m1 "hi\n<é>"`},
		{"parameters before the method", `{"params":{"update":{"content":{"text":"hi","type":"text"},"sessionUpdate":"agent_message_chunk","messageId":"m2"},"sessionId":"s"},"method":"session/update"}`, `update agent_message_chunk m2 "hi"`},
		{"escaped text", `{"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\u0041\ud83d\ude00\ud800"}}}}`, `update agent_message_chunk  "A😀�"`},
		{"image chunk", `{"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"image","data":"AAAA"}}}}`, `update agent_message_chunk  ""`},
		{"tool call", `{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call","toolCallId":"t1","content":[{"type":"content","content":{"type":"text","text":"x"}}]}}}`, `update tool_call t1 ""`},
		{"unknown kind", `{"method":"session/update","params":{"update":{"sessionUpdate":"notice","title":"x"}}}`, `update notice  ""`},
		{"no update", `{"method":"session/update","params":{"sessionId":"s"}}`, `update   ""`},
		{"update of another shape", `{"method":"session/update","params":{"update":[1]}}`, `update   ""`},
		{"parameters of another shape", `{"method":"session/update","params":[1]}`, `update   ""`},
		{"no parameters", `{"method":"session/update"}`, `update   ""`},
		{"kind of another shape", `{"method":"session/update","params":{"update":{"sessionUpdate":{"a":1},"messageId":null,"content":"x"}}}`, `update   ""`},
		{"notification", `{"jsonrpc":"2.0","method":"_vendor/x","params":{"a":[1, 2]}}`, `notification _vendor/x {"a":[1, 2]}`},
		{"notification without parameters", `{"method":"$/cancel_request"}`, `notification $/cancel_request `},
		{"request with number", `{"id":7,"method":"fs/read_text_file","params":{}}`, `request fs/read_text_file 7 {}`},
		{"request with text", `{"id":"a\"b","method":"x"}`, `request x "a\"b" `},
		{"long ids", `{"method":"session/update","params":{"update":{"sessionUpdate":"` + strings.Repeat("k", 300) + `","messageId":"m"}}}`, `update ` + strings.Repeat("k", 300) + ` m ""`},
		{"request with null", `{"id":null,"method":"x"}`, `request x null `},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := newPeer(t, acp.Options{})
			p.say("not a message", row.say)
			assert.Equal(t, row.want, p.saw())
			assert.Equal(t, uint64(1), p.conn.Stats().Garbage)
			assert.Equal(t, uint64(1), p.conn.Stats().Frames)
		})
	}
}

// TestNoMessages is what is counted and skipped.
func TestNoMessages(t *testing.T) {
	deep := strings.Repeat(`[`, 20000)
	for _, row := range []struct {
		name, say string
		want      acp.Stats
	}{
		{"HTML", "<!doctype html><html>", acp.Stats{Garbage: 1}},
		{"log line", "[INFO] started", acp.Stats{Garbage: 1}},
		{"JSON log line", `{"level":"info","msg":"started"}`, acp.Stats{Garbage: 1}},
		{"binary", "\x7fELF\x00\x01\x02\xff\xfe", acp.Stats{Garbage: 1}},
		{"number", "42", acp.Stats{Garbage: 1}},
		{"half an object", `{"method":"x"`, acp.Stats{Garbage: 1}},
		{"two objects", `{"method":"x"}{"method":"y"}`, acp.Stats{Garbage: 1}},
		{"method that is no text", `{"method":5}`, acp.Stats{Garbage: 1}},
		{"too deep", `{"method":"x","params":` + deep, acp.Stats{Garbage: 1}},
		{"broken update", `{"method":"session/update","params":{"update":{"content":{"type":"text",}}}}`, acp.Stats{Garbage: 1}},
		{"blank", "  \t ", acp.Stats{}},
		{"over the limit", `{"method":"` + strings.Repeat("x", 300<<10) + `"}`, acp.Stats{OverLong: 1}},
		{"unknown answer", `{"id":5,"result":1}`, acp.Stats{Frames: 1, Stray: 1}},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := newPeer(t, acp.Options{MaxLine: 200 << 10})
			p.say(row.say, `{"method":"after"}`)
			assert.Equal(t, "notification after ", p.saw())
			row.want.Frames++
			assert.Equal(t, row.want, p.conn.Stats())
		})
	}
}

// TestNoise: lines that are no messages are told of as they come, in rows that a
// message ends.
func TestNoise(t *testing.T) {
	var rows []string
	p := newPeer(t, acp.Options{Noise: func(lines, bytes int) { rows = append(rows, fmt.Sprint(lines, " ", bytes)) }})
	p.say("<html>", "", "<p>", `{"method":"m"}`, "[]", `{"a":1}`, `{"method":"m"}`)
	p.saw()
	p.saw()
	assert.Equal(t, []string{"1 6", "2 9", "1 2", "2 9"}, rows)
}

// TestBatch: ACP has no batches, and who sends one learns so.
func TestBatch(t *testing.T) {
	p := newPeer(t, acp.Options{})
	go p.say(`[{"id":1,"method":"x"},{"method":"y"}]`, `{"method":"after"}`)
	assert.JSONEq(t, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not part of ACP"}}`, p.hear())
	assert.Equal(t, "notification after ", p.saw())
	assert.Equal(t, acp.Stats{Frames: 1, Batches: 1}, p.conn.Stats())
	for range 200 { // who reads the refusals gets one each time
		p.say(`[{"method":"x"}]`)
		assert.Contains(t, p.hear(), "-32600")
	}
}

// TestIdsThatLookAlike: an id is known by what it means, not by how it is written.
func TestIdsThatLookAlike(t *testing.T) {
	p := newPeer(t, acp.Options{})
	for _, row := range []struct{ written, means string }{
		{`a\\b`, `a\b`}, {`a\b`, "a\b"}, {`a\u0008`, "a\b"}, {`a\\b`, `a\b`}, {`a`, `a`}, {`\u0061`, `a`},
	} {
		p.say(`{"method":"session/update","params":{"update":{"messageId":"` + row.written + `"}}}`)
		assert.Equal(t, "update  "+row.means+` ""`, p.saw())
	}
}

// TestRequests is how each way to answer a request looks to the peer.
func TestRequests(t *testing.T) {
	for _, row := range []struct {
		name   string
		id     string
		answer func(*acp.Request) error
		want   string
	}{
		{"result", `7`, func(r *acp.Request) error { return r.Respond(map[string]int{"a": 1}) }, `"result":{"a":1}`},
		{"nothing", `"a b"`, func(r *acp.Request) error { return r.Respond(nil) }, `"result":null`},
		{"raw", `null`, func(r *acp.Request) error { return r.Respond(jsontext.Value("{\"a\":\n1}")) }, `"result":{"a":1}`},
		{"error", `-1`, func(r *acp.Request) error { return r.Fail(-32000, "no \"way\"", map[string]string{"k": "v"}) }, `"error":{"code":-32000,"message":"no \"way\"","data":{"k":"v"}}`},
		{"unknown method", `1e3`, func(r *acp.Request) error { return r.Refuse() }, `"error":{"code":-32601,"message":"method not found: m"}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := newPeer(t, acp.Options{})
			p.say(`{"jsonrpc":"2.0","id":` + row.id + `,"method":"m"}`)
			r := p.request()
			require.NoError(t, row.answer(r))
			assert.Equal(t, `{"jsonrpc":"2.0","id":`+row.id+`,`+row.want+"}\n", p.hear())
			require.ErrorIs(t, r.Respond(nil), acp.ErrAnswered)
			require.ErrorIs(t, r.Fail(1, "x", nil), acp.ErrAnswered)
		})
	}
	t.Run("result that cannot be encoded", func(t *testing.T) {
		p := newPeer(t, acp.Options{})
		p.say(`{"id":1,"method":"m"}`)
		require.Error(t, p.request().Respond(make(chan int)))
		assert.Contains(t, p.hear(), `"error":{"code":-32603`)
	})
	t.Run("update sent as a request is answered once it is handled", func(t *testing.T) {
		p := newPeer(t, acp.Options{})
		p.say(`{"id":"u","method":"session/update","params":{"update":{"sessionUpdate":"plan"}}}`)
		assert.Equal(t, `update plan  ""`, p.saw())
		assert.JSONEq(t, `{"jsonrpc":"2.0","id":"u","result":null}`, p.hear())
	})
}

// TestOrder: what came before an answer was handled before the call returns.
func TestOrder(t *testing.T) {
	p := newPeer(t, acp.Options{})
	call := p.conn.Go(within(t), "session/prompt", nil)
	p.hear()
	go func() {
		for range 1000 {
			p.say(chunkLine("x"))
		}
		p.say(`{"id":1,"result":{"stopReason":"end_turn"}}`)
	}()
	_, err := call.Wait(within(t))
	require.NoError(t, err)
	assert.Len(t, p.seen, 1000)
}

// TestEnd is what becomes of calls when the peer ends.
func TestEnd(t *testing.T) {
	for _, row := range []struct {
		name, last string
		want       string
		stats      acp.Stats
	}{
		{"answer, then the end", `{"id":1,"result":2}` + "\n", "2", acp.Stats{Frames: 1}},
		{"answer without a newline, then the end", `{"id":1,"result":2}`, "2", acp.Stats{Frames: 1}},
		{"half an answer", `{"id":1,"res`, "", acp.Stats{Partial: 1}},
		{"half an answer after white space", " \r", "", acp.Stats{}},
		{"nothing", "", "", acp.Stats{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := newPeer(t, acp.Options{})
			call := p.conn.Go(within(t), "m", nil)
			p.hear()
			_, err := io.WriteString(p.out, row.last)
			require.NoError(t, err)
			require.NoError(t, p.out.Close())
			raw, err := call.Wait(within(t))
			if row.want == "" {
				require.ErrorIs(t, err, acp.ErrClosed)
			} else {
				require.NoError(t, err)
				assert.Equal(t, row.want, string(raw))
			}
			<-p.conn.Done()
			require.ErrorIs(t, p.conn.Err(), acp.ErrClosed)
			assert.Equal(t, row.stats, p.conn.Stats())
			require.ErrorIs(t, p.conn.Call(within(t), "m", nil, nil), acp.ErrClosed)
		})
	}
	t.Run("reader error", func(t *testing.T) {
		p := newPeer(t, acp.Options{})
		broken := errors.New("broken pipe of the test")
		require.NoError(t, p.out.CloseWithError(broken))
		<-p.conn.Done()
		require.ErrorIs(t, p.conn.Err(), broken)
		require.ErrorIs(t, p.conn.Err(), acp.ErrClosed)
	})
	t.Run("answers and notifications can still be written", func(t *testing.T) {
		p := newPeer(t, acp.Options{})
		p.say(`{"id":1,"method":"m"}`)
		r := p.request()
		require.NoError(t, p.out.Close())
		<-p.conn.Done()
		require.NoError(t, r.Respond(1))
		assert.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":1}`, p.hear())
		for range 20 {
			ctx, errs := within(t), make(chan error, 1)
			go func() { errs <- p.conn.Notify(ctx, "n", nil) }()
			assert.JSONEq(t, `{"jsonrpc":"2.0","method":"n"}`, p.hear())
			require.NoError(t, receive(t, errs))
		}
	})
}

// TestForgotten: a call that is let go returns at once, and its late answer is
// dropped and counted.
func TestForgotten(t *testing.T) {
	p := newPeer(t, acp.Options{})
	ctx, cancel := context.WithCancel(within(t))
	errs := make(chan error, 1)
	go func() { errs <- p.conn.Call(ctx, "m", nil, nil) }()
	p.hear()
	cancel()
	require.ErrorIs(t, receive(t, errs), context.Canceled)
	p.say(`{"id":1,"result":2}`, `{"method":"after"}`)
	assert.Equal(t, "notification after ", p.saw())
	assert.Equal(t, uint64(1), p.conn.Stats().Stray)
}

// TestAbandoned: the owner of a prompt that he no longer waits for still learns
// when it returned.
func TestAbandoned(t *testing.T) {
	p := newPeer(t, acp.Options{})
	call := p.conn.Go(within(t), "session/prompt", nil)
	p.hear()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := call.Wait(ctx)
	require.ErrorIs(t, err, context.Canceled)
	select {
	case <-call.Done():
		require.Fail(t, "the call is still open")
	default:
	}
	p.say(`{"id":1,"result":{"stopReason":"cancelled"}}`, `{"id":1,"result":{"stopReason":"end_turn"}}`, `{"method":"after"}`)
	<-call.Done()
	raw, err := call.Wait(ctx)
	require.NoError(t, err)
	assert.JSONEq(t, `{"stopReason":"cancelled"}`, string(raw))
	p.saw()
	assert.Equal(t, uint64(1), p.conn.Stats().Stray, "the second answer is one too many")
}

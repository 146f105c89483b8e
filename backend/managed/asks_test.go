//go:build unix

package managed_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
)

const askParams = `{"sessionId":"s1","toolCall":{"toolCallId":"t1","title":"edit","kind":"edit","content":[{"type":"diff","path":"/x/a","oldText":"1","newText":"2"}]},"options":[{"optionId":"once","name":"Allow once","kind":"allow_once"},{"optionId":"no","name":"Reject","kind":"reject_once"}]}`

func permission(f *fake, m frame) {
	f.held = m.ID
	got := f.ask("session/request_permission", askParams)
	f.held = nil
	f.say(string(got.Result) + string(got.Error))
	stop := "end_turn"
	if strings.Contains(string(got.Result), "cancelled") {
		stop = "cancelled"
	}
	f.answer(m.ID, `{"stopReason":"`+stop+`"}`)
}

func withdraw(f *fake, m frame) {
	f.line(`{"jsonrpc":"2.0","id":"w1","method":"session/request_permission","params":%s}`, askParams)
	f.line(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"w1"}}`)
	got, _ := f.read()
	f.say(string(got.Error))
	f.answer(m.ID, `{"stopReason":"end_turn"}`)
}

// manyAsks writes 5,000 permission requests before it reads an answer, and tells
// how many different ones the first 5,000 answers were for.
func manyAsks(f *fake, m frame) {
	const n = 5000
	for i := range n {
		fmt.Fprintf(f.out, `{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":%s}`+"\n", i, askParams)
	}
	f.out.Flush()
	once := map[string]bool{}
	for range n {
		got, ok := f.read()
		if !ok {
			os.Exit(0)
		}
		if strings.Contains(string(got.Result), `"once"`) {
			once[string(got.ID)] = true
		}
	}
	f.say(fmt.Sprint(len(once)))
	f.answer(m.ID, `{"stopReason":"end_turn"}`)
}

func TestPermissionsAreHandedOnWithWhatTheAgentOffers(t *testing.T) {
	r := newRig(t)
	c := r.open("perm")
	for _, tc := range []struct{ name, option, want string }{
		{"chosen", "once", `{"outcome":{"outcome":"selected","optionId":"once"}}`},
		{"cancelled", "", `{"outcome":{"outcome":"cancelled"}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := r.sink.Current() + 1
			r.sink.Raise(g)
			require.NoError(t, c.Prompt(t.Context(), g, agent.Prompt{Blocks: []agent.Block{agent.TextBlock("x")}}))
			asked, _ := await(t, r.sink, func(a agent.Asked) bool { return a.Stamp.Generation == g })
			old := "1"
			assert.Equal(t, agent.AskPermission, asked.Ask.Kind)
			assert.Equal(t, "edit", asked.Ask.Tool.Kind)
			assert.Equal(t, []agent.ToolContent{{Diff: &agent.Diff{Path: "/x/a", Old: &old, New: "2"}}}, asked.Ask.Tool.Content)
			assert.Equal(t, []agent.AskOption{{ID: "once", Name: "Allow once", Kind: "allow_once"}, {ID: "no", Name: "Reject", Kind: "reject_once"}}, asked.Ask.Options)
			require.NoError(t, c.Decide(t.Context(), asked.Ask.ID, agent.Decision{Option: tc.option, By: agent.ByUser}))
			require.NoError(t, c.Decide(t.Context(), asked.Ask.ID, agent.Decision{Option: "no"}), "a second answer is no error")
			_, before := await(t, r.sink, func(a agent.Answered) bool { return a.Generation == g })
			said := texts(before)
			assert.JSONEq(t, tc.want, said[len(said)-1])
		})
	}
	assert.NoError(t, c.Decide(t.Context(), "ask-99", agent.Decision{}), "neither is one that never was")
}

func TestCancelAnswersOpenPermissions(t *testing.T) {
	r := newRig(t)
	c := r.open("perm")
	r.sink.Raise(1)
	require.NoError(t, c.Prompt(t.Context(), 1, agent.Prompt{Blocks: []agent.Block{agent.TextBlock("x")}}))
	asked, _ := await[agent.Asked](t, r.sink, nil)
	require.NoError(t, c.Cancel(t.Context()))
	a, before := await[agent.Answered](t, r.sink, nil)
	assert.Equal(t, agent.StopCancelled, a.Stop)
	assert.JSONEq(t, `{"outcome":{"outcome":"cancelled"}}`, texts(before)[0])
	assert.NoError(t, c.Decide(t.Context(), asked.Ask.ID, agent.Decision{Option: "once"}))
}

func TestAgentsMayTakeARequestBack(t *testing.T) {
	r := newRig(t)
	_, before := r.turn(r.open("withdraw"), "x")
	asked, _ := await[agent.Asked](t, r.sink, nil)
	gone, _ := await[agent.AskGone](t, r.sink, nil)
	assert.Equal(t, asked.Ask.ID, gone.ID)
	assert.Contains(t, texts(before)[0], "-32800")
}

// asker is a sink that hands the names of requests on.
type asker struct {
	*sink
	asked chan agent.AskID
}

func (a *asker) Deliver(ev agent.Event) {
	if ask, ok := ev.(agent.Asked); ok {
		a.asked <- ask.Ask.ID
		return
	}
	a.sink.Deliver(ev)
}

func TestFiveThousandPermissionsAreAnsweredOnceEach(t *testing.T) {
	r := newRig(t)
	sink := &asker{r.sink, make(chan agent.AskID)}
	c, err := r.connector("manyasks").Open(t.Context(), agent.OpenRequest{Session: "S", Dir: r.dir}, sink)
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close(context.Background())) }()
	sink.Raise(1)
	require.NoError(t, c.Prompt(t.Context(), 1, agent.Prompt{Blocks: []agent.Block{agent.TextBlock("x")}}))
	for range 5000 {
		select {
		case id := <-sink.asked:
			require.NoError(t, c.Decide(t.Context(), id, agent.Decision{Option: "once", By: agent.ByUser}))
		case <-time.After(time.Minute):
			require.FailNow(t, "a request did not come")
		}
	}
	_, before := await(t, r.sink, func(a agent.Answered) bool { return a.Generation == 1 })
	assert.Equal(t, []string{"5000"}, texts(before))
}

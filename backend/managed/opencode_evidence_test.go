package managed

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/opencode"
)

// stage is the evidence of one session with a server of its own, in real time.
type stage struct {
	*openCodeEvidence
	h      *theatre
	log    *bytes.Buffer
	frames chan string // what the server's stream says
	status string      // what the server answers
}

func newStage(t *testing.T, refuses bool) *stage {
	t.Helper()
	s := &stage{openCodeEvidence: &openCodeEvidence{}, log: &bytes.Buffer{}, frames: make(chan string, 16), status: `{}`}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, p, _ := r.BasicAuth(); p != "CANARY-password" || refuses {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.URL.Path == "/session/status" {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, s.status)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			select {
			case f := <-s.frames:
				fmt.Fprintf(w, "data: %s\n\n", f)
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	s.h = &theatre{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), turn: 1}
	s.begin(joint{
		sink: s.h, session: func() agent.ProviderSession { return "ses_1" }, dir: "/p", clock: s.h,
		server: &opencode.Server{URL: server.URL, Password: "CANARY-password"},
		log:    slog.New(slog.NewTextHandler(&locked{b: s.log}, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	t.Cleanup(s.end)
	s.prompted(s.h.Stamp())
	return s
}

// locked lets several goroutines write.
type locked struct {
	mu sync.Mutex
	b  *bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (s *stage) line(session, text string) string {
	return fmt.Sprintf(`timestamp=%s level=ERROR run=00000000 message="stream error" providerID=fake modelID=main session.id=%s small=false agent=build mode=primary error.error=%q`,
		s.h.Now().Format("2006-01-02T15:04:05.000Z"), session, text)
}

func (s *stage) events() []agent.Event {
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	return append([]agent.Event(nil), s.h.events...)
}

// one waits for the first event, which other goroutines bring.
func (s *stage) one(t *testing.T) agent.Event {
	t.Helper()
	require.Eventually(t, func() bool { return len(s.events()) > 0 }, time.Minute, time.Millisecond)
	return s.events()[0]
}

const told = `{"payload":{"type":"session.status","properties":{"sessionID":%q,"status":{"type":"retry","attempt":1,"message":"m","next":%d}}}}`

func TestARecordAndTheStreamOfARealServer(t *testing.T) {
	s := newStage(t, false)
	s.frames <- `{"payload":{"type":"server.connected","properties":{}}}`
	s.frames <- fmt.Sprintf(told, "ses_other", s.h.Now().Add(time.Second).UnixMilli())
	s.stderr(s.h.Stamp(), []byte(s.line("ses_1", overloaded)))
	next := s.h.Now().Add(4 * time.Second)
	s.frames <- fmt.Sprintf(told, "ses_1", next.UnixMilli())
	r, ok := s.one(t).(agent.Retrying)
	require.True(t, ok)
	assert.True(t, next.Equal(r.Next))
	assert.Equal(t, 1, r.Attempt)
	assert.Equal(t, "m", r.Message)
}

func TestARetrySaysWhatItIsToGetOver(t *testing.T) {
	s := newStage(t, false)
	s.frames <- `{"payload":{"type":"server.connected","properties":{}}}`
	s.frames <- strings.Replace(fmt.Sprintf(told, "ses_1", s.h.Now().Add(4*time.Second).UnixMilli()),
		`"message":"m"`, `"message":"Provider is overloaded, said ann@example.com of /home/ann with Bearer sk-CANARY1234567890"`, 1)
	r, ok := s.one(t).(agent.Retrying)
	require.True(t, ok)
	assert.Equal(t, failure.ProviderOverloaded, r.Code)
	assert.True(t, strings.HasPrefix(r.Message, "Provider is overloaded"), r.Message)
	for _, secret := range []string{"CANARY", "ann@", "/home"} {
		assert.NotContains(t, r.Message, secret)
	}
}

func TestTheServerIsAskedWhereTheStreamIsSilent(t *testing.T) {
	s := newStage(t, false)
	s.status = fmt.Sprintf(`{"ses_1":{"type":"retry","attempt":2,"next":%d}}`, s.h.Now().Add(9*time.Second).UnixMilli())
	s.stderr(s.h.Stamp(), []byte(s.line("ses_1", overloaded)))
	s.h.until(s.h.Now().Add(2*time.Second), func() {})
	r, ok := s.one(t).(agent.Retrying)
	require.True(t, ok)
	assert.Equal(t, 2, r.Attempt)
	assert.Equal(t, failure.ProviderOverloaded, r.Code, "the status says nothing, the record did")
}

func TestAServerThatRefusesLeavesStderrAlone(t *testing.T) {
	s := newStage(t, true)
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return !s.judge.source
	}, time.Minute, time.Millisecond)
	s.stderr(s.h.Stamp(), []byte(s.line("ses_1", overloaded)))
	f, ok := s.one(t).(agent.FailureSeen)
	require.True(t, ok)
	assert.Equal(t, failure.ProviderOverloaded, f.Failure.Code)
	s.end()
	assert.NotContains(t, s.log.String(), "CANARY")
}

func TestWhatIsNotOfTheTurnInHandIsIgnored(t *testing.T) {
	for _, tc := range []struct {
		name string
		play func(s *stage)
		want int
	}{
		{"its own record", func(s *stage) { s.stderr(s.h.Stamp(), []byte(s.line("ses_1", usedUp))) }, 1},
		{"twice", func(s *stage) {
			s.stderr(s.h.Stamp(), []byte(s.line("ses_1", usedUp)))
			s.stderr(s.h.Stamp(), []byte(s.line("ses_1", usedUp)))
		}, 1},
		{"another session", func(s *stage) { s.stderr(s.h.Stamp(), []byte(s.line("ses_2", usedUp))) }, 0},
		{"read under an earlier generation", func(s *stage) {
			s.prompted(agent.Stamp{Generation: 2, At: s.h.Now()})
			s.stderr(agent.Stamp{Generation: 1, At: s.h.Now()}, []byte(s.line("ses_1", usedUp)))
		}, 0},
		{"made before the dispatch", func(s *stage) {
			s.prompted(agent.Stamp{Generation: 1, At: s.h.Now().Add(time.Second)})
			s.stderr(s.h.Stamp(), []byte(s.line("ses_1", usedUp)))
		}, 0},
		{"a title request", func(s *stage) {
			s.stderr(s.h.Stamp(), []byte(strings.Replace(s.line("ses_1", usedUp), "small=false", "small=true", 1)))
		}, 0},
		{"after the answer", func(s *stage) { s.over(s.h.Stamp()); s.stderr(s.h.Stamp(), []byte(s.line("ses_1", usedUp))) }, 0},
		{"after the end", func(s *stage) { s.end(); s.stderr(s.h.Stamp(), []byte(s.line("ses_1", usedUp))) }, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStage(t, false)
			tc.play(s)
			assert.Len(t, s.events(), tc.want)
		})
	}
}

func TestAFailureThatFindsNoRoomIsDeliveredAllTheSame(t *testing.T) {
	s := newStage(t, false)
	s.h.full = true
	s.stderr(s.h.Stamp(), []byte(s.line("ses_1", usedUp)))
	assert.IsType(t, agent.FailureSeen{}, s.one(t))
}

func TestTheLaunchContractOfOpenCode(t *testing.T) {
	all, err := launchOpenCode([]string{"acp"})
	require.NoError(t, err)
	require.Len(t, all, 3)
	first := all[0]
	require.Len(t, first.args, 6)
	assert.Equal(t, []string{"acp", "--print-logs", "--log-level", "ERROR", "--port"}, first.args[:5])
	assert.Equal(t, "http://127.0.0.1:"+first.args[5], first.server.URL)
	assert.Equal(t, []string{"acp", "--print-logs", "--log-level", "ERROR"}, all[1].args)
	assert.Equal(t, []string{"acp"}, all[2].args)
	again, err := launchOpenCode([]string{"acp"})
	require.NoError(t, err)
	for i, a := range all {
		assert.Len(t, a.env["OPENCODE_SERVER_PASSWORD"], 32)
		assert.Equal(t, "opencode", a.env["OPENCODE_SERVER_USERNAME"])
		assert.NotEqual(t, again[i].env["OPENCODE_SERVER_PASSWORD"], a.env["OPENCODE_SERVER_PASSWORD"], "each launch has its own")
		assert.Equal(t, i == 0, a.server != nil, "where the port is not ours nobody listens")
	}
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", first.server, first.server, *first.server), first.server.Password)

	own, err := launchOpenCode([]string{"acp", "--cwd", "/x"})
	require.NoError(t, err)
	require.Len(t, own, 1)
	assert.Equal(t, []string{"acp", "--cwd", "/x"}, own[0].args, "a user's own command line stays as it is")
	assert.Len(t, own[0].env["OPENCODE_SERVER_PASSWORD"], 32)
}

func TestOnlyAStructuredLinkIsReadFromAnError(t *testing.T) {
	const link = "https://opencode.ai/workspace/wrk_1/go"
	for _, tc := range []struct{ name, message, data, want string }{
		{"a field", "Internal error: no", `{"action_url":"` + link + `"}`, link},
		{"in the text alone", "Internal error: see " + link, `{"message":"` + link + `"}`, ""},
		{"another host", "", `{"action_url":"https://evil.example/workspace/wrk_1/go"}`, ""},
		{"with escapes", "", `{"action_url":"https:\/\/opencode.ai\/workspace\/wrk_1\/go"}`, ""},
		{"no string", "", `{"action_url":["` + link + `"]}`, ""},
		{"deeper", "", `{"error":{"action_url":"` + link + `"}}`, ""},
		{"no object", "", `"` + link + `"`, ""},
		{"nothing", "Internal error", ``, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := &acp.Error{Method: "session/prompt", Code: "-32603", Message: tc.message, Data: []byte(tc.data)}
			f := rpcFailure(agent.OpenCode, e.Method, e, nil, time.Unix(1, 0))
			assert.Equal(t, tc.want, f.Link)
			assert.NotContains(t, f.Message, "http")
		})
	}
}

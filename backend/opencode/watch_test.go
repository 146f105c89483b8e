package opencode_test

import (
	"bytes"
	"context"
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
	"go.uber.org/goleak"

	"turnwatch/backend/opencode"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hands is a clock whose timers ring when they are told to.
type hands struct {
	mu     sync.Mutex
	timers map[int]timer
	n      int
	set    chan time.Duration // every wait that is begun
}

type timer struct {
	after time.Duration
	ring  func()
}

func newHands() *hands {
	return &hands{timers: map[int]timer{}, set: make(chan time.Duration, 1000)}
}

func (h *hands) Now() time.Time { return time.Now() }

func (h *hands) AfterFunc(d time.Duration, f func()) func() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.n++
	id := h.n
	h.timers[id] = timer{d, f}
	h.set <- d
	return func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		_, there := h.timers[id]
		delete(h.timers, id)
		return there
	}
}

// ring lets every timer of a length ring.
func (h *hands) ring(after time.Duration) {
	h.mu.Lock()
	var rings []func()
	for id, t := range h.timers {
		if t.after == after {
			rings = append(rings, t.ring)
			delete(h.timers, id)
		}
	}
	h.mu.Unlock()
	for _, r := range rings {
		r()
	}
}

// await waits until a wait of that length is begun.
func (h *hands) await(t *testing.T, d time.Duration) {
	t.Helper()
	bound := time.After(20 * time.Second)
	for {
		select {
		case got := <-h.set:
			if got == d {
				return
			}
		case <-bound:
			t.Fatalf("no wait of %s was begun", d)
		}
	}
}

// watched runs a watch against a handler and hands its events on.
type watched struct {
	t      *testing.T
	events chan opencode.Event
	ended  chan error
	stop   context.CancelFunc
	clock  *hands
	log    *bytes.Buffer
	client *opencode.Client
}

func watch(t *testing.T, h http.HandlerFunc) *watched {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	w := &watched{
		t: t, events: make(chan opencode.Event, 1000), ended: make(chan error, 1),
		clock: newHands(), log: &bytes.Buffer{},
	}
	client, err := opencode.New(opencode.Server{URL: server.URL, Password: "CANARY-password"}, opencode.Options{
		Clock: w.clock, Log: slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	require.NoError(t, err)
	w.client = client
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	go func() { w.ended <- client.Watch(ctx, func(e opencode.Event) { w.events <- e }) }()
	t.Cleanup(func() { w.end() })
	return w
}

// end stops the watch and gives what it returned.
func (w *watched) end() error {
	w.stop()
	err := <-w.ended
	w.ended <- err
	assert.NotContains(w.t, w.log.String(), "CANARY")
	return err
}

func (w *watched) next() opencode.Event {
	w.t.Helper()
	select {
	case e := <-w.events:
		return e
	case <-time.After(20 * time.Second):
		w.t.Fatal("no event came")
		return nil
	}
}

// stream answers as the event stream and stays until the client goes.
func stream(frames ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, f := range frames {
			fmt.Fprintf(w, "data: %s\n\n", f)
		}
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
}

const (
	hello = `{"payload":{"type":"server.connected","properties":{}}}`
	retry = `{"directory":"/p","payload":{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"retry","attempt":2,"message":"CANARY text","action":{"reason":"account_rate_limit","link":"https://evil.example"},"next":1796067440547}}}}`
)

func TestWatchHandsOnWhatTheServerTells(t *testing.T) {
	w := watch(t, func(rw http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if r.URL.Path != "/global/event" || user != "opencode" || password != "CANARY-password" {
			rw.WriteHeader(http.StatusUnauthorized)
			return
		}
		stream(hello,
			`{"payload":{"type":"server.heartbeat","properties":{}}}`,
			retry,
			`{"type":"session.status","properties":{"sessionID":"ses_2","status":{"type":"busy"}}}`,
			`{"payload":{"type":"sync","syncEvent":{"type":"session.status.1"},"properties":{"sessionID":"ses_1","status":{"type":"busy"}}}}`,
			`{"payload":{"type":"session.error","properties":{"sessionID":"ses_1","error":{"name":"APIError","data":{"message":"no","statusCode":429,"responseBody":"{}"}}}}}`,
			`{"payload":{"type":"session.idle","properties":{"sessionID":"ses_1"}}}`,
			`{"payload":{"type":"message.updated","properties":{"info":{"id":"msg_1","role":"assistant","sessionID":"ses_1","providerID":"fake","modelID":"main"}}}}`,
			`{"payload":{"type":"message.part.updated","properties":{"part":{"messageID":"msg_1","sessionID":"ses_1","type":"text","text":" "}}}}`,
			`{"payload":{"type":"message.part.updated","properties":{"part":{"messageID":"msg_1","sessionID":"ses_1","type":"tool"}}}}`,
		)(rw, r)
	})
	assert.Equal(t, opencode.Connected{}, w.next())
	status := w.next().(opencode.StatusChanged)
	assert.True(t, status.Status.Limited())
	assert.Equal(t, opencode.StatusChanged{Session: "ses_1", Status: opencode.Status{
		Doing: opencode.Retry, Attempt: 2, Message: "CANARY text", Reason: "account_rate_limit",
		Next: time.UnixMilli(1796067440547).UTC(),
	}}, status)
	assert.Equal(t, opencode.StatusChanged{Session: "ses_2", Status: opencode.Status{Doing: opencode.Busy}}, w.next())
	assert.Equal(t, opencode.SessionFailed{Session: "ses_1", Error: opencode.Error{Name: "APIError", Message: "no", HTTP: 429, Body: "{}"}}, w.next())
	assert.Equal(t, opencode.StatusChanged{Session: "ses_1", Status: opencode.Status{Doing: opencode.Idle}}, w.next())
	assert.Equal(t, opencode.MessageSeen{Session: "ses_1", ID: "msg_1", Role: "assistant", Provider: "fake", Model: "main"}, w.next())
	assert.Equal(t, opencode.PartSeen{Session: "ses_1", Message: "msg_1", Kind: "text", Empty: true}, w.next())
	assert.Equal(t, opencode.PartSeen{Session: "ses_1", Message: "msg_1", Kind: "tool"}, w.next())
	assert.ErrorIs(t, w.end(), context.Canceled)
}

func TestAStreamThatIsLostIsConnectedToAnew(t *testing.T) {
	for _, tc := range []struct {
		name  string
		first http.HandlerFunc
		ring  time.Duration // the wait that is to be over
		heard bool          // the first stream spoke
	}{
		{"it ends", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: %s\n\n", hello)
		}, 0, true},
		{"it falls silent", stream(hello), 35 * time.Second, true},
		{"it says nothing at all", stream(), 10 * time.Second, false},
		{"it is cut", func(w http.ResponseWriter, r *http.Request) {
			stream(hello)(w, r.WithContext(closed()))
			panic(http.ErrAbortHandler)
		}, 0, true},
		{"an event is too large", stream(hello, strings.Repeat("x", 9<<20)), 0, true},
		{"the server is ill", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }, 0, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var mu sync.Mutex
			calls := 0
			w := watch(t, func(rw http.ResponseWriter, r *http.Request) {
				mu.Lock()
				calls++
				first := calls == 1
				mu.Unlock()
				if first {
					tc.first(rw, r)
					return
				}
				stream(hello, retry)(rw, r)
			})
			if tc.heard {
				assert.Equal(t, opencode.Connected{}, w.next())
			}
			if tc.ring > 0 {
				w.clock.await(t, tc.ring)
				w.clock.ring(tc.ring)
			}
			if tc.heard {
				assert.Error(t, w.next().(opencode.Lost).Cause)
			}
			w.clock.await(t, 250*time.Millisecond)
			w.clock.ring(250 * time.Millisecond)
			assert.Equal(t, opencode.Connected{}, w.next())
			assert.IsType(t, opencode.StatusChanged{}, w.next())
		})
	}
}

func closed() context.Context {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	return ctx
}

func TestWaitsGrowUntilTheServerSpeaks(t *testing.T) {
	w := watch(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	for wait := 250 * time.Millisecond; ; wait = min(2*wait, 10*time.Second) {
		w.clock.await(t, wait)
		if wait == 10*time.Second {
			break
		}
		w.clock.ring(wait)
	}
}

func TestARefusalIsFinal(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer http.HandlerFunc
		says   string
	}{
		{"no such path", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, "status 404"},
		{"not let in", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, "status 401"},
		{"a page", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html>CANARY</html>")
		}, `answered as "text/html"`},
		{"a way elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/CANARY", http.StatusFound)
		}, "status 302"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := watch(t, tc.answer)
			select {
			case err := <-w.ended:
				w.ended <- err
				var refused *opencode.RefusedError
				require.ErrorAs(t, err, &refused)
				assert.ErrorContains(t, err, tc.says)
				assert.NotContains(t, err.Error(), "CANARY")
			case <-time.After(20 * time.Second):
				t.Fatal("the watch goes on")
			}
		})
	}
}

func TestStatuses(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       map[string]opencode.Doing
		err        string
	}{
		{"some", `{"ses_1":{"type":"busy"},"ses_2":{"type":"retry","attempt":1,"next":1796060055284},"ses_3":{"type":"what"}}`,
			map[string]opencode.Doing{"ses_1": opencode.Busy, "ses_2": opencode.Retry}, ""},
		{"none", `{}`, map[string]opencode.Doing{}, ""},
		{"no JSON", `CANARY`, nil, "not what it should be"},
		{"another shape", `["CANARY"]`, nil, "not what it should be"},
		{"too large", `{"a":"` + strings.Repeat("x", 5<<20) + `"}`, nil, "too large"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				assert.Equal(t, "/session/status", r.URL.Path)
				assert.Equal(t, "/home/dev/proj", r.URL.Query().Get("directory"))
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, tc.body)
			}))
			defer server.Close()
			c, err := opencode.New(opencode.Server{URL: server.URL}, opencode.Options{})
			require.NoError(t, err)
			got, err := c.Statuses(t.Context(), "/home/dev/proj")
			if tc.err != "" {
				require.ErrorContains(t, err, tc.err)
				assert.NotContains(t, err.Error(), "CANARY")
				return
			}
			require.NoError(t, err)
			doing := map[string]opencode.Doing{}
			for id, s := range got {
				doing[string(id)] = s.Doing
			}
			assert.Equal(t, tc.want, doing)
		})
	}
}

func TestAServerThatNeverAnswersIsLeft(t *testing.T) {
	asked := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	}))
	defer server.Close()
	clock := newHands()
	c, err := opencode.New(opencode.Server{URL: server.URL}, opencode.Options{Clock: clock})
	require.NoError(t, err)
	go func() {
		<-asked
		clock.ring(10 * time.Second)
	}()
	_, err = c.Statuses(t.Context(), "")
	assert.Error(t, err)
}

func TestAddressesOfServers(t *testing.T) {
	for url, ok := range map[string]bool{
		"http://127.0.0.1:4096": true, "http://localhost:4096/": true, "https://host.example": true,
		"": false, "127.0.0.1:4096": false, "ftp://x": false, "http://": false, "http://a:b@x": false,
		"http://x/path": false, "http://x?y=1": false, "http://x#y": false, "://": false,
	} {
		_, err := opencode.New(opencode.Server{URL: url, Password: "CANARY"}, opencode.Options{})
		assert.Equal(t, ok, err == nil, url)
	}
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", opencode.Server{Password: "CANARY"}, opencode.Server{Password: "CANARY"}, opencode.Server{Password: "CANARY"}), "CANARY")
	assert.NotContains(t, opencode.Server{URL: "http://x", Password: "CANARY"}.LogValue().String(), "CANARY")
}

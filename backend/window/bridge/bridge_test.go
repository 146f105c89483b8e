package bridge_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/settings"
	"turnwatch/backend/window"
	"turnwatch/backend/window/bridge"
	"turnwatch/locales"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// absent is an agent that is not there.
type absent struct{}

func (absent) Open(context.Context, agent.OpenRequest, agent.Sink) (agent.Conn, error) {
	return nil, &agent.Failure{Code: "agent_start_failed", Source: "open"}
}

// serve starts a bridge over a real core without any agent.
func serve(t *testing.T) *bridge.Bridge {
	t.Helper()
	dir := t.TempDir()
	chosen, err := settings.Open(dir)
	require.NoError(t, err)
	w := window.New(window.Options{
		Open: func(ctx context.Context) (*core.Core, error) {
			return core.Open(ctx, core.Options{Dir: dir, Environ: []string{}, Connect: func(agent.Kind, []string) agent.Connector { return absent{} }})
		},
		Settings: chosen, Words: locales.Files, Version: "test", Dir: dir,
	})
	w.Start()
	page := fstest.MapFS{
		"index.html":    {Data: []byte("<!doctype html><html><head><script src=\"a.js\"></script></head></html>")},
		"assets/app.js": {Data: []byte("1")},
	}
	b, err := bridge.New(w, page)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-done)
		require.NoError(t, w.Close(context.Background()))
		http.DefaultClient.CloseIdleConnections()
	})
	return b
}

// ask sends one request with the headers given.
func ask(t *testing.T, b *bridge.Bridge, method, path, body string, headers map[string]string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+b.Host()+path, strings.NewReader(body))
	require.NoError(t, err)
	for k, v := range headers {
		if k == "Host" {
			req.Host = v
		}
		req.Header.Set(k, v)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	require.NoError(t, err)
	defer client.CloseIdleConnections()
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res, string(text)
}

func TestWhoIsLetIn(t *testing.T) {
	b := serve(t)
	token := map[string]string{"X-Bridge-Token": b.Token()}
	with := func(k, v string) map[string]string { return map[string]string{"X-Bridge-Token": b.Token(), k: v} }
	tests := []struct {
		name    string
		method  string
		path    string
		headers map[string]string
		want    int
	}{
		{"the page", "GET", "/", token, 200},
		{"a file of the page", "GET", "/assets/app.js", token, 200},
		{"its own origin", "GET", "/", with("Origin", "http://"+b.Host()), 200},
		{"no token", "GET", "/", nil, 401},
		{"a wrong token", "GET", "/", map[string]string{"X-Bridge-Token": "x"}, 401},
		{"a wrong token in the address", "GET", "/?token=x", nil, 401},
		{"a call without a token", "POST", "/bridge/call", nil, 401},
		{"events without a token", "GET", "/bridge/events", nil, 401},
		{"the script without a token", "GET", "/bridge.js", nil, 401},
		{"a foreign origin", "POST", "/bridge/call", with("Origin", "https://evil.example"), 403},
		{"an origin that is null", "POST", "/bridge/call", with("Origin", "null"), 403},
		{"another port of this host", "POST", "/bridge/call", with("Origin", "http://127.0.0.1:1"), 403},
		{"another name for this host", "GET", "/", with("Host", "localhost"), 403},
		{"a name that was bound to this host", "GET", "/", with("Host", "evil.example"), 403},
		{"sent by another site", "GET", "/", with("Sec-Fetch-Site", "cross-site"), 403},
		{"a token in the address", "GET", "/?token=" + b.Token(), nil, 303},
		{"a way out of the page is straightened", "GET", "/../../etc/passwd", token, 307},
		{"a file outside the page", "GET", "/etc/passwd", token, 404},
		{"no such file", "GET", "/no", token, 404},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, body := ask(t, b, tt.method, tt.path, "", tt.headers)
			assert.Equal(t, tt.want, res.StatusCode, body)
			assert.Equal(t, window.ContentPolicy, res.Header.Get("Content-Security-Policy"))
			assert.NotContains(t, body, b.Token())
		})
	}
}

func TestTheTokenBecomesACookie(t *testing.T) {
	b := serve(t)
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	client := &http.Client{Jar: jar}
	defer client.CloseIdleConnections()
	res, err := client.Get(b.URL())
	require.NoError(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	assert.Equal(t, "http://"+b.Host()+"/", res.Request.URL.String(), "the token stands in no address any more")
	assert.Contains(t, string(body), `<head><script src="/bridge.js"></script><script src="a.js">`, "before the page's own scripts")
}

func TestWhatACallMeans(t *testing.T) {
	b := serve(t)
	tests := []struct {
		name   string
		body   string
		status int
		result string // JSON; "" where there is an error
		err    string // part of the text
	}{
		{"a value", `{"name":"window.Settings.About","args":[]}`, 200, `"licence":"Apache-2.0"`, ""},
		{"nothing to give back", `{"name":"window.Tasks.Leave","args":[]}`, 200, `"result":null`, ""},
		{"a rejection is the text of the error", `{"name":"window.Tasks.Open","args":["nobody",""]}`, 200, "", `{"key":"error.not_found"}`},
		{"too few arguments", `{"name":"window.Tasks.Open","args":["x"]}`, 200, "", "error parsing arguments: received 1 arguments to method 'window.Tasks.Open', expected 2"},
		{"too many arguments", `{"name":"window.Tasks.Leave","args":[1]}`, 200, "", "received 1 arguments to method 'window.Tasks.Leave', expected 0"},
		{"an argument of another type", `{"name":"window.Tasks.Open","args":[1,""]}`, 200, "", "error parsing arguments: json: cannot unmarshal number"},
		{"null is the zero value", `{"name":"window.Tasks.Open","args":["nobody",null]}`, 200, "", `{"key":"error.not_found"}`},
		{"no such method", `{"name":"window.Tasks.Nothing","args":[]}`, 404, "", "method 'window.Tasks.Nothing' not registered"},
		{"a method of the window that is not bound", `{"name":"window.Window.Close","args":[]}`, 404, "", "not registered"},
		{"no JSON", `{`, 400, "", "not understood"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, body := ask(t, b, "POST", "/bridge/call", tt.body, map[string]string{"X-Bridge-Token": b.Token()})
			assert.Equal(t, tt.status, res.StatusCode)
			if tt.result != "" {
				assert.Contains(t, body, tt.result)
				assert.NotContains(t, body, `"error"`)
				return
			}
			var reply struct{ Error string }
			if tt.status == 200 {
				require.NoError(t, json.Unmarshal([]byte(body), &reply))
				body = reply.Error
			}
			assert.Contains(t, body, tt.err)
		})
	}
}

func TestEventsReachThePageInOrder(t *testing.T) {
	b := serve(t)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+b.Host()+"/bridge/events", nil)
	require.NoError(t, err)
	req.Header.Set("X-Bridge-Token", b.Token())
	client := &http.Client{}
	defer client.CloseIdleConnections()
	res, err := client.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	in := bufio.NewReader(res.Body)
	first, err := in.ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, ": here\n", first, "the page listens from here on")

	dir := t.TempDir()
	trust, err := json.Marshal(map[string]any{"name": "window.Tasks.Trust", "args": []string{dir}})
	require.NoError(t, err)
	_, _ = ask(t, b, "POST", "/bridge/call", string(trust), map[string]string{"X-Bridge-Token": b.Token()})
	made, err := json.Marshal(map[string]any{"name": "window.Tasks.New", "args": []any{map[string]any{"dir": dir, "agent": "demo", "title": "One"}}})
	require.NoError(t, err)
	done := make(chan string, 1)
	go func() {
		_, body := ask(t, b, "POST", "/bridge/call", string(made), map[string]string{"X-Bridge-Token": b.Token()})
		done <- body
	}()
	var event struct {
		Name string
		Data []window.Batch
	}
	for event.Name == "" {
		line, err := in.ReadBytes('\n')
		require.NoError(t, err)
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			require.NoError(t, json.Unmarshal(data, &event))
		}
	}
	assert.Equal(t, "batch", event.Name)
	require.Len(t, event.Data, 1)
	assert.Equal(t, uint64(1), event.Data[0].N)
	assert.Equal(t, "One", event.Data[0].Rows[0].Title)
	<-done
}

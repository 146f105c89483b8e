package opencode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"turnwatch/backend/agent"
)

// User is the name that a server expects with its password unless told otherwise.
const User = "opencode"

// Variables of a program's environment that say who may ask its server. PortVar is
// where the server of Turnwatch's own demo agent listens; OpenCode itself takes its
// port from an argument.
const (
	UserVar     = "OPENCODE_SERVER_USERNAME"
	PasswordVar = "OPENCODE_SERVER_PASSWORD"
	PortVar     = "TURNWATCH_DEMO_PORT"
)

// Server names a server. It prints and logs without its password.
type Server struct {
	URL      string // http or https, without path or user
	User     string // "" is User
	Password string // "" where it asks for none
}

func (s Server) String() string { return s.URL }

// GoString is the address alone, too.
func (s Server) GoString() string { return s.URL }

// LogValue is the address alone.
func (s Server) LogValue() slog.Value { return slog.StringValue(s.URL) }

// Options are what a client is given.
type Options struct {
	Clock agent.Clock  // nil is the system's
	Log   *slog.Logger // nil is silent
}

// Client speaks with one server. It is safe for several goroutines.
type Client struct {
	base     *url.URL
	user     string
	password string
	http     *http.Client
	clock    agent.Clock
	log      *slog.Logger
}

// Bounds of every request.
const (
	dialBound   = 5 * time.Second
	headBound   = 10 * time.Second // from the request to the headers of its answer
	statusBound = 10 * time.Second // for the whole of one answer
	largestHead = 64 << 10
	largestBody = 4 << 20
)

// New makes a client. Nothing is connected to yet. An address that is none of a
// server is an error.
func New(s Server, o Options) (*Client, error) {
	u, err := url.Parse(s.URL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil ||
		u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "" {
		return nil, errors.New("use server: its address must be http://HOST:PORT and nothing more")
	}
	c := &Client{
		base: &url.URL{Scheme: u.Scheme, Host: u.Host}, user: s.User, password: s.Password,
		clock: o.Clock, log: o.Log,
	}
	if c.user == "" {
		c.user = User
	}
	if c.clock == nil {
		c.clock = agent.SystemClock{}
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.http = &http.Client{
		Transport: &http.Transport{
			DialContext:            (&net.Dialer{Timeout: dialBound}).DialContext,
			TLSHandshakeTimeout:    dialBound,
			ResponseHeaderTimeout:  headBound,
			MaxResponseHeaderBytes: largestHead,
			DisableCompression:     true,
			DisableKeepAlives:      true,
		},
		// A redirect could lead the password elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// RefusedError says that a server answered, and not what was asked for.
type RefusedError struct {
	Path   string
	Status int    // HTTP status
	Type   string // content type, where the status is 200
}

func (e *RefusedError) Error() string {
	if e.Status == http.StatusOK {
		return fmt.Sprintf("ask server %s: answered as %q", e.Path, e.Type)
	}
	return fmt.Sprintf("ask server %s: status %d", e.Path, e.Status)
}

// Final reports that asking again is of no use: the server does not know the
// path, or does not let this client in.
func (e *RefusedError) Final() bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusRequestTimeout:
		return false
	}
	return e.Status < 500 || e.Status == http.StatusNotImplemented
}

// get asks for a path and gives the body of an answer of the wanted type. The
// caller closes it.
func (c *Client) get(ctx context.Context, path string, query url.Values, kind string) (io.ReadCloser, error) {
	u := *c.base
	u.Path, u.RawQuery = path, query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("ask server %s: %w", path, err)
	}
	req.Header.Set("Accept", kind)
	if c.password != "" {
		req.SetBasicAuth(c.user, c.password)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask server %s: %w", path, bare(err))
	}
	got := resp.Header.Get("Content-Type")
	if resp.StatusCode != http.StatusOK || !strings.HasPrefix(strings.ToLower(got), kind) {
		_ = resp.Body.Close()
		return nil, &RefusedError{Path: path, Status: resp.StatusCode, Type: clip(got, 80)}
	}
	return resp.Body, nil
}

// bare takes the address off an error of net/http.
func bare(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

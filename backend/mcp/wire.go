package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// Names of the environment that tell tw mcp where it belongs.
const (
	EnvSocket = "TURNWATCH_MCP_SOCKET"
	EnvToken  = "TURNWATCH_MCP_TOKEN"
)

// Result is what becomes of a call.
type Result string

// Results, in the words of the policy.
const (
	Ack           Result = "ack"            // taken down
	Blocked       Result = "blocked"        // entries of the plan are still open
	RepeatWarning Result = "repeat_warning" // said before, with nothing done since
	Refused       Result = "error"          // said too often
)

// Reply answers a call.
type Reply struct {
	Result Result   `json:"result"`
	Open   []string `json:"open,omitempty"` // entries of the plan that are not done, for Blocked
}

// call is what goes over the socket: one line of JSON each way.
type call struct {
	Token string `json:"token"`
}

// Bounds of the talk.
const (
	patience = 20 * time.Second
	longest  = 64 << 10 // bytes of a line
)

// Ask tells the program behind a socket that the task is complete and waits for
// the reply.
func Ask(ctx context.Context, socket, token string) (Reply, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	c, err := (&net.Dialer{}).DialContext(ctx, "unix", socket)
	if err != nil {
		return Reply{}, fmt.Errorf("reach Turnwatch: %w", err)
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })()
	if err := writeLine(c, call{Token: token}); err != nil {
		return Reply{}, fmt.Errorf("ask Turnwatch: %w", err)
	}
	var r Reply
	if err := readLine(c, &r); err != nil {
		return Reply{}, fmt.Errorf("hear Turnwatch: %w", err)
	}
	if r.Result == "" {
		return Reply{}, errors.New("hear Turnwatch: the call was not taken")
	}
	return r, nil
}

func writeLine(w io.Writer, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(raw, '\n'))
	return err
}

func readLine(r io.Reader, v any) error {
	line, err := bufio.NewReader(io.LimitReader(r, longest)).ReadBytes('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, v)
}

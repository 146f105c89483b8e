package managed

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"strconv"

	"turnwatch/backend/agent"
)

// passwordVar keeps OpenCode's own HTTP server from every other local program.
// It is set for every launch, whatever the command line.
const passwordVar = "OPENCODE_SERVER_PASSWORD"

func openCode() profile {
	return profile{
		kind: agent.OpenCode, name: "OpenCode",
		programs: []string{"opencode"}, args: []string{"acp"},
		own:     []string{".opencode/bin"},
		install: "npm install -g opencode-ai",
		launch:  launchOpenCode,
		read:    func() evidence { return &openCodeEvidence{} },
	}
}

// launchOpenCode asks for error records on stderr and for a port of our own: the
// agent opens an HTTP server in any case. A version that refuses these flags is
// started without them. A user's own command line stays as it is.
func launchOpenCode(args []string) ([]attempt, error) {
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		return nil, fmt.Errorf("make password: %w", err)
	}
	env := map[string]string{passwordVar: hex.EncodeToString(secret)}
	if len(args) != 1 || args[0] != "acp" {
		return []attempt{{args: args, env: env}}, nil
	}
	port, err := freePort()
	if err != nil {
		return nil, fmt.Errorf("find free port: %w", err)
	}
	return []attempt{
		{args: append(openCodeArgs(), strconv.Itoa(port)), env: env},
		{args: []string{"acp", "--print-logs", "--log-level", "ERROR"}, env: env},
		{args: args, env: env},
	}, nil
}

// openCodeArgs are the arguments but for the port that ends them.
func openCodeArgs() []string {
	return []string{"acp", "--print-logs", "--log-level", "ERROR", "--port"}
}

// freePort returns a loopback port that was free a moment ago. Somebody may take
// it before the agent does; the agent then chooses another by itself.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// openCodeEvidence reads OpenCode. Its stderr is a stream of records of its own
// grammar; anything else on it is excluded from the tail and from every failure.
type openCodeEvidence struct{ plain }

// want lets error records of the model stream through. It is only a prefilter:
// what the record means is decided where it is parsed.
func (*openCodeEvidence) want(line []byte) bool {
	return bytes.Contains(line, []byte("level=ERROR")) && bytes.Contains(line, []byte("stream error"))
}

// keeps says that no line goes to the tail.
func (*openCodeEvidence) keeps() bool { return false }

package managed

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	"net"
	"strconv"

	"turnwatch/backend/agent"
	"turnwatch/backend/opencode"
)

func openCode() profile {
	return profile{
		kind: agent.OpenCode, name: "OpenCode", login: []string{"opencode", "auth", "login"},
		programs: []string{"opencode"}, args: []string{"acp"},
		own:     []string{".opencode/bin"},
		install: "npm install -g opencode-ai",
		launch:  launchOpenCode,
		read:    func() evidence { return &openCodeEvidence{} },
	}
}

// launchOpenCode is the one place where a command line of OpenCode is made. It
// asks for error records on stderr and for a port of our own: the agent opens an
// HTTP server in any case. A version that refuses these flags is started without
// them. A user's own command line stays as it is.
func launchOpenCode(args []string) ([]attempt, error) {
	env, server, err := guard()
	if err != nil {
		return nil, err
	}
	if len(args) != 1 || args[0] != "acp" {
		return []attempt{{args: args, env: env}}, nil
	}
	port, err := freePort()
	if err != nil {
		return nil, fmt.Errorf("find free port: %w", err)
	}
	server.URL = loopback(port)
	return []attempt{
		{args: append(openCodeArgs(), strconv.Itoa(port)), env: env, server: server},
		{args: []string{"acp", "--print-logs", "--log-level", "ERROR"}, env: env},
		{args: args, env: env},
	}, nil
}

// launchDemo lets the demo agent open the server that an agent of its dialect has.
// It is told where by the environment, so that this works for any command line.
func launchDemo(args []string) ([]attempt, error) {
	env, server, err := guard()
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, fmt.Errorf("find free port: %w", err)
	}
	server.URL = loopback(port)
	env = maps.Clone(env)
	env[opencode.PortVar] = strconv.Itoa(port)
	return []attempt{{args: args, env: env, server: server}}, nil
}

// openCodeArgs are the arguments but for the port that ends them.
func openCodeArgs() []string {
	return []string{"acp", "--print-logs", "--log-level", "ERROR", "--port"}
}

// guard is the environment that keeps OpenCode's own HTTP server from every other
// local program, whatever the command line: a random password for each launch.
func guard() (map[string]string, *opencode.Server, error) {
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		return nil, nil, fmt.Errorf("make password: %w", err)
	}
	server := &opencode.Server{User: opencode.User, Password: hex.EncodeToString(secret)}
	return map[string]string{
		opencode.PasswordVar: server.Password,
		opencode.UserVar:     server.User,
	}, server, nil
}

func loopback(port int) string { return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

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

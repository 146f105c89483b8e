package managed

import (
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
)

// protocolVersion is the version of ACP that is spoken here.
const protocolVersion = 1

// wish is the one place for what Turnwatch tells an agent of itself and asks of a
// session: client capabilities, _meta and MCP servers.
type wish struct {
	profile profile
	version string
	files   bool // fs/* is served, and so offered
	dir     string
	tools   []Tool
}

func (w wish) initialize() acp.Hello {
	title := "Turnwatch"
	return acp.Hello{Notices: w.profile.notices, InitializeRequest: sdk.InitializeRequest{
		ProtocolVersion: protocolVersion,
		ClientInfo:      &sdk.Implementation{Name: "turnwatch", Title: &title, Version: w.version},
		ClientCapabilities: sdk.ClientCapabilities{
			Fs: sdk.FileSystemCapabilities{ReadTextFile: w.files, WriteTextFile: w.files},
		},
	}}
}

func (w wish) create() sdk.NewSessionRequest {
	return sdk.NewSessionRequest{Cwd: w.dir, Meta: w.profile.meta, McpServers: w.servers()}
}

func (w wish) load(id agent.ProviderSession) sdk.LoadSessionRequest {
	return sdk.LoadSessionRequest{SessionId: sdk.SessionId(id), Cwd: w.dir, Meta: w.profile.meta, McpServers: w.servers()}
}

func (w wish) resume(id agent.ProviderSession) sdk.ResumeSessionRequest {
	return sdk.ResumeSessionRequest{SessionId: sdk.SessionId(id), Cwd: w.dir, Meta: w.profile.meta, McpServers: w.servers()}
}

// servers are the MCP servers of every session; never nil, for agents that insist
// on a list.
func (w wish) servers() []sdk.McpServer {
	list := make([]sdk.McpServer, 0, len(w.tools))
	for _, t := range w.tools {
		env := make([]sdk.EnvVariable, 0, len(t.Env))
		for _, pair := range t.Env {
			name, value, _ := strings.Cut(pair, "=")
			env = append(env, sdk.EnvVariable{Name: name, Value: value})
		}
		list = append(list, sdk.McpServer{Stdio: &sdk.McpServerStdio{
			Name: t.Name, Command: t.Command, Args: append([]string{}, t.Args...), Env: env,
		}})
	}
	return list
}

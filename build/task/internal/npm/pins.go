// Package npm puts pinned agents from npm into a folder of the project, where
// the tests that drive real agents find them.
//
// It may touch that folder and the network through npm. Install blocks while npm
// works. Everything that decides is pure.
package npm

import (
	"fmt"
	"strings"
)

// Agent is one agent as it comes from npm.
type Agent struct {
	Name     string   // its folder below the cache
	Packages []string // exact versions, name@version
	Program  string   // what node_modules/.bin must hold afterwards
	Native   string   // where Program is when its package links nothing there; below node_modules
	Node     int      // the least major version of Node it runs on; 0: it needs none
	Full     bool     // only with --full
}

// NodeVersion is the Node that is installed when the machine's own is too old
// for a chosen agent.
const NodeVersion = "24.22.3"

// Agents lists the pinned agents. goos and goarch are Go's names.
func Agents(goos, goarch string) []Agent {
	opencode := "opencode-" + platform(goos, goarch, "windows")
	program := "opencode"
	if goos == "windows" {
		program += ".exe"
	}
	return []Agent{
		// opencode-ai works only after its install script, and scripts are not
		// run: so its package of the platform, which is the program itself.
		{Name: "opencode", Packages: []string{opencode + "@1.18.33"}, Program: program, Native: opencode + "/bin/" + program},
		{Name: "gemini", Packages: []string{"@google/gemini-cli@0.61.0"}, Program: "gemini", Node: 20},
		// The adapter asks for a range of codex; pinned here as well.
		{Name: "codex", Packages: []string{"@agentclientprotocol/codex-acp@2.6.0", "@openai/codex@0.166.0"}, Program: "codex-acp", Node: 20},
		{Name: "claude", Packages: []string{"@agentclientprotocol/claude-agent-acp@0.101.0"}, Program: "claude-agent-acp", Node: 22, Full: true},
	}
}

// Node is Node itself as an agent of its own.
func Node(goos, goarch string) Agent {
	name := "node-" + platform(goos, goarch, "win")
	program := "node"
	if goos == "windows" {
		program += ".exe"
	}
	return Agent{Name: "node", Packages: []string{name + "@" + NodeVersion}, Program: program, Native: name + "/bin/" + program}
}

// platform is the name of a platform in npm packages.
func platform(goos, goarch, windows string) string {
	if goos == "windows" {
		goos = windows
	}
	if goarch == "amd64" {
		goarch = "x64"
	}
	return goos + "-" + goarch
}

// Choose picks the agents of a run: all but the Full ones, everything with full,
// or exactly those named. An unknown name is an error that lists the known ones.
func Choose(all []Agent, full bool, names []string) ([]Agent, error) {
	var chosen []Agent
	if len(names) == 0 {
		for _, a := range all {
			if full || !a.Full {
				chosen = append(chosen, a)
			}
		}
		return chosen, nil
	}
	for _, name := range names {
		a, ok := find(all, name)
		if !ok {
			return nil, fmt.Errorf("no agent %q is pinned; known are %s", name, known(all))
		}
		chosen = append(chosen, a)
	}
	return chosen, nil
}

func find(all []Agent, name string) (Agent, bool) {
	for _, a := range all {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

func known(all []Agent) string {
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = a.Name
	}
	return strings.Join(names, ", ")
}

// NeedsNode tells whether Node has to be installed: whether a chosen agent needs
// a newer one than the version given, as `node --version` prints it. A version
// that cannot be read is too old.
func NeedsNode(chosen []Agent, version string) bool {
	var have int
	if _, err := fmt.Sscanf(strings.TrimSpace(version), "v%d.", &have); err != nil {
		have = -1
	}
	for _, a := range chosen {
		if a.Node > 0 && have < a.Node {
			return true
		}
	}
	return false
}

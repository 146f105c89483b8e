package managed

import (
	"log/slog"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/proc"
)

// Target names what to launch.
type Target struct {
	// Kind is the agent. It chooses the launch line and how the agent is read.
	Kind agent.Kind
	// Command is the user's own command line: program and arguments. Nil takes
	// the launch line of Kind. Where it is set, nothing is added to it. A program
	// without a slash is looked for, one with a slash that is not absolute is
	// relative to the session's folder.
	Command []string
	// Env is set on top of the environment of Options.
	Env map[string]string
	// Tools are MCP servers that the agent is given with each session.
	Tools []Tool
}

// Tool is an MCP server over stdio that an agent starts itself.
type Tool struct {
	Name    string
	Command string // absolute
	Args    []string
	Env     []string // KEY=value; may hold a token, and is never logged
}

// Options are what every agent is launched with.
type Options struct {
	// Self is the absolute path of the program that answers "demo-agent".
	Self string
	// Version is Turnwatch's own, told to the agents.
	Version string
	// Environ is the environment that programs are found by and started with,
	// KEY=value; usually os.Environ().
	Environ []string
	// Start is how long an agent may take to answer initialize; 0 means 30 s.
	Start time.Duration
	// Ledger is where launches are written down, so that what a killed Turnwatch
	// leaves behind is ended by the next. Nil for nowhere.
	Ledger *proc.Ledger
	// Files says whether the agent's fs/* requests are served.
	Files Files
	// Clock wakes what waits beside an agent; nil is the system's.
	Clock agent.Clock
	// Log gets keys, counts and codes, never a word of an agent. Nil is silent.
	Log *slog.Logger
}

// Files says whether Turnwatch offers to read and write files for an agent. What
// it offers it serves, inside the session's folder only.
type Files int

// Choices of Files.
const (
	// FilesDefault is off for OpenCode, which has tools of its own and writes the
	// file a second time through us, and on for every other agent.
	FilesDefault Files = iota
	FilesOff
	FilesOn
)

// Hints: keys of the sentences that say what to do when an agent cannot be
// brought up, with the arguments that each has.
const (
	HintNotFound      = "hint.command_not_found"     // program, install
	HintNotExecutable = "hint.command_not_runnable"  // program
	HintFolderMissing = "hint.folder_missing"        // folder
	HintFolderClosed  = "hint.folder_unreadable"     // folder
	HintNoAnswer      = "hint.agent_no_answer"       // seconds
	HintNotACP        = "hint.agent_not_acp"         // program
	HintEndedAtOnce   = "hint.agent_ended_at_once"   // program, code or signal
	HintOldNode       = "hint.node_too_old"          // need, have; each may be ""
	HintProtocol      = "hint.protocol_mismatch"     // need, have
	HintNoSuchOption  = "hint.option_unknown"        // option, choices
	HintNoSuchChoice  = "hint.option_value_unknown"  // option, value, choices
	HintRefusedStart  = "hint.agent_refused_start"   // none
	HintRefused       = "hint.agent_refused_session" // none
	HintNoSession     = "hint.agent_bad_session"     // none
	HintUnknownAgent  = "hint.agent_unknown"         // agent
	HintNoResume      = "hint.resume_unsupported"    // none
)

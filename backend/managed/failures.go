package managed

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/proc"
	"turnwatch/backend/redact"
)

// OpenError is a Failure to open together with the last lines of the agent's
// stderr, sanitised, for the person at the screen. They are not to be stored:
// the Failure, which errors.As finds behind it, is.
type OpenError struct {
	Failure *agent.Failure
	Stderr  []string
}

func (e *OpenError) Error() string { return "open agent: " + e.Failure.Error() }

// Unwrap is the Failure.
func (e *OpenError) Unwrap() error { return e.Failure }

// refusal makes a failure of our own attempt to bring an agent up.
func refusal(rule, hint string, at time.Time, args ...string) *agent.Failure {
	f := &agent.Failure{
		Code: failure.AgentStartFailed, Rule: "open." + rule, Source: failure.SourceOpen,
		Hint: hint, OccurredAt: at, Args: map[string]string{},
	}
	for i := 0; i+1 < len(args); i += 2 {
		f.Args[args[i]] = args[i+1]
	}
	return f
}

// startFailure says why a program could not be started.
func startFailure(err error, p profile, program string, at time.Time) *agent.Failure {
	var s *proc.StartError
	if !errors.As(err, &s) {
		return refusal("start", HintNotExecutable, at, "program", shortName(program))
	}
	switch s.Reason {
	case proc.NotFound:
		return notFound(p, program, at)
	case proc.NoInterpreter:
		if p.node != "" {
			return refusal("no_node", HintOldNode, at, "need", p.node, "have", "")
		}
	case proc.FolderMissing, proc.FolderNotAFolder:
		return refusal("folder_missing", HintFolderMissing, at, "folder", s.Dir)
	case proc.FolderUnreadable:
		return refusal("folder_unreadable", HintFolderClosed, at, "folder", s.Dir)
	}
	return refusal(string(s.Reason), HintNotExecutable, at, "program", shortName(program))
}

func notFound(p profile, program string, at time.Time) *agent.Failure {
	return refusal("not_found", HintNotFound, at, "program", shortName(program), "install", p.install)
}

// ended says why an agent that ended before it was ready did so, as far as its
// exit and the form of what it wrote tell. Nothing of its words is kept.
func ended(p profile, program, stderr string, e failure.Exit, s acp.Stats) *agent.Failure {
	if need, have, ok := oldNode(stderr, p.node); ok {
		return refusal("old_node", HintOldNode, e.At, "need", need, "have", have)
	}
	f := refusal("ended", HintEndedAtOnce, e.At, "program", shortName(program))
	if s.Garbage > 0 && s.Frames == 0 {
		f = refusal("not_acp", HintNotACP, e.At, "program", shortName(program))
	}
	if e.Signal != "" {
		f.Args["signal"] = e.Signal
	} else if !e.Lost {
		f.Args["code"] = strconv.Itoa(e.Code)
	}
	return f
}

// refused makes a failure of an error answer while a session was opened. Login
// methods are named where the agent asks for a login.
func refused(k agent.Kind, method string, e *acp.Error, auth []acp.AuthMethod, at time.Time) *agent.Failure {
	f := rpcFailure(k, method, e, auth, at)
	if f.Code == failure.UnknownProviderError {
		f.Code, f.Rule, f.Hint = failure.AgentStartFailed, "open.refused", HintRefused
		if method == sdk.AgentMethodInitialize {
			f.Rule, f.Hint = "open.refused_start", HintRefusedStart
		}
	}
	f.Source = failure.SourceOpen
	return &f
}

// rpcFailure classifies an error answer and adds what this room knows of logins.
func rpcFailure(k agent.Kind, method string, e *acp.Error, auth []acp.AuthMethod, at time.Time) agent.Failure {
	f := failure.OfRPC(rpcOf(k, method, e, at))
	f.Link = actionURL(e.Data)
	if f.Code != failure.AuthRequired {
		return f
	}
	if own := acp.ParseAuthMethods(e.Data); len(own) > 0 {
		auth = own
	}
	f.Args = map[string]string{"methods": methodNames(auth)}
	return f
}

// actionURL is the link that an error answer names in a field of its own, "" where
// it names none that may be offered. Its text is never searched for one.
func actionURL(data []byte) string {
	var d struct {
		URL json.RawMessage `json:"action_url"`
	}
	if len(data) > 64<<10 || json.Unmarshal(data, &d) != nil || len(d.URL) < 2 || d.URL[0] != '"' {
		return ""
	}
	// The bytes as they came: what is written with escapes is no link.
	if link := string(d.URL[1 : len(d.URL)-1]); redact.Remediation(link) {
		return link
	}
	return ""
}

func rpcOf(k agent.Kind, method string, e *acp.Error, at time.Time) failure.RPC {
	code, _ := e.Int()
	return failure.RPC{Agent: k, Method: method, Code: code, Message: e.Message, Data: e.Data, At: at}
}

// methodNames lists the agent's own names for its logins, at most eight.
func methodNames(auth []acp.AuthMethod) string {
	var names []string
	for _, m := range auth[:min(len(auth), 8)] {
		name := m.Name
		if name == "" {
			name = m.ID
		}
		if name = redact.Line(name, 80); name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// shortName names a program without the folder it lies in.
func shortName(program string) string { return redact.Name(filepath.Base(program), 120) }

var (
	nodeRuns  = regexp.MustCompile(`(?m)^Node\.js v(\d+\.\d+\.\d+)`)
	nodeNeeds = regexp.MustCompile(`(?i)(?:requires?|needs?|minimum|at least|unsupported|upgrade to|not supported)[^\n]{0,60}?node(?:\.?js)?[^\n\d]{0,24}(\d{1,3}(?:\.\d{1,3}){0,2})`)
	nodeHas   = regexp.MustCompile(`(?i)(?:current|found|running|using|you have|detected|got)[^\n]{0,40}?v?(\d{1,3}\.\d{1,3}\.\d{1,3})`)
	nodeNew   = regexp.MustCompile(`SyntaxError|ERR_UNKNOWN_BUILTIN_MODULE|No such built-in module|does not provide an export named|is not a function|is not defined|Cannot find module 'node:|ERR_REQUIRE_ESM|bad option`)
	nodeNone  = regexp.MustCompile(`(?m)env: .?node.?: No such file|node: (?:command )?not found|'node' is not recognized`)
	flagBad   = regexp.MustCompile(`(?i)unknown (?:argument|option|flag|command)|unrecogni[sz]ed (?:argument|option|flag)|unexpected argument|invalid (?:option|flag)|flag provided but not defined|EADDRINUSE|address already in use|port \d+ .{0,20}in use|(?m:^\s*-h, --help\b)`)
)

// oldNode recognises the end of a Node program for want of a newer Node. Words
// that say so are enough; an error that merely smells of it counts only where
// the Node that ran is older than the least that the agent is known to need.
func oldNode(stderr, least string) (need, have string, ok bool) {
	if m := nodeRuns.FindStringSubmatch(stderr); m != nil {
		have = m[1]
	}
	if m := nodeNeeds.FindStringSubmatch(stderr); m != nil {
		if have == "" {
			if h := nodeHas.FindStringSubmatch(stderr); h != nil {
				have = h[1]
			}
		}
		if have == "" || olderThan(have, m[1]) {
			return m[1], have, true
		}
	}
	if least != "" && nodeNone.MatchString(stderr) {
		return least, "", true
	}
	if olderThan(have, least) && nodeNew.MatchString(stderr) {
		return least, have, true
	}
	return "", "", false
}

// refusedFlag recognises that a program ended because of an argument that it
// does not know, which some tell by their help alone, or a port that was taken.
func refusedFlag(stderr string) bool { return flagBad.MatchString(stderr) }

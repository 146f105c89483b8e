package demo

import "strings"

// Scenario is one behaviour of the agent.
type Scenario struct {
	Name        string // what --scenario, --model and the slash command take
	Title       string // a few words
	Description string // one line: what the agent does
	Dialect     string // whose forms of failure it uses: "opencode" or ""
}

// DefaultScenario is played where none was chosen.
const DefaultScenario = "ok"

// OpenCodeDialect says that a scenario fails as OpenCode does: its records on
// stderr, its error answers, its odd answer to a cancel.
const OpenCodeDialect = "opencode"

// Scenarios lists every scenario in the order of help and documentation. The
// slice is the caller's own.
func Scenarios() []Scenario {
	return []Scenario{
		{"ok", "A plain answer", "Streams a short helpful answer at reading pace and ends the turn.", ""},
		{"tools", "Tools at work", "Reads a file, edits it and runs the tests, each as a tool call with content.", ""},
		{"plan", "A plan", "Writes a plan of four steps and works through it.", ""},
		{"diff", "A proposed change", "Shows a change to one file as a diff and explains it.", ""},
		{"permission", "A permission request", "Asks before it runs a command, and acts on the answer.", ""},
		{"long-quiet-tool", "A long, quiet tool", "Starts a tool that says nothing for twenty minutes, then finishes.", ""},
		{"never-starts", "Never starts", "Takes the prompt and says nothing at all until it is cancelled.", ""},
		{"limit", "Usage limit reached", "Writes a usage-limit record to stderr and holds the prompt for hours.", OpenCodeDialect},
		{"overload", "Provider overloaded", "Writes overload records to stderr while it retries, then ends the turn with an error.", OpenCodeDialect},
		{"overload-passes", "An overload that passes", "Refuses the first two prompts of a session as overloaded, at once and without output, then answers.", OpenCodeDialect},
		{"overload-asks", "An overload that asks to wait", "Refuses the first two prompts of a session as overloaded and asks for five minutes, then answers.", OpenCodeDialect},
		{"title-error", "Only the title fails", "The title request hits a limit on stderr; the turn itself goes well.", OpenCodeDialect},
		{"other-session", "Another session fails", "A usage-limit record on stderr names another session; this turn goes well.", OpenCodeDialect},
		{"action-url", "An error with a link", "Ends the turn with an error whose data carries the page where the limit can be lifted.", OpenCodeDialect},
		{"retry-heals", "A retry that heals", "Writes one overload record to stderr, waits, and answers after all.", OpenCodeDialect},
		{"loop", "An endless loop", "Repeats the same step under new message ids until it is cancelled.", ""},
		{"auth", "Login needed", "Takes no prompt (and, when it is the default, opens no session) until somebody logs in.", ""},
		{"empty-end", "Ends without output", "Ends the turn as a success without having said or done anything.", ""},
		{"crash", "A crash", "Exits in the middle of the turn with a trace on stderr.", ""},
		{"secrets", "Secrets in its errors", "Fails with made-up secrets in its records, its events, its error answer (\"error\" in the prompt) or its last words (\"exit\").", OpenCodeDialect},
		{"flood", "A flood of updates", "Sends 100,000 updates as fast as the pipe takes them.", ""},
		{"stream", "A fast, steady stream", "Streams the time of day, 500 updates a second, for a minute.", ""},
		{"hostile-markdown", "Hostile markup", "Answers with dozens of script, link and markup attacks.", ""},
		{"leaked-call", "A call in the text", "Writes a tool call into its answer instead of making it; goes on at the next prompt (\"always\" in the prompt: never).", ""},
		{"leaked-thought", "A call in the reasoning", "Writes a tool call into its reasoning; goes on at the next prompt.", ""},
		{"same-call", "The same call for ever", "Repeats one tool call until it is cancelled; goes on at the next prompt.", ""},
		{"unknown-tool", "A tool that is not there", "Calls a tool that does not exist, twice; goes on at the next prompt.", ""},
		{"announces", "Stops at an announcement", "Announces what comes next and ends the turn; goes on at the next prompt.", ""},
		{"ready-next", "Ready for the next step", "Says that it is ready to continue and ends the turn; goes on at the next prompt.", ""},
		{"done-open", "Done, with an open plan", "Claims to be done while steps of its plan are open; goes on at the next prompt.", ""},
		{"done-bare", "Done, without a report", "Claims to be done and does not say what was; goes on at the next prompt.", ""},
		{"open-plan", "An open plan", "Ends the turn in the middle of its plan; goes on at the next prompt.", ""},
		{"cut-stream", "The stream is cut", "Fails in the middle of a sentence; goes on at the next prompt.", ""},
		{"lost-stream", "The stream is lost", "Reasons at length and ends the turn without an answer; goes on at the next prompt.", ""},
		{"cut-short", "Too long", "Ends the turn at the length limit; goes on at the next prompt.", ""},
		{"stalls", "Falls silent", "Falls silent before it has said anything, until it is cancelled; goes on at the next prompt.", ""},
		{"completes", "Says that it is complete", "Calls the tool task_complete of its client, too early and then again.", ""},
		{"ignores-cancel", "Ignores cancel", "Keeps the turn open whatever it is told, until its process is ended.", ""},
	}
}

// Find returns the scenario of a name. Blanks around it, its case and a leading
// slash do not matter; "" finds the default.
func Find(name string) (Scenario, bool) {
	name = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(name), "/"))
	if name == "" {
		name = DefaultScenario
	}
	for _, s := range Scenarios() {
		if s.Name == name {
			return s, true
		}
	}
	return Scenario{}, false
}

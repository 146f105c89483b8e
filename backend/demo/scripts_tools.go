package demo

import "time"

const oldLine, newLine = "\treturn y%4 == 0\n", "\treturn y%4 == 0 && (y%100 != 0 || y%400 == 0)\n"

func leapFile(line string) string {
	return "package calendar\n\n// Leap reports whether y is a leap year.\nfunc Leap(y int) bool {\n" + line + "}\n"
}

func editDiff() []toolContent {
	before := leapFile(oldLine)
	return []toolContent{{Type: "diff", Path: "calendar/leap.go", OldText: &before, NewText: leapFile(newLine)}}
}

// playTools reads, edits and runs.
func playTools(t *turn) error {
	if err := t.say("I will look at the file first. "); err != nil {
		return err
	}
	at := []location{{Path: "calendar/leap.go", Line: 4}}
	err := t.useTool(toolFields{Title: "read", Kind: "read", Locations: at, RawInput: map[string]any{"filePath": "calendar/leap.go"}},
		toolFields{Title: "calendar/leap.go", Tool: shown(leapFile(oldLine)), RawOutput: map[string]any{"output": leapFile(oldLine)}}, 600*time.Millisecond)
	if err != nil {
		return err
	}
	t.next()
	if err := t.say("The rule for whole centuries is missing. "); err != nil {
		return err
	}
	err = t.useTool(toolFields{Title: "edit", Kind: "edit", Locations: at, RawInput: map[string]any{"filePath": "calendar/leap.go"}},
		toolFields{Title: "calendar/leap.go", Tool: editDiff()}, 900*time.Millisecond)
	if err != nil {
		return err
	}
	t.next()
	if err := t.say("Now the tests. "); err != nil {
		return err
	}
	if err := t.runTests(); err != nil {
		return err
	}
	t.next()
	return t.say("Done: 1900 is no leap year any more, 2000 still is, and the tests pass.\n")
}

// runTests is the execute call: scripted, or a real child process.
func (t *turn) runTests() error {
	if t.p.o.RealTools {
		return t.runChild()
	}
	out := "ok  \tcalendar\t0.004s\n"
	return t.useTool(toolFields{Title: "bash", Kind: "execute", RawInput: map[string]any{"command": "go test ./calendar"}},
		toolFields{Title: "go test ./calendar", Tool: shown(out), RawOutput: map[string]any{"output": out, "metadata": map[string]any{"exit": 0}}}, 1500*time.Millisecond)
}

// useTool plays one tool call: announced, at work for a while, done.
func (t *turn) useTool(first, last toolFields, work time.Duration) error {
	id, err := t.start(first)
	if err != nil {
		return err
	}
	if err := t.change(id, toolFields{Status: "in_progress"}); err != nil {
		return err
	}
	if err := t.wait(work); err != nil {
		return err
	}
	last.Status = "completed"
	return t.change(id, last)
}

// playDiff proposes a change and writes nothing.
func playDiff(t *turn) error {
	if err := t.say("This is the change I would make. "); err != nil {
		return err
	}
	id, err := t.start(toolFields{Title: "edit", Kind: "edit", Tool: editDiff(), Locations: []location{{Path: "calendar/leap.go", Line: 5}},
		RawInput: map[string]any{"filePath": "calendar/leap.go"}})
	if err != nil {
		return err
	}
	if err := t.wait(800 * time.Millisecond); err != nil {
		return err
	}
	if err := t.change(id, toolFields{Title: "calendar/leap.go", Status: "completed", Tool: editDiff()}); err != nil {
		return err
	}
	t.next()
	return t.say("Centuries are leap years only when 400 divides them. The demo has not touched any file.\n")
}

// playPermission asks before it runs a command and does what the answer says.
func playPermission(t *turn) error {
	if err := t.say("I would like to run the tests. "); err != nil {
		return err
	}
	call := toolFields{Title: "bash", Kind: "execute", RawInput: map[string]any{"command": "go test ./calendar"}}
	id, err := t.start(call)
	if err != nil {
		return err
	}
	answer := "once"
	if !t.s.isAllowed() {
		call.ToolCallID, call.Status, call.Title = id, "pending", "go test ./calendar"
		if answer, err = t.ask(call, allowOptions()...); err != nil {
			return err
		}
	}
	switch answer {
	case "always":
		t.s.allow()
	case "once":
	default:
		return t.refused(id, answer)
	}
	if err := t.change(id, toolFields{Status: "in_progress"}); err != nil {
		return err
	}
	if err := t.wait(1500 * time.Millisecond); err != nil {
		return err
	}
	if err := t.change(id, toolFields{Title: "go test ./calendar", Status: "completed", Tool: shown("ok  \tcalendar\t0.004s\n")}); err != nil {
		return err
	}
	t.next()
	return t.say("Thank you. The tests pass.\n")
}

// refused ends the call that was not allowed, and says so.
func (t *turn) refused(id, answer string) error {
	why, text := "The user rejected permission to use this tool.", "All right, I have not run it.\n"
	if answer == "" {
		why, text = "The request was cancelled.", "Nobody answered my request, so I stop here. Nothing was run.\n"
	}
	if err := t.change(id, toolFields{Status: "failed", Tool: shown(why)}); err != nil {
		return err
	}
	t.next()
	return t.say(text)
}

// quietFor is how long the quiet tool says nothing: four times what Turnwatch
// waits before it remarks on it.
const quietFor = 20 * time.Minute

// playLongQuietTool starts a tool and is quiet while it works.
func playLongQuietTool(t *turn) error {
	if err := t.say("The whole suite takes a while. "); err != nil {
		return err
	}
	id, err := t.start(toolFields{Title: "bash", Kind: "execute", RawInput: map[string]any{"command": "make test-all"}})
	if err != nil {
		return err
	}
	if err := t.change(id, toolFields{Status: "in_progress", Title: "make test-all"}); err != nil {
		return err
	}
	if err := t.hold(quietFor); err != nil {
		return err
	}
	if err := t.change(id, toolFields{Status: "completed", Tool: shown("4112 tests passed\n")}); err != nil {
		return err
	}
	t.next()
	return t.say("All 4112 tests pass.\n")
}

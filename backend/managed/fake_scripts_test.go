//go:build unix

package managed_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
)

// starts run before the first frame; a code of 0 or more ends the program.
var starts = map[string]func(*fake) int{
	"exit3": func(*fake) int { fmt.Fprintln(os.Stderr, "CANARY fatal /home/CANARY"); return 3 },
	"html":  func(f *fake) int { f.line("<html><body>502 CANARY</body></html>"); return -1 },
	"page": func(f *fake) int {
		f.line("<!doctype html>\n<html>\n\n<body>502 CANARY</body>\n</html>")
		return -1
	},
	"longpage": func(f *fake) int { f.line("<html>%s</html>", strings.Repeat("CANARY", 1000)); return -1 },
	"jsonlog": func(f *fake) int {
		f.line(`{"level":"info","msg":"CANARY"}`)
		f.line(`{"level":"info","port":8080}`)
		f.line(`{"level":"info","msg":"ready"}`)
		return -1
	},
	"banner":     func(f *fake) int { f.line("> pkg@1.0.0 acp\n> node agent.js"); return -1 },
	"longbanner": func(f *fake) int { f.line("Agent\n=====\nversion 1\nready"); return -1 },
	"html-exit":  func(f *fake) int { f.line("<html>CANARY</html>"); return 1 },
	"oldnode": func(*fake) int {
		fmt.Fprint(os.Stderr, "file:///x/cli.js:1\nSyntaxError: Unexpected token 'with'\n    at x\n\nNode.js v18.19.0\n")
		return 1
	},
	"neednode": func(*fake) int {
		fmt.Fprintln(os.Stderr, "This tool requires Node.js >= 22.19. You have v20.11.1.")
		return 1
	},
	"selfkill": func(*fake) int { syscall.Kill(os.Getpid(), syscall.SIGKILL); return -1 },
	"flags": func(*fake) int {
		for _, a := range os.Args[1:] {
			if strings.HasPrefix(a, "--") {
				fmt.Fprintln(os.Stderr, "Options:\n  --help\nUnknown arguments: print-logs, port")
				return 1
			}
		}
		return -1
	},
	"pour": func(*fake) int { flood(os.Stderr, floodBytes); return 0 },
	"deaf": func(*fake) int {
		signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
		return -1
	},
	"noisy": func(*fake) int {
		for i := range 60 {
			fmt.Fprintf(os.Stderr, "line %d token=CANARY\n", i)
		}
		return -1
	},
}

// scripts see a frame first; true says that it is dealt with.
var scripts = map[string]func(*fake, frame) bool{
	"mute":     func(*fake, frame) bool { return true },
	"html":     func(*fake, frame) bool { return true },
	"page":     func(*fake, frame) bool { return true },
	"longpage": func(*fake, frame) bool { return true },
	"jsonlog":  func(*fake, frame) bool { return true },
	"proto":    on("initialize", func(f *fake, m frame) { f.answer(m.ID, `{"protocolVersion":7}`) }),
	"badinit":  on("initialize", func(f *fake, m frame) { f.answer(m.ID, `"what"`) }),
	"initerr":  on("initialize", func(f *fake, m frame) { f.fail(m.ID, `{"code":-32603,"message":"some reason"}`) }),
	"auth":     on("session/new", func(f *fake, m frame) { f.fail(m.ID, `{"code":-32000,"message":"Authentication required"}`) }),
	"newerr": on("session/new", func(f *fake, m frame) {
		f.fail(m.ID, `{"code":-32603,"message":"Internal error","data":{"details":"no luck"}}`)
	}),
	"noid":      on("session/new", func(f *fake, m frame) { f.answer(m.ID, `{}`) }),
	"emptyid":   on("session/new", func(f *fake, m frame) { f.answer(m.ID, `{"sessionId":""}`) }),
	"badnew":    on("session/new", func(f *fake, m frame) { f.answer(m.ID, `["s1"]`) }),
	"newdie":    on("session/new", func(*fake, frame) { os.Exit(5) }),
	"lost":      on("session/resume", func(f *fake, m frame) { f.fail(m.ID, `{"code":-32603,"message":"Internal error"}`) }),
	"loadonly":  loadOnly,
	"neither":   on("initialize", func(f *fake, m frame) { f.answer(m.ID, `{"protocolVersion":1}`) }),
	"error":     on("session/prompt", func(f *fake, m frame) { f.fail(m.ID, m.prompt()) }),
	"last":      on("session/prompt", lastWords),
	"crash":     on("session/prompt", func(f *fake, _ frame) { f.say("half"); os.Exit(7) }),
	"perm":      on("session/prompt", permission),
	"manyasks":  on("session/prompt", manyAsks),
	"withdraw":  on("session/prompt", withdraw),
	"wire":      on("session/prompt", wire),
	"hold":      hold,
	"late":      late,
	"options":   withOptions,
	"launch":    on("session/prompt", tellLaunch),
	"orphan":    on("session/prompt", orphan),
	"deaf":      deafHold,
	"unread":    unread,
	"systemerr": on("session/prompt", systemError),
	"replay429": on("session/prompt", apiRetry),
	"foreign":   on("session/prompt", foreignSession),
	"badanswer": on("session/prompt", func(f *fake, m frame) { f.answer(m.ID, m.prompt()) }),
	"canary":    canary,
	"flood":     floods,
	"refused":   on("session/prompt", func(f *fake, m frame) { f.fail(m.ID, `{"code":-32800,"message":"Request cancelled"}`) }),
}

func on(method string, do func(*fake, frame)) func(*fake, frame) bool {
	return func(f *fake, m frame) bool {
		if m.Method != method {
			return false
		}
		do(f, m)
		return true
	}
}

func loadOnly(f *fake, m frame) bool {
	switch m.Method {
	case "initialize":
		f.answer(m.ID, `{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}`)
	case "session/load":
		f.update(`{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"old question"}}`)
		f.say("old answer")
		f.update(`{"sessionUpdate":"tool_call","toolCallId":"t1","title":"bash","status":"in_progress"}`)
		f.answer(m.ID, `null`)
	default:
		return false
	}
	return true
}

func lastWords(f *fake, m frame) {
	for i := range 500 {
		f.say(fmt.Sprint(i, " "))
	}
	f.answer(m.ID, `{"stopReason":"end_turn"}`)
	os.Exit(0)
}

// wire sends the requests that the prompt lists and tells each answer.
func wire(f *fake, m frame) {
	var list []struct {
		Method string
		Params json.RawMessage
	}
	if err := json.Unmarshal([]byte(m.prompt()), &list); err != nil {
		f.fail(m.ID, `{"code":1,"message":"bad script"}`)
		return
	}
	for _, r := range list {
		got := f.ask(r.Method, string(r.Params))
		f.say(string(got.Result) + string(got.Error))
	}
	f.answer(m.ID, `{"stopReason":"end_turn"}`)
}

func hold(f *fake, m frame) bool {
	switch m.Method {
	case "session/prompt":
		f.held = m.ID
		f.say("working")
	case "session/cancel":
		f.answer(f.held, `{"stopReason":"cancelled"}`)
	default:
		return false
	}
	return true
}

// late answers the first prompt only after the second.
func late(f *fake, m frame) bool {
	if m.Method != "session/prompt" {
		return m.Method == "session/cancel"
	}
	if f.held == nil {
		f.held = m.ID
		f.say("first")
		return true
	}
	f.answer(m.ID, `{"stopReason":"end_turn"}`)
	f.answer(f.held, `{"stopReason":"end_turn"}`)
	return true
}

func withOptions(f *fake, m frame) bool {
	config := func(model, effort string) string {
		return fmt.Sprintf(`"configOptions":[{"id":"mdl","category":"model","name":"Model","type":"select","currentValue":%q,"options":[{"value":"a"},{"value":"b/long-model-name-of-more-than-32-characters"}]},{"id":"effort","category":"thought_level","type":"select","currentValue":%q,"options":[{"value":"low"},{"value":"high"}]},{"id":"fast","type":"boolean","currentValue":false}]`, model, effort)
	}
	var p struct {
		ConfigID string `json:"configId"`
		ModeID   string `json:"modeId"`
		Value    any    `json:"value"`
	}
	_ = json.Unmarshal(m.Params, &p)
	switch m.Method {
	case "session/new":
		f.answer(m.ID, `{"sessionId":"s1",`+config("a", "low")+`,"modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"},{"id":"code","name":"Code"}]}}`)
	case "session/set_config_option":
		switch v := p.Value.(type) {
		case bool:
			f.answer(m.ID, `{"configOptions":[{"id":"fast","type":"boolean","currentValue":true}]}`)
		case string:
			if v == "high" {
				f.fail(m.ID, `{"code":-32603,"message":"Internal error: not now"}`)
			} else {
				f.answer(m.ID, "{"+config(v, "low")+"}")
			}
		}
	case "session/set_mode":
		f.answer(m.ID, `{}`)
		f.update(`{"sessionUpdate":"current_mode_update","currentModeId":"` + p.ModeID + `"}`)
	default:
		return false
	}
	return true
}

// tellLaunch tells what the program was started with.
func tellLaunch(f *fake, m frame) {
	f.say(strings.Join(os.Args[1:], " "))
	f.say(os.Getenv("OPENCODE_SERVER_PASSWORD"))
	dir, _ := os.Getwd()
	f.say(dir)
	f.answer(m.ID, `{"stopReason":"end_turn"}`)
}

// orphan starts a child in a session of its own and is killed.
func orphan(f *fake, _ frame) {
	child := exec.Command("sleep", "1000")
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := child.Start(); err != nil {
		f.say(err.Error())
		return
	}
	f.say(fmt.Sprint(child.Process.Pid))
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
}

// deafHold answers nothing after the session is open, not even the end of stdin.
func deafHold(f *fake, m frame) bool {
	if m.Method != "session/prompt" {
		return m.Method == "session/cancel"
	}
	f.say("deaf")
	select {}
}

// unread stops reading after its first prompt, but ends when it is asked to.
func unread(f *fake, m frame) bool {
	if m.Method != "session/prompt" {
		return false
	}
	f.say("reading no more")
	select {}
}

func systemError(f *fake, m frame) {
	f.update(`{"sessionUpdate":"session_info_update","_meta":{"codex":{"error":{"message":"Reconnecting... 2/5","willRetry":true}}}}`)
	f.update(`{"sessionUpdate":"session_info_update","_meta":{"codex":{"threadStatus":{"type":"systemError"}}}}`)
	f.say("exceeded retry limit, key sk-CANARY12345\n\n")
	f.answer(m.ID, `{"stopReason":"end_turn","usage":null}`)
}

func apiRetry(f *fake, m frame) {
	f.line(`{"jsonrpc":"2.0","method":"_claude/sdkMessage","params":{"sessionId":"s1","message":{"type":"system","subtype":"api_retry","attempt":3,"max_retries":10,"retry_delay_ms":2500.5,"error_status":429,"error":"rate_limit"}}}`)
	f.say("API Error: Repeated 529 Overloaded errors.")
	f.fail(m.ID, `{"code":-32603,"message":"Internal error: API Error: Repeated 529 Overloaded errors.","data":{"errorKind":"server_error"}}`)
}

func foreignSession(f *fake, m frame) {
	f.line(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"other","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"not mine"}}}}`)
	got := f.ask("session/request_permission", strings.Replace(askParams, "s1", "other", 1))
	f.say(string(got.Error))
	f.answer(m.ID, `{"stopReason":"end_turn"}`)
}

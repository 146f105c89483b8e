package provider

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadsDirectives(t *testing.T) {
	tests := []struct {
		name, text, want string
		kv               map[string]string
	}{
		{"name alone", "hi [[fake:ok]] there", "ok", map[string]string{}},
		{"keys", "[[fake:ok n=3 delay=0]]", "ok", map[string]string{"n": "3", "delay": "0"}},
		{"two words", "[[fake:bash cmd='echo two words']]", "bash", map[string]string{"cmd": "echo two words"}},
		{"brackets in quotes", "[[fake:bash cmd='[[ -f x ]] && ls']]", "bash", map[string]string{"cmd": "[[ -f x ]] && ls"}},
		{"one bracket", "[[fake:bash cmd=a[1]x]]", "bash", map[string]string{"cmd": "a[1]x"}},
		{"an equals sign in a value", "[[fake:bash cmd='A=1 sh']]", "bash", map[string]string{"cmd": "A=1 sh"}},
		{"an empty value", "[[fake:ok text='']]", "ok", map[string]string{"text": ""}},
		{"a word without value", "[[fake:ok loud]]", "ok", map[string]string{"loud": ""}},
		{"an open quote is none", "[[fake:bash cmd='echo]]", "", nil},
		{"no name is none", "[[fake: ]]", "", nil},
		{"not closed is none", "[[fake:ok", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, ok := findDirective(tt.text)
			assert.Equal(t, tt.want != "", ok)
			if ok {
				assert.Equal(t, tt.want, d.name)
				assert.Equal(t, tt.kv, d.kv)
			}
		})
	}
}

func FuzzDirective(f *testing.F) {
	f.Add("[[fake:bash cmd='echo two words' n=3]]")
	f.Add("[[fake:' ]] [[fake:ok a=b'c d'e]]")
	f.Fuzz(func(t *testing.T, s string) {
		d, ok := findDirective(s)
		if !ok {
			return
		}
		require.NotEmpty(t, d.name)
		if n := d.num("n", 7); n < 0 || n > 1_000_000 {
			t.Fatalf("num is out of its bounds: %d", n)
		}
	})
}

// Whatever the body, it is understood or ignored, and what is sent is JSON.
func FuzzBody(f *testing.F) {
	f.Add([]byte(`{"model":"m","messages":[{"role":"user","content":[{"text":"[[fake:edit file=a content=b]]"}]}],"tools":[{"name":"write","input_schema":{"required":["path"],"properties":{"path":{"type":["string"]}}}}]}`))
	f.Add([]byte(`{"contents":[{"parts":[{"functionResponse":1}]}],"tools":[{"functionDeclarations":[{"name":"x","parameters":{"type":"OBJECT","properties":{"a":{"type":"ARRAY"}}}}]}]}`))
	f.Add([]byte(`{"input":[null,1,"x",{"type":"function_call_output"}],"tools":[null]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var b map[string]any
		if json.Unmarshal(body, &b) != nil {
			return
		}
		newest(messagesOf(b))
		for _, c := range []func([]tool) (call, bool){
			func(ts []tool) (call, bool) { return shellCall(ts, "true") },
			func(ts []tool) (call, bool) { return editCall(ts, "f", "c\n") },
		} {
			if got, ok := c(toolsOf(b)); ok && !got.custom {
				require.True(t, json.Valid([]byte(got.args)), got.args)
			}
		}
	})
}

func TestCallsTheAgentsOwnTools(t *testing.T) {
	tests := []struct {
		name, tools string
		edit        bool
		want        call
	}{
		{"OpenCode's bash", `[{"type":"function","function":{"name":"bash","parameters":{"required":["command","description"],"properties":{"command":{"type":"string"},"description":{"type":"string"}}}}}]`, false,
			call{name: "bash", args: `{"command":"ls","description":"Run the command of the test"}`}},
		{"Codex' array", `[{"type":"function","name":"shell","parameters":{"properties":{"command":{"type":"array"}}}}]`, false,
			call{name: "shell", args: `{"command":["bash","-lc","ls"]}`}},
		{"Codex' cmd", `[{"type":"function","name":"exec_command","parameters":{"required":["cmd"],"properties":{"cmd":{"type":"string"}}}}]`, false,
			call{name: "exec_command", args: `{"cmd":"ls"}`}},
		{"Gemini's own, with something more that is required", `[{"functionDeclarations":[{"name":"run_shell_command","parametersJsonSchema":{"required":["command","is_background"],"properties":{"command":{"type":"STRING"},"is_background":{"type":"BOOLEAN"}}}}]}]`, false,
			call{name: "run_shell_command", args: `{"command":"ls","is_background":false}`}},
		{"Claude's Write", `[{"name":"Bash"},{"name":"Write","input_schema":{"required":["file_path","content"],"properties":{"file_path":{},"content":{}}}}]`, true,
			call{name: "Write", args: `{"content":"x\n","file_path":"/tmp/f"}`}},
		{"OpenCode's write", `[{"type":"function","function":{"name":"write","parameters":{"properties":{"filePath":{"type":"string"},"content":{"type":"string"}}}}}]`, true,
			call{name: "write", args: `{"content":"x\n","filePath":"/tmp/f"}`}},
		{"Codex' patch in free form", `[{"type":"custom","name":"apply_patch"}]`, true,
			call{name: "apply_patch", custom: true, args: "*** Begin Patch\n*** Add File: /tmp/f\n+x\n*** End Patch"}},
		{"the shell where nothing else writes", `[{"name":"Bash","input_schema":{"properties":{"command":{"type":"string"}}}}]`, true,
			call{name: "Bash", args: `{"command":"printf %s 'x\n' \u003e '/tmp/f'"}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b map[string]any
			require.NoError(t, json.Unmarshal([]byte(`{"tools":`+tt.tools+`}`), &b))
			got, ok := shellCall(toolsOf(b), "ls")
			if tt.edit {
				got, ok = editCall(toolsOf(b), "/tmp/f", "x\n")
			}
			require.True(t, ok)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestStructuredAnswersFitTheirSchema(t *testing.T) {
	var s any
	require.NoError(t, json.Unmarshal([]byte(`{"type":"OBJECT","properties":{"reasoning":{"type":"string"},"model":{"enum":["flash","pro"]},"n":{"type":"integer","minimum":3},"l":{"type":["array","null"]},"b":{"type":"boolean"},"in":{"properties":{"x":{"type":"number"}}}}}`), &s))
	assert.Equal(t, `{"b":false,"in":{"x":1},"l":[],"model":"flash","n":3,"reasoning":"ok"}`, encode(instance(s, 8)))
}

// Clients of OpenAI's responses refuse numbers out of order.
func TestSequenceNumbersRise(t *testing.T) {
	e := newEncoder(ask{dialect: Responses}, 1, 0)
	var evs []event
	evs = append(evs, e.open()...)
	evs = append(evs, e.think("a")...)
	evs = append(evs, e.say("b")...)
	evs = append(evs, e.use(call{name: "x", args: "{}"})...)
	evs = append(evs, e.close(finishTools, usage{})...)
	for i, ev := range evs {
		assert.Equal(t, i, ev.data.(map[string]any)["sequence_number"])
	}
}

package locale_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/locale"
	"turnwatch/backend/policy/autoresume"
	"turnwatch/locales"
)

// families are the keys that the code makes of a word and a value: each value
// that there can be.
func families() []string {
	values := map[string][]string{
		"outcome": words(agent.Completed, agent.EndedEmpty, agent.Cancelled, agent.Failed, agent.NeverStarted, agent.Interrupted),
		"failure": words(failure.Codes()...),
		"stop":    append(words(agent.MaxTokens, agent.MaxTurnRequests, agent.Refusal, agent.StopCancelled), "other"),
		"task":    words(agent.TaskWaiting, agent.TaskRunning, agent.TaskNeedsYou, agent.TaskDone, agent.TaskFailed),
		"kind":    {"read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"},
		"tool":    words(agent.ToolPending, agent.ToolInProgress, agent.ToolFailed, agent.ToolCancelled),
		"part":    words(agent.PartPrompt, agent.PartText, agent.PartThought, agent.PartTool, agent.PartPlan, agent.PartOther),
		"block":   append(words(agent.BlockImage, agent.BlockAudio, agent.BlockLink, agent.BlockResource), "other"),
		"ask":     words(agent.AskPermission, agent.AskQuestion),
		"cancel":  words(agent.CancelSent, agent.CancelAcknowledged, agent.CancelEscalated, agent.CancelNotStopped, agent.CancelDenied, agent.CancelReturned),
		"notice":  {"quiet", "ended_empty", "looping", "not_stopped"},
		"status":  {"working", "retrying", "quiet", "cancelling"},
		"card":    {"why_exit", "why_open", "why_stderr", "why_events", "why_answer", "why_transport", "why_agent", "why_never_started", "why_interrupted", "why_failed", "never_started", "never_started_guidance", "interrupted", "interrupted_guidance", "failed", "failed_guidance", "again_unsure", "again_effects", "again_exhausted", "again_lost", "again_late", "again_unstored"},
		"confirm": {"command_title"},
		"auto":    autoWords(),
		"refused": words(agent.NoSuchAsk, agent.NoSuchChoice, agent.NoSuchPrompt, agent.EmptyPrompt, agent.NotOpen),
	}
	values["check"] = []string{"program", "agents", "data", "permissions", "history", "settings", "clock", "webkit", "tray", "notifications"}
	for _, kind := range values["kind"] {
		values["ask"] = append(values["ask"], "about_"+kind)
	}
	var keys []string
	for family, list := range values {
		for _, v := range list {
			keys = append(keys, family+"."+v)
		}
	}
	return keys
}

// autoWords are what auto-resume does and why.
func autoWords() []string {
	out := []string{"kind_stall", "kind_context_saturation", "cancel", "cancel_then", "gave_up", "withdrawn"}
	for _, k := range autoresume.Kinds() {
		out = append(out, "kind_"+string(k))
	}
	for _, r := range []autoresume.Result{autoresume.Ack, autoresume.Blocked, autoresume.RepeatWarning, autoresume.ReplyError} {
		out = append(out, "reply_"+string(r))
	}
	for _, r := range []autoresume.Result{autoresume.Accepted, autoresume.Refused, autoresume.Ignored, autoresume.Answered} {
		out = append(out, "outcome_"+string(r))
	}
	for _, r := range autoresume.Rules() {
		out = append(out, "rule_"+r)
	}
	return out
}

// others only look like keys: words of the replay vocabulary, of the build, names of files, and
// the beginnings of keys.
var others = []string{"ask.open", "ask.close", "vcs.revision", "card.why_", "card.again_", "ask.about_", "auto.kind_", "auto.reply_", "auto.outcome_", "auto.rule_", "snapshot.index", "index.html"}

func words[T ~string](list ...T) []string {
	var out []string
	for _, v := range list {
		out = append(out, string(v))
	}
	return out
}

// english are the keys of the English file.
func english(t *testing.T) map[string]bool {
	t.Helper()
	raw, err := fs.ReadFile(locales.Files, "en.json")
	require.NoError(t, err)
	var file map[string]any
	require.NoError(t, json.Unmarshal(raw, &file))
	keys := map[string]bool{}
	for k := range file {
		keys[k] = true
	}
	return keys
}

// written are the strings of the code, tests aside, that look like a key.
func written(t *testing.T) map[string]string {
	t.Helper()
	key := regexp.MustCompile(`^[a-z]+\.[a-z_]+$`)
	found := map[string]string{}
	read := func(path string) error {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && key.MatchString(s) {
					found[s] = path
				}
			}
			return true
		})
		return nil
	}
	root, err := filepath.Glob(filepath.Join("..", "..", "*.go"))
	require.NoError(t, err)
	for _, path := range root {
		require.NoError(t, read(path))
	}
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		return read(path)
	})
	require.NoError(t, err)
	return found
}

func TestEveryKeyThatIsUsedHasASentence(t *testing.T) {
	keys := english(t)
	for _, k := range families() {
		assert.True(t, keys[k], "%s has no sentence", k)
	}
	for k, path := range written(t) {
		root, _, _ := strings.Cut(k, ".")
		ours := root == "hint" || strings.HasPrefix(path, filepath.Join("..", "cli")) ||
			strings.HasPrefix(path, filepath.Join("..", "window")) || path == filepath.Join("..", "view", "card.go")
		if ours && !slices.Contains(others, k) {
			assert.True(t, keys[k], "%s has no sentence, used in %s", k, path)
		}
	}
}

func TestEverySentenceIsUsed(t *testing.T) {
	keys := english(t)
	used := written(t)
	for _, k := range families() {
		used[k] = "made"
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if strings.HasPrefix(k, "ui.") {
			continue // the page's own, which its own test looks after
		}
		assert.Contains(t, used, k, "nobody says this sentence")
	}
}

func TestEverySentenceCanBeSaid(t *testing.T) {
	w, err := locale.Open(locales.Files)
	require.NoError(t, err)
	keys := english(t)
	for k := range keys {
		assert.True(t, w.Has(k), "%s cannot be read", k)
		assert.NotContains(t, w.Say(k, locale.Args{}), "<no value>", k)
	}
	assert.False(t, w.Has("no.such"))
}

// placeholder finds the arguments of a sentence.
var placeholder = regexp.MustCompile(`\{\{[^}]*\}\}`)

// TestThePseudoLanguageIsEnglishInOtherLetters: every key, every placeholder, and
// nothing that is not changed.
func TestThePseudoLanguageIsEnglishInOtherLetters(t *testing.T) {
	raw, err := fs.ReadFile(locales.Files, "en.json")
	require.NoError(t, err)
	var file map[string]any
	require.NoError(t, json.Unmarshal(raw, &file))
	pseudo := locale.Pseudo(file)
	require.Len(t, pseudo, len(file))
	var compare func(key string, was, is any)
	compare = func(key string, was, is any) {
		if forms, ok := was.(map[string]any); ok {
			for form, text := range forms {
				compare(key+"."+form, text, is.(map[string]any)[form])
			}
			return
		}
		assert.Equal(t, placeholder.FindAllString(was.(string), -1), placeholder.FindAllString(is.(string), -1), key)
		assert.NotEqual(t, was, is, key)
	}
	for k, v := range file {
		compare(k, v, pseudo[k])
	}
}

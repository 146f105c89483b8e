package locale_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"turnwatch/backend/locale"
	"turnwatch/locales"
)

// argument finds the names that a sentence puts in or asks about.
var argument = regexp.MustCompile(`\.([A-Za-z_]+)`)

func argumentsOf(text string) []string {
	found := map[string]bool{}
	for _, p := range placeholder.FindAllString(text, -1) {
		for _, m := range argument.FindAllStringSubmatch(p, -1) {
			found[m[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// categories are the plural forms that whole numbers take in a language.
func categories(tag language.Tag) []string {
	names := map[plural.Form]string{
		plural.Other: "other", plural.Zero: "zero", plural.One: "one",
		plural.Two: "two", plural.Few: "few", plural.Many: "many",
	}
	found := map[string]bool{"other": true}
	for n := range 2000 {
		found[names[plural.Cardinal.MatchPlural(tag, n, 0, 0, 0, 0)]] = true
	}
	return slices.Sorted(maps.Keys(found))
}

func read(t *testing.T, tag string) map[string]any {
	t.Helper()
	raw, err := fs.ReadFile(locales.Files, tag+".json")
	require.NoError(t, err)
	var out map[string]any
	require.NoError(t, json.Unmarshal(raw, &out))
	return out
}

// Every language says every sentence of English and no other, in the plural forms
// that its numbers have, with the same arguments.
func TestEveryLanguageSaysEverySentence(t *testing.T) {
	tags, err := locale.Tags(locales.Files)
	require.NoError(t, err)
	english := read(t, "en")
	for _, tag := range tags {
		t.Run(tag, func(t *testing.T) {
			own := read(t, tag)
			for _, k := range slices.Sorted(maps.Keys(english)) {
				if assert.Contains(t, own, k, "is missing") {
					assert.Empty(t, wrongIn(language.MustParse(tag), english[k], own[k]), k)
				}
			}
			for k := range own {
				assert.Contains(t, english, k, "English has no such sentence")
			}
		})
	}
}

// Short durations end with a full stop in German ("5 Min."), so no sentence may end
// with one: it would have two.
func TestNoGermanSentenceEndsWithADuration(t *testing.T) {
	ends := regexp.MustCompile(`\{\{\.(left|min|max|long|ago|silent|was|quiet|longest)\}\}(\{\{end\}\})?\.`)
	for k, v := range read(t, "de") {
		assert.NotRegexp(t, ends, fmt.Sprint(v), k)
	}
}

// wrongIn says what is wrong with a sentence, "" where nothing is.
func wrongIn(tag language.Tag, english, own any) string {
	if text, ok := english.(string); ok {
		other, ok := own.(string)
		switch {
		case !ok:
			return "is one sentence in English, and has forms here"
		case strings.TrimSpace(other) == "":
			return "is empty"
		case !slices.Equal(argumentsOf(text), argumentsOf(other)):
			return fmt.Sprintf("has the arguments %v, not %v", argumentsOf(other), argumentsOf(text))
		case strings.Count(other, "{{if") != strings.Count(other, "{{end}}"):
			return "opens and closes conditions differently"
		}
		return ""
	}
	forms, ok := own.(map[string]any)
	if !ok {
		return "has forms in English, and is one sentence here"
	}
	if have := slices.Sorted(maps.Keys(forms)); !slices.Equal(have, categories(tag)) {
		return fmt.Sprintf("has the forms %v, not %v", have, categories(tag))
	}
	model := english.(map[string]any)["other"].(string)
	for form, text := range forms {
		text, ok := text.(string)
		if !ok || strings.TrimSpace(text) == "" {
			return form + " is empty"
		}
		// A form for one number alone may leave the number out.
		have, want := argumentsOf(text), argumentsOf(model)
		if !slices.Equal(have, want) && !slices.Equal(append(have, "Count"), want) && !slices.Equal(have, without(want, "Count")) {
			return fmt.Sprintf("%s has the arguments %v, not %v", form, have, want)
		}
	}
	return ""
}

func without(list []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == name })
}

// The check itself: what it must not let pass.
func TestWhatIsWrongWithASentenceIsFound(t *testing.T) {
	n := map[string]any{"one": "{{.Count}} file", "other": "{{.Count}} files in {{.dir}}"}
	for _, tt := range []struct {
		name         string
		tag          language.Tag
		english, own any
		want         string
	}{
		{"a sentence", language.German, "Open {{.dir}}", "{{.dir}} öffnen", ""},
		{"an argument misspelt", language.German, "Open {{.dir}}", "{{.Ordner}} öffnen", "arguments"},
		{"an argument lost", language.German, "Open {{.dir}}", "Öffnen", "arguments"},
		{"a condition left open", language.German, "{{if .a}}x{{end}}", "{{if .a}}x", "conditions"},
		{"an empty sentence", language.German, "Open", " ", "empty"},
		{"forms for a sentence", language.German, "Open", map[string]any{"other": "Öffnen"}, "forms here"},
		{"a sentence for forms", language.German, n, "Dateien", "one sentence here"},
		{"both German forms", language.German, n, map[string]any{"one": "eine Datei in {{.dir}}", "other": "{{.Count}} Dateien in {{.dir}}"}, ""},
		{"a form too few", language.German, n, map[string]any{"other": "{{.Count}} Dateien in {{.dir}}"}, "forms"},
		{"Japanese has one form", language.Japanese, n, map[string]any{"other": "{{.dir}}の{{.Count}}個"}, ""},
		{"a form too many", language.Japanese, n, map[string]any{"one": "{{.dir}} {{.Count}}", "other": "{{.dir}} {{.Count}}"}, "forms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := wrongIn(tt.tag, tt.english, tt.own)
			if tt.want == "" {
				assert.Empty(t, got)
			} else {
				assert.Contains(t, got, tt.want)
			}
		})
	}
	assert.Equal(t, []string{"few", "many", "one", "other", "two", "zero"}, categories(language.Arabic))
}

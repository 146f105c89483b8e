package locale_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/locale"
)

func files() fs.FS {
	return fstest.MapFS{
		"en.json": {Data: []byte(`{"a": "Hello {{.name}}.", "b": "only English", "n": {"one": "one line", "other": "{{.Count}} lines of {{.file}}"}, "c": "x{{if .more}} and {{.more}}{{end}}"}`)},
		"de.json": {Data: []byte(`{"a": "Hallo {{.name}}."}`)},
	}
}

func TestSay(t *testing.T) {
	tests := []struct {
		name      string
		languages []string
		key       string
		args      locale.Args
		want      string
	}{
		{"an argument is put in", nil, "a", locale.Args{"name": "Ada"}, "Hello Ada."},
		{"a missing argument is empty", nil, "a", nil, "Hello ."},
		{"a template in an argument stays text", nil, "a", locale.Args{"name": "{{.name}}"}, "Hello {{.name}}."},
		{"markup in an argument stays as it is", nil, "a", locale.Args{"name": "<b>"}, "Hello <b>."},
		{"a condition without its argument", nil, "c", locale.Args{}, "x"},
		{"the language asked for", []string{"de-CH"}, "a", locale.Args{"name": "Ada"}, "Hallo Ada."},
		{"English where the language lacks the key", []string{"de"}, "b", nil, "only English"},
		{"English where the language is not there", []string{"fr"}, "a", locale.Args{"name": "Ada"}, "Hello Ada."},
		{"the key where nobody knows it", nil, "no.such", nil, "no.such"},
		{"a broken language name", []string{"!!"}, "b", nil, "only English"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, err := locale.Open(files(), tt.languages...)
			require.NoError(t, err)
			assert.Equal(t, tt.want, w.Say(tt.key, tt.args))
		})
	}
}

func TestCountChoosesThePlural(t *testing.T) {
	w, err := locale.Open(files())
	require.NoError(t, err)
	assert.Equal(t, "one line", w.Count("n", 1, nil))
	assert.Equal(t, "7 lines of go.mod", w.Count("n", 7, locale.Args{"file": "go.mod"}))
	assert.Equal(t, "0 lines of ", w.Count("n", 0, nil))
}

func TestOpenNeedsEnglishAndSoundFiles(t *testing.T) {
	_, err := locale.Open(fstest.MapFS{"de.json": {Data: []byte(`{"a":"b"}`)}})
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = locale.Open(fstest.MapFS{"en.json": {Data: []byte(`{"a":`)}})
	require.ErrorContains(t, err, "en.json")
}

func TestLanguages(t *testing.T) {
	tests := []struct {
		name string
		env  map[string]string
		want []string
	}{
		{"nothing set", nil, nil},
		{"LANG", map[string]string{"LANG": "de_CH.UTF-8"}, []string{"de-CH"}},
		{"LC_ALL outranks LANG", map[string]string{"LANG": "de_CH.UTF-8", "LC_ALL": "fr_FR@euro"}, []string{"fr-FR"}},
		{"LC_MESSAGES outranks LANG", map[string]string{"LANG": "de", "LC_MESSAGES": "it"}, []string{"it"}},
		{"C asks for nothing, whatever LANGUAGE says", map[string]string{"LC_ALL": "C.UTF-8", "LANGUAGE": "de"}, nil},
		{"LANGUAGE comes first", map[string]string{"LANG": "en_US", "LANGUAGE": "de:fr"}, []string{"de", "fr", "en-US"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, locale.Languages(func(k string) string { return tt.env[k] }))
		})
	}
}

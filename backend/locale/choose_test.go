package locale_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/locale"
)

func TestTheLanguageThatServesBestIsChosen(t *testing.T) {
	tags := []string{"ar", "de", "en", "es", "fr", "ja", "pt-BR", "zh-CN", locale.PseudoTag} // as the window has them
	for _, tt := range []struct {
		name   string
		wanted []string
		want   string
	}{
		{"nothing is asked", nil, "en"},
		{"the very one", []string{"de"}, "de"},
		{"a country of it", []string{"de-CH"}, "de"},
		{"Mexican Spanish", []string{"es-MX"}, "es"},
		{"Portuguese without a country", []string{"pt"}, "pt-BR"},
		{"Portuguese of Portugal", []string{"pt-PT"}, "pt-BR"},
		{"Chinese by script", []string{"zh-Hans"}, "zh-CN"},
		{"Chinese alone", []string{"zh"}, "zh-CN"},
		{"Singapore writes simplified", []string{"zh-SG"}, "zh-CN"},
		{"Egyptian Arabic", []string{"ar-EG"}, "ar"},
		{"the second, where the first is not there", []string{"fi", "fr-CA"}, "fr"},
		{"none that is there", []string{"fi"}, "en"},
		{"British English", []string{"en-GB", "de"}, "en"},
		{"the one that nobody speaks", []string{"en-XA"}, "en-XA"},
		{"nonsense, then one", []string{"../en", "ja"}, "ja"},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, locale.Choose(tags, tt.wanted...)) })
	}
}

func TestMessagesHaveEnglishBehindThem(t *testing.T) {
	files := fstest.MapFS{
		"en.json": {Data: []byte(`{"a": "one", "b": {"one": "x", "other": "y"}}`)},
		"de.json": {Data: []byte(`{"a": "eins"}`)},
	}
	tags, err := locale.Tags(files)
	require.NoError(t, err)
	assert.Equal(t, []string{"de", "en"}, tags)
	all, err := locale.Messages(files, "de")
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"a": "eins", "b": map[string]any{"one": "x", "other": "y"}}, all)
	_, err = locale.Messages(files, "fi")
	assert.Error(t, err)
}

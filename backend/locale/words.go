// Package locale finds the words for a key in the language of the user. The
// domain and the store hold keys and arguments only; sentences are made here and
// nowhere else.
//
// It reads the embedded files once, when opened. It never blocks, and Words is
// safe for use from several goroutines.
package locale

import (
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// Args are the named arguments of a sentence. They are put in as they are: text
// from an agent must be made harmless by whoever shows the sentence.
type Args = map[string]string

// Words says sentences in one language, with English behind it.
type Words struct{ say *i18n.Localizer }

// Open reads every LANGUAGE.json of files and prefers the first of the languages
// (BCP 47, "de-CH") that is there. English must be.
func Open(files fs.FS, languages ...string) (*Words, error) {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	names, err := fs.Glob(files, "*.json")
	if err != nil {
		return nil, fmt.Errorf("list languages: %w", err)
	}
	english := false
	for _, name := range names {
		if _, err := bundle.LoadMessageFileFS(files, name); err != nil {
			return nil, fmt.Errorf("read language %s: %w", name, err)
		}
		english = english || name == "en.json"
	}
	if !english {
		return nil, fmt.Errorf("read languages: %w: en.json", fs.ErrNotExist)
	}
	return &Words{say: i18n.NewLocalizer(bundle, append(languages, "en")...)}, nil
}

// Say gives the sentence of a key. An argument that is missing is empty. A key
// that has no sentence, which a test keeps from happening, is said itself.
func (w *Words) Say(key string, args Args) string {
	s, _ := w.find(&i18n.LocalizeConfig{MessageID: key, TemplateData: args})
	return s
}

// Count gives the sentence of a key in the plural form of n, which is its
// argument "Count".
func (w *Words) Count(key string, n int, args Args) string {
	all := Args{"Count": fmt.Sprint(n)}
	for k, v := range args {
		all[k] = v
	}
	s, _ := w.find(&i18n.LocalizeConfig{MessageID: key, TemplateData: all, PluralCount: n})
	return s
}

// Has reports whether a key has a sentence.
func (w *Words) Has(key string) bool {
	_, ok := w.find(&i18n.LocalizeConfig{MessageID: key, TemplateData: Args{}, PluralCount: 2})
	return ok
}

func (w *Words) find(c *i18n.LocalizeConfig) (string, bool) {
	c.TemplateParser = lenient{}
	s, err := w.say.Localize(c)
	if err != nil && s == "" {
		return c.MessageID, false
	}
	return s, true
}

package locale

import (
	"strings"
	"text/template"

	i18ntemplate "github.com/nicksnyder/go-i18n/v2/i18n/template"
)

// lenient parses sentences so that a missing argument is an empty text: hints
// have arguments that are not always known.
type lenient struct{}

// Cacheable lets the parsed form be kept.
func (lenient) Cacheable() bool { return true }

// Parse reads one sentence.
func (lenient) Parse(src, left, right string) (i18ntemplate.ParsedTemplate, error) {
	t, err := template.New("").Option("missingkey=zero").Delims(left, right).Parse(src)
	if err != nil {
		return nil, err
	}
	return parsed{t}, nil
}

type parsed struct{ t *template.Template }

// Execute puts the arguments in.
func (p parsed) Execute(data any) (string, error) {
	var b strings.Builder
	if err := p.t.Execute(&b, data); err != nil {
		return "", err
	}
	return b.String(), nil
}

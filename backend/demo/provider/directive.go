package provider

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// directive is a behaviour with its settings.
type directive struct {
	name string
	raw  string // as it was written, to count by
	kv   map[string]string
}

// findDirective returns the last directive in a text. A text without one, or one
// whose last directive has no name, gives false.
func findDirective(text string) (directive, bool) {
	all := directivePattern().FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return directive{}, false
	}
	d := parseDirective(all[len(all)-1][1])
	return d, d.name != ""
}

// directivePattern ends a directive at the first "]]" outside single quotes.
func directivePattern() *regexp.Regexp {
	return regexp.MustCompile(`\[\[fake:((?:[^'\]]|\][^\]']|'[^']*')*)\]\]`)
}

// parseDirective reads "NAME key=value key='two words'". A single quote opens
// and closes a stretch in which blanks are kept; there is no escape. A word
// without "=" is a key with an empty value.
func parseDirective(text string) directive {
	d := directive{raw: strings.TrimSpace(text), kv: map[string]string{}}
	for i, w := range words(text) {
		if i == 0 {
			d.name = w
			continue
		}
		k, v, _ := strings.Cut(w, "=")
		d.kv[k] = v
	}
	return d
}

func words(text string) []string {
	var all []string
	var cur strings.Builder
	quoted, some := false, false
	for _, r := range text {
		switch {
		case r == '\'':
			quoted, some = !quoted, true
		case !quoted && (r == ' ' || r == '\t' || r == '\n' || r == '\r'):
			if some {
				all = append(all, cur.String())
			}
			cur.Reset()
			some = false
		default:
			cur.WriteRune(r)
			some = true
		}
	}
	if some {
		all = append(all, cur.String())
	}
	return all
}

func (d directive) str(key, or string) string {
	if v, ok := d.kv[key]; ok {
		return v
	}
	return or
}

// num is a number between 0 and a million; anything else counts as not said.
func (d directive) num(key string, or int) int {
	n, err := strconv.Atoi(d.str(key, ""))
	if err != nil || n < 0 || n > 1_000_000 {
		return or
	}
	return n
}

// ms is a duration in milliseconds.
func (d directive) ms(key string, or int) time.Duration {
	return time.Duration(d.num(key, or)) * time.Millisecond
}

// as is the same directive under another name.
func (d directive) as(name string) directive {
	d.name = name
	return d
}

// with is the same directive with one more number.
func (d directive) with(key string, n int) directive {
	kv := map[string]string{key: strconv.Itoa(n)}
	for k, v := range d.kv {
		if k != key {
			kv[k] = v
		}
	}
	d.kv = kv
	return d
}

// forSide is what a side request gets: the behaviour of the key title, with the
// keys that begin with "title_".
func (d directive) forSide() directive {
	side := directive{name: d.str("title", "ok"), raw: d.raw, kv: map[string]string{"text": "Short title"}}
	for k, v := range d.kv {
		if k, ok := strings.CutPrefix(k, "title_"); ok {
			side.kv[k] = v
		}
	}
	return side
}

package window

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"turnwatch/backend/locale"
	"turnwatch/backend/settings"
)

// Settings is what the Settings screen may ask.
type Settings struct{ r *room }

var languageTag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$`)

// Get gives the user's settings. It needs no data, so a page has its words and
// its theme whatever is wrong with that.
func (s *Settings) Get() (Prefs, error) {
	if s.r.o.Settings == nil {
		return prefsOf(settings.Defaults()), nil
	}
	return prefsOf(s.r.o.Settings.Get()), nil
}

func prefsOf(v settings.Values) Prefs {
	return Prefs{Theme: string(v.Theme), Language: v.Language, Trusted: v.Trusted, Keep: new(Keep(v.Keep))}
}

// Set changes the settings. Of the trusted folders it can only take some away:
// trust is given by Trust alone.
func (s *Settings) Set(p Prefs) (Prefs, error) {
	if s.r.o.Settings == nil {
		return Prefs{}, &Error{Key: "error.unreachable"}
	}
	if p.Language != "" && !slices.Contains(s.r.languages(), p.Language) {
		return Prefs{}, wrong("language")
	}
	if !slices.Contains([]settings.Theme{settings.System, settings.Light, settings.Dark}, settings.Theme(p.Theme)) {
		return Prefs{}, wrong("theme")
	}
	if p.Keep != nil && settings.Keep(*p.Keep).Check() != nil {
		return Prefs{}, wrong("keep")
	}
	v, err := s.r.o.Settings.Change(func(v *settings.Values) {
		v.Theme, v.Language = settings.Theme(p.Theme), p.Language
		if p.Keep != nil {
			v.Keep = settings.Keep(*p.Keep)
		}
		v.Trusted = slices.DeleteFunc(v.Trusted, func(dir string) bool { return !slices.Contains(p.Trusted, dir) })
	})
	if err != nil {
		s.r.o.Log.Warn("settings could not be written", "err", err)
		return Prefs{}, &Error{Key: "error.settings_unwritten", Args: map[string]string{"dir": s.r.o.Dir}}
	}
	return prefsOf(v), nil
}

// Agents gives the agents of this machine: as they were last found, or with look
// after another look. It may take some seconds.
func (s *Settings) Agents(look bool) ([]Agent, error) {
	return answer(s.r, slowly, func(c call) ([]Agent, error) {
		if look {
			return c.agents.fill(c.ctx, c.core), nil
		}
		select {
		case <-c.agents.first:
		case <-c.ctx.Done():
			return nil, c.ctx.Err()
		}
		list, _ := c.agents.now()
		return list, nil
	})
}

// Words gives every sentence of a language by its key: a text, or an object of
// plural forms. What the language lacks is English. "" is the system's language.
func (s *Settings) Words(language string) (map[string]any, error) {
	if language != "" && !languageTag.MatchString(language) {
		return nil, wrong("language")
	}
	if s.r.o.Words == nil {
		return nil, &Error{Key: "error.unreachable"}
	}
	out, err := s.r.messages("en")
	if err != nil {
		return nil, failed(s.r.o.Log, err)
	}
	wanted := []string{language}
	if language == "" {
		wanted = s.r.o.Languages
	}
	for _, tag := range wanted {
		if tag == locale.PseudoTag {
			return locale.Pseudo(out), nil
		}
		for _, name := range []string{tag, strings.Split(tag, "-")[0]} {
			more, err := s.r.messages(name)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, failed(s.r.o.Log, err)
			}
			for k, v := range more {
				out[k] = v
			}
			return out, nil
		}
	}
	return out, nil
}

func (r *room) messages(language string) (map[string]any, error) {
	raw, err := fs.ReadFile(r.o.Words, language+".json")
	if err != nil {
		return nil, fmt.Errorf("read language: %w", err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, fmt.Errorf("read language %s: %w", language, err)
	}
	return out, nil
}

// languages lists what Words knows.
func (r *room) languages() []string {
	if r.o.Words == nil {
		return nil
	}
	names, err := fs.Glob(r.o.Words, "*.json")
	if err != nil {
		return nil
	}
	var out []string
	for _, n := range names {
		out = append(out, strings.TrimSuffix(path.Base(n), ".json"))
	}
	return append(out, locale.PseudoTag)
}

// About says what this program is.
func (s *Settings) About() (About, error) {
	return About{Version: s.r.o.Version, Licence: "Apache-2.0", DataDir: s.r.o.Dir, Languages: s.r.languages()}, nil
}

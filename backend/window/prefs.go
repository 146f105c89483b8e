package window

import (
	"regexp"
	"runtime"
	"slices"

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
		v := settings.Defaults()
		return Prefs{Theme: string(v.Theme), Trusted: v.Trusted, Commands: v.Commands, Keep: new(Keep(v.Keep))}, nil
	}
	return prefsOf(s.r.o.Settings), nil
}

func prefsOf(s *settings.Store) Prefs {
	v := s.Get()
	return Prefs{
		Theme: string(v.Theme), Language: v.Language, Trusted: v.Trusted, Commands: v.Commands, Keep: new(Keep(v.Keep)),
		File: s.File(), Trouble: troubleOf(s.Trouble()),
	}
}

// Set changes the settings. Of the trusted folders and the allowed commands it can
// only take some away: they are given by Trust and by New alone.
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
	_, err := s.r.o.Settings.Change(func(v *settings.Values) {
		v.Theme, v.Language = settings.Theme(p.Theme), p.Language
		if p.Keep != nil {
			v.Keep = settings.Keep(*p.Keep)
		}
		v.Trusted = slices.DeleteFunc(v.Trusted, func(dir string) bool { return !slices.Contains(p.Trusted, dir) })
		if p.Commands != nil {
			v.Commands = slices.DeleteFunc(v.Commands, func(line string) bool { return !slices.Contains(p.Commands, line) })
		}
	})
	if err != nil {
		s.r.o.Log.Warn("settings could not be written", "err", err)
		return Prefs{}, &Error{Key: "error.settings_unwritten", Args: map[string]string{"dir": s.r.o.Dir}}
	}
	return prefsOf(s.r.o.Settings), nil
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

// Words gives every sentence of the language that serves best who wants this one.
// "" is the system's language.
func (s *Settings) Words(language string) (Vocabulary, error) {
	if language != "" && !languageTag.MatchString(language) {
		return Vocabulary{}, wrong("language")
	}
	if s.r.o.Words == nil {
		return Vocabulary{}, &Error{Key: "error.unreachable"}
	}
	wanted := []string{language}
	if language == "" {
		wanted = s.r.o.Languages
	}
	tag := locale.Choose(s.r.languages(), wanted...)
	all, err := locale.Messages(s.r.o.Words, tag)
	if err != nil {
		return Vocabulary{}, failed(s.r.o.Log, err)
	}
	return Vocabulary{Tag: tag, Messages: all}, nil
}

// languages lists what Words knows.
func (r *room) languages() []string {
	if r.o.Words == nil {
		return nil
	}
	tags, err := locale.Tags(r.o.Words)
	if err != nil {
		return nil
	}
	return append(tags, locale.PseudoTag)
}

// About says what this program is.
func (s *Settings) About() (About, error) {
	return About{
		Version: s.r.o.Version, Licence: "Apache-2.0", DataDir: s.r.o.Dir, Languages: s.r.languages(),
		System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(),
	}, nil
}

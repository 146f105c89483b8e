package settings

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Theme is light, dark, or what the system says.
type Theme string

// Themes.
const (
	System Theme = "system"
	Light  Theme = "light"
	Dark   Theme = "dark"
)

// Values are all settings. The zero value is not valid; begin with Defaults.
type Values struct {
	Theme    Theme    `json:"theme"`
	Language string   `json:"language"` // a BCP 47 tag; "" for the system's
	Trusted  []string `json:"trusted"`  // folders, absolute, links resolved
	Commands []string `json:"commands"` // command lines of the user's that were allowed once
	Keep     Keep     `json:"keep"`
	Desktop  Desktop  `json:"desktop"`
	Auto     Auto     `json:"auto"`
	Window   *Place   `json:"window,omitempty"` // where it stood when it was closed
}

// Place is where the window stands, in pixels of the desktop.
type Place struct {
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximised bool `json:"maximised"`
}

// Defaults are the values where there is no file.
func Defaults() Values {
	return Values{Theme: System, Trusted: []string{}, Commands: []string{}, Keep: keepDefaults(), Desktop: desktopDefaults(), Auto: autoDefaults()}
}

// Bounds of what may be set.
const (
	mostEntries = 10_000
	longestPath = 4096
	farthest    = 1 << 16
)

var tag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$`)

// Check says what is wrong with values, as a *Fault with words for a log; nil
// where nothing is.
func (v Values) Check() error {
	for _, each := range []struct {
		name string
		err  error
	}{
		{"theme", v.Theme.check()},
		{"language", v.checkLanguage()},
		{"trusted", v.checkTrusted()},
		{"commands", v.checkCommands()},
		{"desktop", v.Desktop.Check()},
		{"keep", v.Keep.Check()},
		{"auto", v.Auto.Check()},
		{"window", v.Window.check()},
	} {
		if each.err != nil {
			return &Fault{Slip: BadValue, Name: each.name, Err: each.err}
		}
	}
	return nil
}

func (t Theme) check() error {
	if !slices.Contains([]Theme{System, Light, Dark}, t) {
		return fmt.Errorf("theme is system, light or dark, not %q", t)
	}
	return nil
}

func (v Values) checkLanguage() error {
	if v.Language != "" && !tag.MatchString(v.Language) {
		return fmt.Errorf("language is a tag like en or de-CH, not %q", v.Language)
	}
	return nil
}

func (v Values) checkTrusted() error {
	if len(v.Trusted) > mostEntries {
		return fmt.Errorf("trusted holds at most %d entries", mostEntries)
	}
	for _, dir := range v.Trusted {
		if !filepath.IsAbs(dir) || len(dir) > longestPath || strings.ContainsRune(dir, 0) {
			return fmt.Errorf("trusted holds absolute folders, not %q", dir)
		}
	}
	return nil
}

func (v Values) checkCommands() error {
	if len(v.Commands) > mostEntries {
		return fmt.Errorf("commands holds at most %d entries", mostEntries)
	}
	for _, c := range v.Commands {
		if strings.TrimSpace(c) == "" || len(c) > longestPath {
			return fmt.Errorf("commands holds command lines of at most %d bytes, none empty", longestPath)
		}
	}
	return nil
}

func (p *Place) check() error {
	if p != nil && (p.Width < 1 || p.Height < 1 || max(abs(p.X), abs(p.Y), p.Width, p.Height) > farthest) {
		return fmt.Errorf("window is no place on a desktop: %+v", *p)
	}
	return nil
}

func abs(n int) int { return max(n, -n) }

// clone copies values, so that no two holders share a slice.
func (v Values) clone() Values {
	v.Trusted = append([]string{}, v.Trusted...)
	v.Commands = append([]string{}, v.Commands...)
	v.Auto = v.Auto.clone()
	if v.Window != nil {
		p := *v.Window
		v.Window = &p
	}
	return v
}

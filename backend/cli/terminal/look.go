package terminal

import (
	"os"
	"runtime"
	"strings"

	"golang.org/x/term"
)

// Look is what may be used to draw.
type Look struct {
	Width   int  // columns to wrap at; 0 wraps nothing
	Color   bool // styles by escape sequences
	Live    bool // a line may be drawn again: a terminal that moves its cursor
	Unicode bool // signs beyond ASCII
}

// LookOf tells how to draw on a file. NO_COLOR and TERM=dumb are honoured; what
// is no terminal gets plain text, unwrapped.
func LookOf(f *os.File, getenv func(string) string) Look {
	l := Look{Unicode: unicodeWanted(getenv)}
	if !term.IsTerminal(int(f.Fd())) {
		return l
	}
	dumb := getenv("TERM") == "dumb"
	l.Live = !dumb
	l.Color = !dumb && getenv("NO_COLOR") == ""
	l.Width = widthOf(f)
	return l
}

// widthOf is the width of a terminal, 80 where it does not say.
func widthOf(f *os.File) int {
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil || w <= 0 {
		return 80
	}
	return max(w, 20)
}

func unicodeWanted(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(name); v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return runtime.GOOS != "linux"
}

// Style is a way to draw text.
type Style string

// Styles, as the parameters of SGR. None is plain.
const (
	None   Style = ""
	Bold   Style = "1"
	Dim    Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
	Cyan   Style = "36"
)

// paint puts a style around a text, if there are colours.
func (l Look) paint(s Style, text string) string {
	if !l.Color || s == None || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// signs are the marks beside a line.
type signs struct{ done, failed, stopped, now, todo, bar, more, ask string }

func (l Look) signs() signs {
	if l.Unicode {
		return signs{done: "✓", failed: "✗", stopped: "■", now: "▸", todo: "·", bar: "│", more: "…", ask: "?"}
	}
	return signs{done: "+", failed: "x", stopped: "#", now: ">", todo: "-", bar: "|", more: "...", ask: "?"}
}

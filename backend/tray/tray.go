package tray

import (
	"log/slog"
	"strings"
	"time"

	"turnwatch/backend/view"
)

// Options say what a Tray works with.
type Options struct {
	Say  func(view.Phrase) string // puts a phrase into words
	Act  func(Action)             // is told what the user clicks; may take its time
	Now  func() time.Time
	Log  *slog.Logger
	Name string // of the program
}

// words are the lines of the menu that are always there.
type words struct{ open, openTask, cancel, stop, quit, needs, running, capacity, more string }

func (o Options) words() words {
	say := func(key string) string { return o.Say(view.Phrase{Key: key}) }
	return words{
		open: say("tray.open"), openTask: say("tray.open_task"), cancel: say("tray.cancel"), stop: say("tray.stop"), quit: say("tray.quit"),
		needs: say("tray.list_needs"), running: say("tray.list_running"), capacity: say("tray.list_capacity"), more: say("tray.more"),
	}
}

// tooltip is how things stand, in one line.
func (o Options) tooltip(m Model) string {
	lines := make([]string, 0, len(m.Tip))
	for _, p := range m.Tip {
		lines = append(lines, o.Say(p))
	}
	return strings.Join(lines, " · ")
}

// label is the line of one task.
func (o Options) label(e Entry) string {
	title := e.Title
	if title == "" {
		title = o.Say(view.Phrase{Key: "notify.untitled"})
	}
	if e.Detail.Key == "" {
		return title
	}
	return title + " · " + view.Tidy(o.Say(e.Detail), longestDetail)
}

// longestDetail is how many characters stand behind a title.
const longestDetail = 60

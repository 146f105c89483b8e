package locale

import (
	"maps"
	"strconv"
	"time"
)

// moments are the arguments that are times, in milliseconds since 1970 UTC.
var moments = []string{"reset", "time", "next"}

// When says a moment as it stands within a sentence: its clock time in the given
// form, with the day where that is not now's, and the small words that a language
// puts before either. The zero now is never the day.
func (w *Words) When(at, now time.Time, clock string) string {
	if y, d := at.Year(), at.YearDay(); y == now.Year() && d == now.YearDay() {
		return w.Say("moment.today", Args{"time": at.Format(clock)})
	}
	return w.Say("moment.day", Args{"day": at.Format(time.DateOnly), "time": at.Format(clock)})
}

// Tell says a sentence outside the page: times among its arguments become times of
// the user's clock, with the day where that is not now's, and a Count chooses the
// plural form.
func (w *Words) Tell(key string, args Args, now time.Time) string {
	if key == "" {
		return ""
	}
	all := maps.Clone(args)
	for _, name := range moments {
		n, err := strconv.ParseInt(all[name], 10, 64)
		if err != nil {
			continue
		}
		all[name] = w.When(time.UnixMilli(n).In(now.Location()), now, "15:04")
	}
	if n, err := strconv.Atoi(all["Count"]); err == nil {
		return w.Count(key, n, all)
	}
	return w.Say(key, all)
}

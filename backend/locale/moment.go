package locale

import (
	"maps"
	"strconv"
	"time"
)

// moments are the arguments that are times, in milliseconds since 1970 UTC.
var moments = []string{"reset", "time", "next"}

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
		at := time.UnixMilli(n).In(now.Location())
		if y, d := at.Year(), at.YearDay(); y == now.Year() && d == now.YearDay() {
			all[name] = at.Format("15:04")
		} else {
			all[name] = at.Format("2006-01-02 15:04")
		}
	}
	if n, err := strconv.Atoi(all["Count"]); err == nil {
		return w.Count(key, n, all)
	}
	return w.Say(key, all)
}

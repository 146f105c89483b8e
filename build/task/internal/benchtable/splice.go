package benchtable

import (
	"errors"
	"strings"
)

// The lines of a document between which the table stands.
const (
	Begin = "<!-- bench:begin -->"
	End   = "<!-- bench:end -->"
)

// ErrNoPlace means that a document does not have the two lines, once each and in
// order.
var ErrNoPlace = errors.New("the lines " + Begin + " and " + End + " are not there, once each and in this order")

// Splice puts a table in the place of what stands between the two lines of a
// document. All else stays as it is.
func Splice(document, table string) (string, error) {
	before, rest, found := strings.Cut(document, Begin)
	if !found {
		return "", ErrNoPlace
	}
	_, after, found := strings.Cut(rest, End)
	if !found || strings.Contains(after, End) || strings.Contains(rest, Begin) || strings.Contains(before, End) {
		return "", ErrNoPlace
	}
	return before + Begin + "\n" + strings.TrimRight(table, "\n") + "\n" + End + after, nil
}

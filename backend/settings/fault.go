package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// Slip says in which way a file is wrong.
type Slip string

// Slips.
const (
	BadSyntax   Slip = "syntax" // it is no JSON object
	BadName     Slip = "name"   // there is no setting of this name
	BadValue    Slip = "value"  // a setting has a value that it cannot have
	TooLarge    Slip = "large"  // it is larger than 4 MiB
	Unreadable  Slip = "unread" // it is there and cannot be read
	longestName      = 64       // runes of a name that is told
)

// Fault is why the file of settings is not in force. It is an ErrBroken unless
// the file could not be read at all.
type Fault struct {
	Slip Slip
	Line int    // where it is, from 1; 0 where that is not known
	Name string // the setting; "" where that is not known
	Last bool   // the last good values are in force in its place, else the usual ones
	Err  error
}

func (f *Fault) Error() string { return f.Err.Error() }

func (f *Fault) Unwrap() []error {
	if f.Slip == Unreadable {
		return []error{f.Err}
	}
	return []error{ErrBroken, f.Err}
}

// decoded tells what a decoder did not understand.
func decoded(raw []byte, err error) *Fault {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	f := &Fault{Slip: BadSyntax, Err: err}
	switch {
	case errors.As(err, &syntax):
		f.Line = lineAt(raw, syntax.Offset)
	case errors.As(err, &kind):
		f.Line, f.Name = lineAt(raw, kind.Offset), named(kind.Field)
		if f.Name != "" {
			f.Slip = BadValue
		}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		f.Line = lineAt(raw, int64(len(raw)))
	default:
		// The library names an unknown field in its text alone.
		if _, name, ok := strings.Cut(err.Error(), "unknown field "); ok {
			f.Slip, f.Name = BadName, named(strings.Trim(name, `"`))
			f.Line = lineAt(raw, int64(bytes.Index(raw, []byte(name))+1))
		}
	}
	return f
}

// lineAt is the line of the byte before an offset; 0 where there is none.
func lineAt(raw []byte, offset int64) int {
	if offset < 1 || offset > int64(len(raw)) {
		return 0
	}
	return 1 + bytes.Count(raw[:offset-1], []byte("\n"))
}

// named is a name that may be told: short, and without anything that is not seen.
func named(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x2000 && r < 0x2070 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	if all := []rune(name); len(all) > longestName {
		return string(all[:longestName])
	}
	return name
}

package proc

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEnviron(t *testing.T) {
	for _, row := range []struct {
		name  string
		base  []string
		set   map[string]string
		unset []string
		want  []string
	}{
		{"as it is", []string{"B=2", "A=1"}, nil, nil, []string{"B=2", "A=1"}},
		{"the last counts", []string{"A=1", "B=2", "A=3"}, nil, nil, []string{"B=2", "A=3"}},
		{"set", []string{"A=1", "B=2"}, map[string]string{"A": "x", "C": ""}, nil, []string{"B=2", "A=x", "C="}},
		{"unset", []string{"A=1", "B=2"}, nil, []string{"A", "nowhere"}, []string{"B=2"}},
		{"set counts against unset", []string{"A=1"}, map[string]string{"A": "2"}, []string{"A"}, []string{"A=2"}},
		{"a value with an equals sign", []string{"A=b=c"}, nil, nil, []string{"A=b=c"}},
		{"no entries", []string{"", "word", "="}, nil, nil, []string{}},
		{"a drive's folder", []string{`=C:=C:\x`}, nil, nil, []string{`=C:=C:\x`}},
		{"nothing", nil, nil, nil, []string{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			before := append([]string(nil), row.base...)
			assert.Equal(t, row.want, Environ(row.base, row.set, row.unset...))
			assert.Equal(t, before, row.base, "the base was changed")
		})
	}
}

func TestTheLaunchIDIsFoundAsAWholeEntryOnly(t *testing.T) {
	for _, row := range []struct {
		name, env string
		want      bool
	}{
		{"alone", "TURNWATCH_LAUNCH=abc\x00", true},
		{"among others", "A=1\x00TURNWATCH_LAUNCH=abc\x00B=2\x00", true},
		{"without a last NUL", "A=1\x00TURNWATCH_LAUNCH=abc", true},
		{"longer", "TURNWATCH_LAUNCH=abcd\x00", false},
		{"as a value", "A=TURNWATCH_LAUNCH=abc\x00", false},
		{"of another name", "XTURNWATCH_LAUNCH=abc\x00", false},
		{"empty", "", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			assert.Equal(t, row.want, holds([]byte(row.env), "abc"))
		})
	}
}

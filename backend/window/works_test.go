package window_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/about"
	"turnwatch/backend/window"
)

func TestWorks(t *testing.T) {
	n := about.Notices{
		Works: []about.Work{
			{Name: "a", Version: "1.0.0", Licence: "MIT", Texts: []string{"x", "y"}},
			{Name: "a", Version: "2.0.0", Licence: "ISC", Texts: []string{"y"}},
		},
		Texts: map[string]string{"x": "first", "y": "second"},
	}
	tests := []struct {
		name    string
		notices func() (about.Notices, error)
		works   int
		err     string
	}{
		{"of a package", func() (about.Notices, error) { return n, nil }, 2, ""},
		{"of a build from the sources", func() (about.Notices, error) { return about.Notices{}, about.ErrNoNotices }, 0, ""},
		{"nowhere", nil, 0, ""},
		{"that cannot be read", func() (about.Notices, error) { return about.Notices{}, errors.New("read notices in /usr/share: EOF") }, 0, "error.notices"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := window.New(window.Options{Notices: tt.notices, Log: slog.New(slog.DiscardHandler)})
			works, err := w.Settings.Works()
			if tt.err != "" {
				var e *window.Error
				require.ErrorAs(t, err, &e)
				assert.Equal(t, tt.err, e.Key)
				assert.Empty(t, e.Args, "paths stay in the log")
				return
			}
			require.NoError(t, err)
			assert.NotNil(t, works, "the page gets a list, if an empty one")
			assert.Len(t, works, tt.works)
			text, err := w.Settings.Licence("a", "1.0.0")
			if tt.works == 0 {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "first\n\nsecond", text)
			text, err = w.Settings.Licence("a", "2.0.0")
			require.NoError(t, err)
			assert.Equal(t, "second", text)
			for _, bad := range [][2]string{{"", ""}, {"b", "1.0.0"}, {"a", "3"}, {strings.Repeat("a", 1000), "1"}} {
				_, err = w.Settings.Licence(bad[0], bad[1])
				var e *window.Error
				require.ErrorAs(t, err, &e)
				assert.Equal(t, "error.argument", e.Key)
			}
		})
	}
}

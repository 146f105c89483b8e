package step_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"turnwatch/build/task/internal/step"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shown is what a console shows of one step that takes a while.
func shown(t *testing.T, o step.Options, takes time.Duration, fails error) string {
	t.Helper()
	var out bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		err := step.New(&out, o).Do(t.Context(), "weave", func(_ context.Context, log io.Writer) (string, error) {
			_, _ = fmt.Fprint(log, "first ")
			<-time.After(takes)
			_, _ = fmt.Fprint(log, "words\nlast words")
			return "a note", fails
		})
		require.Equal(t, fails, err)
	})
	return out.String()
}

func TestDo(t *testing.T) {
	torn := errors.New("the thread tore")
	tests := []struct {
		name    string
		options step.Options
		takes   time.Duration
		fails   error
		want    []string // lines; blanks are folded
	}{
		{"quiet when it works", step.Options{}, 2 * time.Second, nil, []string{"weave ok 2.0 s a note"}},
		{"everything when it fails", step.Options{}, 0, torn, []string{"first words", "last words", "weave FAILED 0.0 s the thread tore"}},
		{"a sign of life every minute", step.Options{}, 150 * time.Second, nil, []string{"weave running 1m 00s", "weave running 2m 00s", "weave ok 2m 30s a note"}},
		{"verbose shows the words once", step.Options{Verbose: true}, 90 * time.Second, nil, []string{"--- weave", "first words", "last wordsweave ok 1m 30s a note"}},
		{"verbose shows them once when it fails", step.Options{Verbose: true}, 0, torn, []string{"--- weave", "first words", "last wordsweave FAILED 0.0 s the thread tore"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for line := range strings.Lines(shown(t, tt.options, tt.takes, tt.fails)) {
				got = append(got, strings.Join(strings.Fields(line), " "))
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestALiveLineIsRewritten(t *testing.T) {
	const clear = "\r\x1b[K"
	got := shown(t, step.Options{Live: true}, 2500*time.Millisecond, nil)
	parts := strings.Split(got, clear)
	require.Len(t, parts, 4, "%q", got)
	assert.Equal(t, []string{"weave …", "weave … 1.0 s", "weave … 2.0 s"}, parts[:3])
	assert.True(t, strings.HasPrefix(parts[3], "weave ") && strings.HasSuffix(parts[3], "a note\n"), "%q", parts[3])
}

func TestALineBreaksALiveOne(t *testing.T) {
	var out bytes.Buffer
	c := step.New(&out, step.Options{Live: true})
	require.NoError(t, c.Do(t.Context(), "weave", func(context.Context, io.Writer) (string, error) {
		c.Println("ok  \ta/package")
		return "", nil
	}))
	assert.True(t, strings.HasPrefix(out.String(), "weave …\r\x1b[Kok  \ta/package\nweave "), "%q", out.String())
}

package failure_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

// sample is a text as somebody saw it, and what it means.
type sample struct {
	Agent      agent.Kind  `json:"agent"`
	Channel    string      `json:"channel"`
	Text       string      `json:"text"`
	Code       *agent.Code `json:"code"`
	Retrying   bool        `json:"retrying"`
	ResetText  *string     `json:"reset_text"`
	Source     string      `json:"source"`
	OccurredAt time.Time   `json:"occurred_at"`
	ResetAt    *time.Time  `json:"reset_at"`
	RetryAfter *float64    `json:"retry_after_s"`
	HTTPStatus int         `json:"http_status"`
}

func (s sample) evidence() failure.Evidence {
	c, method := failure.ChannelOf(s.Channel)
	return failure.Evidence{
		Agent: s.Agent, Channel: c, Method: method, Text: s.Text,
		HTTPStatus: s.HTTPStatus, OccurredAt: s.OccurredAt,
	}
}

func readSamples(tb testing.TB, file string) []sample {
	tb.Helper()
	f, err := os.Open(file)
	require.NoError(tb, err)
	defer f.Close()
	var all []sample
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s sample
		require.NoError(tb, json.Unmarshal(lines.Bytes(), &s), lines.Text())
		if s.OccurredAt.IsZero() {
			s.OccurredAt = noon
		}
		all = append(all, s)
	}
	require.NoError(tb, lines.Err())
	return all
}

var noon = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)

// Texts that real agents and providers were seen to print, each with its source.
func TestReportedTexts(t *testing.T) {
	for _, file := range []string{"error_texts.jsonl", "reported.jsonl"} {
		for i, s := range readSamples(t, "testdata/"+file) {
			t.Run(fmt.Sprintf("%s/%02d_%s", file, i+1, s.Agent), func(t *testing.T) {
				got := failure.Classify(s.evidence())
				var want agent.Code
				if s.Code != nil {
					want = *s.Code
				}
				assert.Equal(t, want, got.Code, "%s by %s", s.Text, got.RuleID)
				assert.Equal(t, s.Retrying, got.Retrying, s.Text)
				if s.ResetAt == nil {
					assert.True(t, got.ResetAt.IsZero(), "%s: %s", s.Text, got.ResetAt)
				} else {
					assert.Equal(t, *s.ResetAt, got.ResetAt, s.Text)
				}
				if s.RetryAfter != nil {
					assert.Equal(t, *s.RetryAfter, got.RetryAfter.Seconds(), s.Text)
				}
			})
		}
	}
}

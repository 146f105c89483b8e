package window

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/history"
	"turnwatch/backend/locale"
	"turnwatch/locales"
)

func TestATreeOfProcessesIsIndentedAndBoundToItsParents(t *testing.T) {
	p := func(pid, parent int) core.Process { return core.Process{PID: pid, Parent: parent} }
	tree := treeOf(core.Processes{List: []core.Process{p(7, 1), p(8, 7), p(9, 8), p(10, 7), p(11, 4242)}})
	var depths []int
	for _, n := range tree.List {
		depths = append(depths, n.Depth)
	}
	assert.Equal(t, []int{0, 1, 2, 1, 0}, depths, "one whose parent is not in the list stands at the edge")
}

func TestWhatEarlierRunsDidIsSaidInWords(t *testing.T) {
	words, err := locale.Open(locales.Files, "en")
	require.NoError(t, err)
	phrase := vitalsOf(core.Vitals{Earlier: core.Earlier{Tool: "bash", Runs: 41, Longest: 12 * time.Minute}}).Earlier
	assert.Equal(t, "720000", phrase.Args["longest_ms"])
	phrase.Args["longest"] = "12 min"
	assert.Equal(t, "In 41 earlier runs, bash was quiet for up to 12 min and then finished.", words.Count(phrase.Key, 41, phrase.Args))
	assert.Equal(t, Phrase{}, vitalsOf(core.Vitals{Earlier: core.Earlier{Tool: "bash"}}).Earlier, "no run, nothing to say")
}

func TestANoticeNamesOnlyKindsThatHaveAWord(t *testing.T) {
	n := noticePhrase(agent.Notice{Kind: agent.NoticeQuiet, Args: map[string]string{"kind": "rm -rf /"}})
	assert.Equal(t, Phrase{Key: "notice.quiet", Args: map[string]string{"kind": "other"}}, n)
}

func TestSilenceIsToldOnlyOfATurnThatIsWaitedFor(t *testing.T) {
	ended := &history.TurnEnd{Outcome: agent.Cancelled}
	for _, row := range []struct {
		name  string
		kinds []string
		end   *history.TurnEnd
		want  string
	}{
		{"quiet while it runs", []string{agent.NoticeQuiet}, nil, agent.NoticeQuiet},
		{"quiet, then settled", []string{agent.NoticeQuiet}, ended, ""},
		{"looping, then settled", []string{agent.NoticeLooping}, ended, ""},
		{"ended without output, after it was quiet", []string{agent.NoticeQuiet, agent.NoticeEmpty}, ended, agent.NoticeEmpty},
		{"not stopped, after it was quiet", []string{string(agent.CancelNotStopped), agent.NoticeQuiet}, ended, string(agent.CancelNotStopped)},
	} {
		t.Run(row.name, func(t *testing.T) {
			var all []history.Notice
			for _, kind := range row.kinds {
				all = append(all, history.Notice{Generation: 3, Notice: agent.Notice{Kind: kind}})
			}
			got := notice(history.Turn{Generation: 3, End: row.end}, all)
			if row.want == "" {
				assert.Nil(t, got)
				return
			}
			require.NotNil(t, got)
			assert.Equal(t, row.want, got.Kind)
		})
	}
}

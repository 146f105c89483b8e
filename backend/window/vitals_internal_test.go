package window

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
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

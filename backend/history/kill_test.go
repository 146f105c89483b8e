package history_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// rounds of kill -9; TURNWATCH_KILLS asks for more.
func kills(t *testing.T) int {
	if s := os.Getenv("TURNWATCH_KILLS"); s != "" {
		n, err := strconv.Atoi(s)
		require.NoError(t, err)
		return n
	}
	return 20
}

// A program that is killed while it writes loses nothing that it was told is
// stored: not a part, not a prompt, not an outcome. All rounds go on in one
// folder, so that each finds what the ones before have left.
func TestKillLosesNothingThatWasStored(t *testing.T) {
	dir := t.TempDir()
	const seed = 7
	rnd := rand.New(rand.NewPCG(seed, seed))
	for round := range kills(t) {
		o := startOther(t, "stream", dir)
		id := agent.SessionID(strings.TrimPrefix(o.until(t, "session "), "session "))
		lines := rnd.IntN(1500)
		var said []string
		for len(said) < lines && o.lines.Scan() {
			said = append(said, o.lines.Text())
		}
		require.NoError(t, o.cmd.Process.Kill())
		for o.lines.Scan() { // what it had said before it died
			said = append(said, o.lines.Text())
		}
		_ = o.cmd.Wait()
		require.GreaterOrEqual(t, len(said), lines, "round %d", round)
		checkSaid(t, dir, id, said)
	}
}

// checkSaid opens the history as the next program does and looks for everything
// that was said to be stored.
func checkSaid(t *testing.T, dir string, id agent.SessionID, said []string) {
	t.Helper()
	s, opened := mustOpen(t, history.Options{Dir: dir})
	defer s.Close(t.Context())
	require.Empty(t, opened.SetAside)
	parts, prompts, turns, settled := 0, 0, 0, 0
	for _, line := range said {
		word, number, _ := strings.Cut(line, " ")
		n, _ := strconv.Atoi(strings.TrimPrefix(number, "q"))
		switch word {
		case "part":
			parts = n
		case "prompt":
			prompts = n
		case "turn":
			turns = n
		case "settled":
			settled = n
		}
	}
	snap, err := s.Restore(t.Context(), id)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, int(snap.Session.LastSeq), parts)
	assert.GreaterOrEqual(t, len(snap.Queue), prompts)
	assert.GreaterOrEqual(t, int(snap.Session.Generation), turns)
	assert.Nil(t, snap.Open, "a turn of the dead is still open")
	assert.Empty(t, snap.Session.Owner.ID)
	all, err := s.Turns(t.Context(), id, 0, 500)
	require.NoError(t, err)
	for _, turn := range all {
		require.NotNil(t, turn.End)
		if int(turn.Generation) <= settled {
			assert.Equal(t, agent.Completed, turn.End.Outcome)
		}
	}
	for seq := 1; seq <= int(snap.Session.LastSeq); {
		page, err := s.Parts(t.Context(), history.PartQuery{Session: id, From: uint64(seq), Limit: 1000})
		require.NoError(t, err)
		for _, p := range page {
			require.Equal(t, fmt.Sprintf("%d:some text and more", seq), fmt.Sprintf("%d:%s", p.Seq, p.Text))
			seq++
		}
	}
}

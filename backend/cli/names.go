package cli

import (
	"slices"

	"turnwatch/backend/agent"
)

// kinds are the agents that can be run by name alone.
func kinds() []agent.Kind {
	return []agent.Kind{
		agent.OpenCode, agent.Claude, agent.Codex, agent.Gemini, agent.Copilot,
		agent.Qwen, agent.Kimi, agent.Cursor, agent.Amp, agent.Goose, agent.Demo,
	}
}

func names() []string {
	var list []string
	for _, k := range kinds() {
		list = append(list, string(k))
	}
	return list
}

func known(k agent.Kind) bool { return slices.Contains(kinds(), k) }

// near is the agent whose name is closest to what was typed, "" where none is.
func near(typed string) string {
	best, least := "", 2 // more than one slip in a short word makes another
	if len(typed) >= 6 {
		least = 3
	}
	for _, name := range names() {
		if d := slips(typed, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// slips counts the single letters to change, add or leave out between two words.
func slips(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

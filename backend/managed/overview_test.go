package managed

import (
	"fmt"
	"strings"
)

// overview is the table of all recordings: what Turnwatch shows, after how long,
// and what the agent itself said at the end.
type overview struct{ rows []string }

func newOverview() *overview { return &overview{} }

func (o *overview) add(folder, scenario string, s *player) {
	shown, after := s.last, fmt.Sprintf("%.1f s", s.after.Seconds())
	if shown == "" {
		shown, after = "nothing", ""
	}
	if strings.HasPrefix(shown, "not opened") {
		after = ""
	}
	retries := 0
	for _, line := range s.said {
		if strings.Contains(line, "  retries, attempt ") {
			retries++
		}
	}
	announced := ""
	if retries > 0 {
		announced = fmt.Sprint(retries)
	}
	o.rows = append(o.rows, fmt.Sprintf("| %s | %s | %s | %s | %s | %s |", folder, scenario, announced, shown, after, s.itself()))
}

// itself is what the agent answered to its last prompt.
func (s *player) itself() string {
	said := "nothing"
	for _, r := range s.rows {
		switch {
		case r.Dir != "<" || r.Msg.Method != "":
		case r.Msg.Error != nil:
			said = "error " + string(r.Msg.Error.Code)
		case strings.Contains(string(r.Msg.Result), `"stopReason":"end_turn"`):
			said = "end_turn"
		case strings.Contains(string(r.Msg.Result), `"stopReason":"cancelled"`):
			said = "cancelled, when asked to"
		}
	}
	return said
}

func (o *overview) String() string {
	return `# Recordings of real agents

Each file is what one agent sent and was sent during a prompt, against a provider that fails on command; times are in
milliseconds. Ids, paths and long texts are replaced or cut. Beside each stands what Turnwatch makes of it, line by line:
the test replays the frames through the agent's adapter and the turn machine at the recording's own times (lines of
stderr have none; they come right behind the prompt). Run the test with ` + "`-update`" + ` to write them and this table
anew, and look at every change.

The table shows what the user is told first and after how long, next to what the agent itself answered.

| agent | scenario | retries told | Turnwatch shows | after | the agent answers |
|---|---|---|---|---|---|
` + strings.Join(o.rows, "\n") + "\n"
}

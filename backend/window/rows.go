package window

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/failure"
	"turnwatch/backend/history"
	"turnwatch/backend/view"
)

// phases that the model of a turn does not know.
const opening = "opening"

// row makes the row of a task: what the history knows, and what is live on top.
func (d *desk) row(g history.Glance) Row {
	l := d.lives[g.Session]
	r := Row{
		Task: string(g.ID), Session: string(g.Session), Title: title(g), Agent: string(g.Kind), Name: core.NameOf(g.Kind),
		Dir: g.Dir, State: string(g.State), Phase: d.phase(g, l), Queued: g.Queued,
		Updated: ms(g.UpdatedAt), Away: !g.ArchivedAt.IsZero(),
	}
	if g.Outcome == "" {
		r.Started = ms(g.Started)
	}
	if a := g.Again; a != nil && r.Phase == string(view.Idle) {
		r.Again = &Again{At: ms(a.At), Try: a.Try, Most: a.Most}
	}
	r.Detail = detail(g, l, r.Phase)
	if l != nil && l.turn.Auto.Announced != nil && r.Again == nil {
		r.Detail = Phrase{Key: "row.auto", Args: map[string]string{"time": msText(l.turn.Auto.Announced.Due)}}
	}
	return r
}

// title is the user's, else the agent's, else the first line of the first prompt.
func title(g history.Glance) string {
	for _, s := range []string{g.Title, g.AgentTitle, g.First} {
		if s = firstLine(s, longestTitle); s != "" {
			return s
		}
	}
	return ""
}

// firstLine is the first line of a text that has anything on it, cut to so many
// bytes.
func firstLine(s string, most int) string {
	for l := range strings.Lines(s) {
		if l = strings.Join(strings.Fields(l), " "); l != "" {
			return cutText(l, most)
		}
	}
	return ""
}

// cutText cuts a text between characters and marks the cut.
func cutText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// phase is the rung of the evidence ladder, opening, or idle.
func (d *desk) phase(g history.Glance, l *live) string {
	up := false
	if v, ok := d.room.core.View(g.Session); ok {
		up = v.Up
	}
	switch {
	case l == nil || l.turn.Started.IsZero() || l.turn.End != nil:
		if l != nil && l.connecting && !up {
			return opening
		}
		if g.Turn > 0 && g.Outcome == "" && (l == nil || l.turn.Started.IsZero()) {
			return string(view.Working) // by another program
		}
		return string(view.Idle)
	case !up && l.turn.Phase() == view.Working && len(l.turn.Pieces()) <= 1:
		return opening
	}
	return string(l.turn.Phase())
}

// detail is the one phrase beside a task.
func detail(g history.Glance, l *live, phase string) Phrase {
	switch phase {
	case string(view.Asking):
		if len(l.turn.Asks) > 0 {
			return toolPhrase("row.asks", l.turn.Asks[0].Tool)
		}
	case string(view.Working):
		if l != nil {
			if open := topTool(l); open != nil {
				return toolPhrase("row.tool", open.Part.Tool)
			}
		}
		return Phrase{Key: "row.working"}
	case string(view.Retrying):
		return retry(l.turn.Retry)
	case string(view.Quiet):
		return Phrase{Key: "row.quiet"}
	case string(view.Stopping):
		return Phrase{Key: "row.cancelling"}
	case opening:
		return Phrase{Key: "row.opening"}
	}
	return atRest(g)
}

// atRest is the phrase of a task without an open turn.
func atRest(g history.Glance) Phrase {
	switch {
	case g.Again != nil:
		return Phrase{Key: "row.again", Args: map[string]string{
			"time": msText(g.Again.At), "try": strconv.Itoa(g.Again.Try), "most": strconv.Itoa(g.Again.Most),
		}}
	case g.Code == failure.QuotaLimited && !g.ResetAt.IsZero():
		return Phrase{Key: "row.reset", Args: map[string]string{"reset": msText(g.ResetAt)}}
	case g.Code != "" && g.Outcome == agent.Failed:
		return Phrase{Key: "failure." + string(g.Code)}
	case g.Held && g.Queued > 0:
		return Phrase{Key: "row.held", Args: map[string]string{"Count": strconv.Itoa(g.Queued)}}
	case g.Outcome != "" && g.Outcome != agent.Completed:
		return Phrase{Key: "outcome." + string(g.Outcome)}
	}
	return Phrase{}
}

// topTool is the most recently started top-level tool that is still open.
func topTool(l *live) *view.Piece {
	open := l.turn.OpenTools()
	for i := len(open) - 1; i >= 0; i-- {
		if open[i].Part.Tool.Parent == "" {
			return open[i]
		}
	}
	return nil
}

// toolPhrase names a tool, or else its kind.
func toolPhrase(key string, t agent.ToolCall) Phrase {
	if name := firstLine(view.ToolName(t), longestTitle); name != "" {
		return Phrase{Key: key, Args: map[string]string{"tool": name}}
	}
	return Phrase{Key: "kind." + kindOf(t.Kind)}
}

// kindOf folds kinds that have no word of their own.
func kindOf(kind string) string {
	switch kind {
	case "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode":
		return kind
	}
	return "other"
}

func retry(r *agent.RetryAnnounced) Phrase {
	args := map[string]string{"attempt": strconv.Itoa(r.Attempt)}
	if why := firstLine(r.Message, longestTitle); why != "" {
		args["why"] = why
	} else if r.Code != "" {
		args["code"] = string(r.Code) // the page says its sentence as the reason
	}
	if r.Next.IsZero() {
		return Phrase{Key: "retry.announced", Args: args}
	}
	args["time"] = msText(r.Next)
	return Phrase{Key: "retry.announced_until", Args: args}
}

// ms is a time as the page counts it; 0 for none.
func ms(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func msText(t time.Time) string { return strconv.FormatInt(ms(t), 10) }

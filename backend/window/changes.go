package window

import (
	"errors"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
	"turnwatch/backend/window/worktree"
)

// mostRows bounds what a turn changed, in lines.
const mostRows = 2000

// changes tells what a turn changed in the folder: by git where there is git, else
// what the agent reported.
func (c call) changes(id agent.SessionID, g agent.Generation) (Changes, error) {
	s, err := c.core.History().Session(c.ctx, id)
	if err != nil {
		return Changes{}, err
	}
	turn, err := c.core.History().Turn(c.ctx, id, g)
	if err != nil {
		return Changes{}, err
	}
	span, err := c.traces.span(c.ctx, id, g, s.Dir, turn.End == nil)
	if err == nil {
		var list []worktree.Change
		var cut bool
		if list, cut, err = c.traces.store.Compare(c.ctx, s.Dir, span.before, span.after); err == nil {
			return byGit(list, cut, span.note), nil
		}
	}
	if c.ctx.Err() != nil {
		return Changes{}, c.ctx.Err()
	}
	if !errors.Is(err, worktree.ErrNoGit) {
		c.o.Log.Info("changes could not be read from git", "session", id, "err", err)
	}
	return c.byAgent(id, g)
}

func byGit(list []worktree.Change, cut bool, note string) Changes {
	out := Changes{From: "git", Cut: cut}
	if note != "" {
		out.Note.Key = note
	}
	rows := mostRows
	for _, f := range list {
		d := Diff{Path: f.Path, New: f.Old == nil && !f.Odd}
		if f.Odd {
			out.Cut = true
			out.Files = append(out.Files, d)
			continue
		}
		v := agent.Diff{Path: f.Path, Old: f.Old}
		if f.New != nil {
			v.New = *f.New
		}
		out.add(v, &rows)
	}
	return out
}

// add puts one file behind the others, within the lines that are left.
func (c *Changes) add(v agent.Diff, rows *int) {
	d, cut := diffOf(v, *rows)
	for _, h := range d.Hunks {
		*rows -= len(h.Lines)
	}
	c.Files, c.Cut = append(c.Files, d), c.Cut || cut
}

// byAgent joins the changes that the tools of a turn reported: the first before
// and the last after of each file.
func (c call) byAgent(id agent.SessionID, g agent.Generation) (Changes, error) {
	parts, err := c.core.History().TurnParts(c.ctx, id, g, 5000)
	if err != nil && !errors.Is(err, history.ErrNotFound) {
		return Changes{}, err
	}
	out := Changes{From: "agent", Note: Phrase{Key: "changes.agent_only"}}
	var order []string
	by := map[string]agent.Diff{}
	for _, p := range parts {
		if p.Kind != agent.PartTool || p.Tool.Status == agent.ToolFailed {
			continue
		}
		for _, piece := range p.Tool.Content {
			if piece.Diff == nil {
				continue
			}
			d := *piece.Diff
			if first, seen := by[d.Path]; seen {
				d.Old = first.Old
			} else {
				order = append(order, d.Path)
			}
			by[d.Path] = d
		}
	}
	rows := mostRows
	for _, path := range order {
		out.add(by[path], &rows)
	}
	return out, nil
}

package tray_test

import (
	"fmt"
	"image/color"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/tray"
	"turnwatch/backend/view"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func working(id string) view.Brief {
	return view.Brief{Task: agent.TaskID(id), Session: agent.SessionID("s" + id), Title: "Task " + id, Agent: "Demo", State: agent.TaskRunning, Phase: "working", Detail: view.Phrase{Key: "row.working"}}
}

func asking(id string) view.Brief {
	b := working(id)
	b.Phase, b.Ask, b.Detail = "asks", "1", view.Phrase{Key: "row.asks"}
	return b
}

func failed(id string) view.Brief {
	b := working(id)
	b.Phase, b.State, b.Ended = "idle", agent.TaskNeedsYou, view.Ending{Outcome: agent.Failed, Code: failure.AuthRequired}
	b.Detail = view.Phrase{Key: "failure.auth_required"}
	return b
}

func limited(id string, reset time.Time) view.Brief {
	b := failed(id)
	b.Ended = view.Ending{Outcome: agent.Failed, Code: failure.QuotaLimited, Reset: reset}
	b.Detail = view.Phrase{Key: "row.reset"}
	return b
}

func done(id string) view.Brief {
	b := working(id)
	b.Phase, b.State, b.Ended = "idle", agent.TaskDone, view.Ending{Outcome: agent.Completed}
	return b
}

func TestTheModel(t *testing.T) {
	later, earlier := noon.Add(time.Hour), noon.Add(-time.Hour)
	tests := []struct {
		name                     string
		tasks                    []view.Brief
		state                    tray.State
		tip                      []string
		needs, running, capacity []string
	}{
		{"nothing", nil, tray.Idle, []string{"tray.idle"}, nil, nil, nil},
		{"what is done is quiet", []view.Brief{done("a")}, tray.Idle, []string{"tray.idle"}, nil, nil, nil},
		{"running", []view.Brief{working("a"), done("b"), working("c")}, tray.Running, []string{"tray.running 2"}, nil, []string{"a row.working", "c row.working"}, nil},
		{"asks", []view.Brief{working("a"), asking("b")}, tray.Needs, []string{"tray.needs 1", "tray.running 1"}, []string{"b row.asks"}, []string{"a row.working"}, nil},
		{"failed", []view.Brief{failed("a")}, tray.Needs, []string{"tray.needs 1"}, []string{"a failure.auth_required"}, nil, nil},
		{"limited", []view.Brief{limited("a", later)}, tray.Limited, []string{"tray.limited 1"}, nil, nil, []string{"a row.reset"}},
		{"limited, reset unknown", []view.Brief{limited("a", time.Time{})}, tray.Limited, []string{"tray.limited 1"}, nil, nil, []string{"a row.reset"}},
		{"limited beside work", []view.Brief{limited("a", later), working("b")}, tray.Running, []string{"tray.running 1", "tray.limited 1"}, nil, []string{"b row.working"}, []string{"a row.reset"}},
		{"capacity is back", []view.Brief{limited("a", earlier)}, tray.Needs, []string{"tray.needs 1"}, []string{"a notify.capacity_back"}, nil, nil},
	}
	list := func(entries []tray.Entry) []string {
		var out []string
		for _, e := range entries {
			assert.Equal(t, "s"+string(e.Task), string(e.Session))
			out = append(out, string(e.Task)+" "+e.Detail.Key)
		}
		return out
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := tray.Of(view.Summary{Tasks: tt.tasks}, noon)
			assert.Equal(t, tt.state, m.State)
			var tip []string
			for _, p := range m.Tip {
				s := p.Key
				if n := p.Args["Count"]; n != "" {
					s += " " + n
				}
				tip = append(tip, s)
			}
			assert.Equal(t, tt.tip, tip)
			assert.Equal(t, tt.needs, list(m.Needs))
			assert.Equal(t, tt.running, list(m.Running))
			assert.Equal(t, tt.capacity, list(m.Capacity))
		})
	}
}

func TestAMenuHasAnEnd(t *testing.T) {
	var s view.Summary
	for i := range 30 {
		s.Tasks = append(s.Tasks, working(fmt.Sprint(i)))
	}
	m := tray.Of(s, noon)
	assert.Len(t, m.Running, 8)
	assert.Equal(t, 22, m.More)
	assert.Equal(t, "30", m.Tip[0].Args["Count"], "all are counted")
}

func TestTheModelChangesWhenALimitEnds(t *testing.T) {
	s := view.Summary{Tasks: []view.Brief{limited("a", noon.Add(2*time.Hour)), limited("b", noon.Add(time.Hour)), limited("c", noon.Add(-time.Hour)), working("d")}}
	assert.Equal(t, noon.Add(time.Hour), tray.Next(s, noon))
	assert.True(t, tray.Next(s, noon.Add(3*time.Hour)).IsZero())
}

func TestAutomationThatCanBeStoppedIsShown(t *testing.T) {
	for _, on := range []bool{true, false} {
		assert.Equal(t, on, tray.Of(view.Summary{Automation: on}, noon).Automation)
	}
}

func TestLeaving(t *testing.T) {
	tests := []struct {
		name                string
		asked, host, wished bool
		running             int
		want                tray.Leave
	}{
		{"closed where a host shows the icon", false, true, true, 2, tray.Hide},
		{"closed, the user does not want the tray", false, true, false, 0, tray.Go},
		{"closed, not wanted, turns run", false, true, false, 1, tray.Ask},
		{"closed where nobody shows it", false, false, true, 0, tray.Go},
		{"closed where nobody shows it, turns run", false, false, true, 3, tray.Ask},
		{"quit", true, true, true, 0, tray.Go},
		{"quit while turns run", true, true, true, 1, tray.Ask},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, tray.Leaving(tt.asked, tt.host, tt.wished, tt.running))
		})
	}
}

func states() []tray.State { return []tray.State{tray.Idle, tray.Limited, tray.Running, tray.Needs} }

// An icon must be seen on a light and on a dark panel, and be told from the others
// without its colour.
func TestIconsAreSeenAndToldApart(t *testing.T) {
	shapes := map[string]tray.State{}
	for _, s := range states() {
		img := tray.Picture(s)
		for name, panel := range map[string]color.NRGBA{"light": {0xf6, 0xf5, 0xf4, 0xff}, "dark": {0x24, 0x24, 0x24, 0xff}} {
			assert.GreaterOrEqual(t, contrast(tray.Colour(s), panel), 3.0, "%s on a %s panel", s, name)
		}
		shape, area := "", 0
		for y := range img.Rect.Dy() {
			for x := range img.Rect.Dx() {
				if img.NRGBAAt(x, y).A > 127 {
					shape, area = shape+"x", area+1
				} else {
					shape += "."
				}
			}
		}
		for other, is := range shapes {
			apart := 0
			for i := range shape {
				if shape[i] != other[i] {
					apart++
				}
			}
			assert.Greater(t, apart, 40, "%s looks like %s", s, is)
		}
		shapes[shape] = s
		assert.Greater(t, area, 150, string(s))
	}
}

func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + .05) / (math.Min(x, y) + .05)
}

func luminance(c color.NRGBA) float64 {
	lin := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= .04045 {
			return x / 12.92
		}
		return math.Pow((x+.055)/1.055, 2.4)
	}
	return .2126*lin(c.R) + .7152*lin(c.G) + .0722*lin(c.B)
}

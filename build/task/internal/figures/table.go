package figures

import (
	"fmt"
	"math"
	"strings"
)

// The aims of the window, which are reported and never asserted.
const (
	aimStart  = 1.3  // times the bare window
	aimMemory = 1.15 // times the bare window
	aimIdle   = 0.2  // % of a core
	aimFrames = 60   // a second, which is the most that WebKit paints
	aimWay    = 90   // ms, 99 of 100
)

// Markdown renders a run as two tables; conditions is a sentence about the machine.
func Markdown(r Run, conditions string) string {
	var b strings.Builder
	b.WriteString("| | Turnwatch | bare Wails window | Chromium, same page | aim | |\n|---|---|---|---|---|---|\n")
	row := func(what string, cell func(name string) string, aim string, met *bool) {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", what, cell("window"), cell("hello"), cell("chromium"), aim, verdict(met))
	}
	times := ratio(r.Start)
	row("start to first paint, median", milliseconds(r.Start), fmt.Sprintf("%.2f times the bare window, at most %.1f", times, aimStart), is(times <= aimStart))
	row("start to the complete first picture", milliseconds(r.Complete), "", nil)
	row("processor time of the start", milliseconds(r.Work), "", nil)
	times = ratio(r.Memory)
	row("memory of the process tree (PSS)", megabytes(r.Memory), fmt.Sprintf("%.2f times the bare window, at most %.2f", times, aimMemory), is(times <= aimMemory))
	row(fmt.Sprintf("processor while idle, %g s", r.Seconds), percent(r.Idle, "%.2f %%"), fmt.Sprintf("under %.1f %%", aimIdle), is(r.Idle["window"] < aimIdle))
	row("processor at 500 updates a second", percent(r.Stream, "%.0f %%"), "", nil)

	fmt.Fprintf(&b, "\n| Turnwatch in WebKitGTK, %d parts, 500 updates a second | following the end | scrolling | aim | |\n|---|---|---|---|---|\n", r.Parts)
	pair := func(what string, cell func(Frames) string, aim string, met *bool) {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", what, cell(*r.Follow), cell(*r.Scroll), aim, verdict(met))
	}
	pair("frames a second", func(f Frames) string { return fmt.Sprintf("%.0f", f.PerSecond) }, fmt.Sprint(aimFrames), is(math.Round(r.Follow.PerSecond) >= aimFrames))
	pair("time between frames, 99 of 100", func(f Frames) string { return fmt.Sprintf("%.0f ms", f.Gap99) }, "", nil)
	pair("frames of more than 50 ms, a minute", func(f Frames) string { return fmt.Sprintf("%.0f", f.Long) }, "", nil)
	pair("from the agent's write to the painted frame, median", func(f Frames) string { return way(f.Way50) }, "", nil)
	pair("the same, 99 of 100", func(f Frames) string { return way(f.Way99) }, fmt.Sprintf("under %d ms", aimWay), is(*r.Follow.Way99 < aimWay))
	fmt.Fprintf(&b, "\n%s\n", conditions)
	return b.String()
}

func is(met bool) *bool { return &met }

func verdict(met *bool) string {
	switch {
	case met == nil:
		return ""
	case *met:
		return "met"
	default:
		return "**missed**"
	}
}

// ratio is how many times the bare window ours is.
func ratio(lists map[string][]float64) float64 {
	bare := median(lists["hello"])
	if bare == 0 {
		return 0
	}
	return median(lists["window"]) / bare
}

func milliseconds(lists map[string][]float64) func(string) string {
	return func(name string) string { return fmt.Sprintf("%.0f ms", median(lists[name])) }
}

func megabytes(lists map[string][]float64) func(string) string {
	return func(name string) string { return fmt.Sprintf("%.0f MB", median(lists[name])/1e6) }
}

// percent leaves a cell empty where nothing is measured: a bare window streams
// nothing.
func percent(values map[string]float64, format string) func(string) string {
	return func(name string) string {
		v, ok := values[name]
		if !ok {
			return ""
		}
		return fmt.Sprintf(format, v)
	}
}

func way(ms *float64) string {
	if ms == nil {
		return ""
	}
	return fmt.Sprintf("%.0f ms", *ms)
}

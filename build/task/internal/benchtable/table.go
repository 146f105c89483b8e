package benchtable

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ours is the contender that is never the baseline; a name that begins with raw
// is the baseline before any other.
const (
	ours = "ours"
	raw  = "raw"
)

// Markdown renders the table. GoVersion is as runtime.Version gives it.
func Markdown(r Run, goVersion string) string {
	var b strings.Builder
	b.WriteString("| Benchmark | Contender | Value | Against the baseline | Allocations per operation |\n")
	b.WriteString("|---|---|---:|---:|---:|\n")
	for _, g := range groups(r.Results) {
		g.write(&b)
	}
	fmt.Fprintf(&b, "\n%s, %s/%s, %s", strings.Replace(goVersion, "go", "Go ", 1), r.OS, r.Arch, plural(r.Procs, "processor"))
	if r.CPU != "" {
		fmt.Fprintf(&b, ", %s", escape(r.CPU))
	}
	b.WriteString(". Figures of one group come from one run, side by side.\n")
	return b.String()
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// group is what is compared with each other.
type group struct {
	pkg, name  string
	contenders []contender
}

type contender struct {
	name    string // "" in a group of one without sub-benchmarks
	metrics []Metric
}

// groups sorts results into groups, in the order of the run.
func groups(results []Result) []*group {
	var all []*group
	known := map[string]*group{}
	for _, r := range results {
		name, last := r.Name, ""
		if i := strings.LastIndexByte(r.Name, '/'); i >= 0 {
			name, last = r.Name[:i], r.Name[i+1:]
		}
		key := r.Package + " " + name
		if known[key] == nil {
			known[key] = &group{pkg: r.Package, name: name}
			all = append(all, known[key])
		}
		known[key].contenders = append(known[key].contenders, contender{name: last, metrics: r.Metrics})
	}
	return all
}

// baseline is the contender that the others are measured by; false in a group
// whose members are not compared.
func (g *group) baseline() (contender, bool) {
	if len(g.contenders) < 2 {
		return contender{}, false
	}
	for _, c := range g.contenders {
		if strings.HasPrefix(c.name, raw) {
			return c, true
		}
	}
	switch first, second := g.contenders[0], g.contenders[1]; {
	case first.name == ours:
		return second, true
	case g.all(isNumber) || !g.all(isNotOurs):
		return first, true
	default:
		return contender{}, false
	}
}

// all tells whether every contender's name fits.
func (g *group) all(fits func(name string) bool) bool {
	for _, c := range g.contenders {
		if !fits(c.name) {
			return false
		}
	}
	return true
}

func isNotOurs(name string) bool { return name != ours }

// units are the metrics of the group that are shown, in the order in which they
// first appear.
func (g *group) units() []string {
	var shown []string
	seen := map[string]bool{"ns/op": true, "B/op": true, "allocs/op": true}
	for _, c := range g.contenders {
		for _, m := range c.metrics {
			if !seen[m.Unit] {
				seen[m.Unit] = true
				shown = append(shown, m.Unit)
			}
		}
	}
	if len(shown) == 0 {
		return []string{"ns/op"}
	}
	return shown
}

func (g *group) write(b *strings.Builder) {
	base, compared := g.baseline()
	room := g.pkg[strings.LastIndexByte(g.pkg, '/')+1:]
	for i, unit := range g.units() {
		for _, c := range g.contenders {
			value, ok := c.value(unit)
			if !ok {
				continue
			}
			ratio, allocs := "", ""
			if compared {
				ratio = against(c, base, unit, value)
			}
			if n, ok := c.value("allocs/op"); ok && i == 0 {
				allocs = number(n)
			}
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", escape(room+" "+g.name), escape(c.name), escape(quantity(value, unit)), ratio, allocs)
		}
	}
}

func against(c, base contender, unit string, value float64) string {
	if c.name == base.name {
		return "baseline"
	}
	reference, ok := base.value(unit)
	if !ok || reference == 0 {
		return ""
	}
	return "× " + strconv.FormatFloat(value/reference, 'f', 2, 64)
}

func (c contender) value(unit string) (float64, bool) {
	for _, m := range c.metrics {
		if m.Unit == unit {
			return m.Value, true
		}
	}
	return 0, false
}

// quantity shows a value with its unit; times are put into a unit that a person
// reads easily.
func quantity(v float64, unit string) string {
	if unit != "ns/op" {
		return number(v) + " " + unit
	}
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if v >= u.size {
			return number(v/u.size) + " " + u.name
		}
	}
	return number(v) + " ns"
}

// number shows three significant digits and parts thousands.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	digits := 0
	if abs := math.Abs(v); abs < 1000 && abs > 0 {
		digits = min(max(2-int(math.Floor(math.Log10(abs))), 0), 6)
	}
	text := strconv.FormatFloat(v, 'f', digits, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		return whole + "." + fraction
	}
	return whole
}

// escape keeps a cell in its column.
func escape(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

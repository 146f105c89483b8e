package benchtable

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Run is all that one bench run printed.
type Run struct {
	CPU     string // as go found it out, or ""
	OS      string
	Arch    string
	Procs   int // GOMAXPROCS
	Results []Result
}

// Result is one benchmark; repetitions are folded into their median.
type Result struct {
	Package string
	Name    string // without "Benchmark" and without the number of processors
	Metrics []Metric
}

// Metric is one figure of a result.
type Metric struct {
	Value float64
	Unit  string
}

// Parse reads the output of go test -bench. Lines that are no results are passed
// over; a line that starts like a result and is broken is an error, so that no
// figure goes missing in silence. A line longer than 1 MiB is an error, too.
func Parse(r io.Reader) (Run, error) {
	p := parser{repeats: map[string][]Result{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if err := p.line(lines.Text()); err != nil {
			return Run{}, err
		}
	}
	if err := lines.Err(); err != nil {
		return Run{}, fmt.Errorf("read bench output: %w", err)
	}
	return p.finish(), nil
}

type parser struct {
	run     Run
	pkg     string
	order   []string // keys in the order of the run
	repeats map[string][]Result
}

func (p *parser) line(line string) error {
	for prefix, field := range map[string]*string{
		"goos: ": &p.run.OS, "goarch: ": &p.run.Arch, "cpu: ": &p.run.CPU, "pkg: ": &p.pkg,
	} {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			*field = strings.TrimSpace(rest)
			return nil
		}
	}
	words := strings.Fields(line)
	if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") || !isNumber(words[1]) {
		return nil // no result, though a log line may begin with a name
	}
	metrics, err := metricsOf(words[2:])
	if err != nil {
		return fmt.Errorf("read bench line %q: %w", line, err)
	}
	result := Result{Package: p.pkg, Name: strings.TrimPrefix(words[0], "Benchmark"), Metrics: metrics}
	key := p.pkg + " " + result.Name
	if p.repeats[key] == nil {
		p.order = append(p.order, key)
	}
	p.repeats[key] = append(p.repeats[key], result)
	return nil
}

func isNumber(word string) bool {
	_, err := strconv.Atoi(word)
	return err == nil
}

func metricsOf(words []string) ([]Metric, error) {
	if len(words)%2 != 0 {
		return nil, fmt.Errorf("a value without a unit")
	}
	var metrics []Metric
	for i := 0; i < len(words); i += 2 {
		value, err := strconv.ParseFloat(words[i], 64)
		if err != nil {
			return nil, fmt.Errorf("value %q is no number", words[i])
		}
		metrics = append(metrics, Metric{Value: value, Unit: words[i+1]})
	}
	return metrics, nil
}

func (p *parser) finish() Run {
	for _, key := range p.order {
		p.run.Results = append(p.run.Results, fold(p.repeats[key]))
	}
	p.run.Procs = takeProcs(p.run.Results)
	return p.run
}

// fold makes one result of the repetitions of a benchmark.
func fold(repeats []Result) Result {
	folded := repeats[0]
	folded.Metrics = slices.Clone(folded.Metrics)
	for i, m := range folded.Metrics {
		var values []float64
		for _, r := range repeats {
			for _, other := range r.Metrics {
				if other.Unit == m.Unit {
					values = append(values, other.Value)
				}
			}
		}
		folded.Metrics[i].Value = median(values)
	}
	return folded
}

func median(values []float64) float64 {
	slices.Sort(values)
	mid := len(values) / 2
	if len(values)%2 == 1 {
		return values[mid]
	}
	return (values[mid-1] + values[mid]) / 2
}

// takeProcs cuts the number of processors off all names and returns it. Go
// appends it only when it is not 1, and then to every name: a number that some
// name lacks is part of the names.
func takeProcs(results []Result) int {
	procs := 0
	for i, r := range results {
		at := strings.LastIndexByte(r.Name, '-')
		n, err := strconv.Atoi(r.Name[at+1:])
		if at < 0 || err != nil || (i > 0 && n != procs) {
			return 1
		}
		procs = n
	}
	for i, r := range results {
		results[i].Name = r.Name[:strings.LastIndexByte(r.Name, '-')]
	}
	return max(procs, 1)
}

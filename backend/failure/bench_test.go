package failure

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"turnwatch/backend/agent"
)

// eachRegexp is the plain way: every alternative of every rule as an expression of
// its own, applied in turn to the whole text.
type eachRegexp struct {
	rules []rule
	any   [][]*regexp.Regexp
}

func newEachRegexp() eachRegexp {
	var e eachRegexp
	e.rules = allRules()
	for _, r := range e.rules {
		var all []*regexp.Regexp
		for _, alt := range r.any {
			all = append(all, expression(alt))
		}
		e.any = append(e.any, all)
	}
	return e
}

func expression(alt string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`(?is)`)
	for i, part := range strings.Split(alt, "*") {
		if i > 0 {
			b.WriteString(`.*`)
		}
		text, openLeft := strings.CutPrefix(part, "~")
		text, openRight := strings.CutSuffix(text, "~")
		if !openLeft && alnum(text[0]) {
			b.WriteString(`(?:^|[^a-z0-9])`)
		}
		b.WriteString(regexp.QuoteMeta(text))
		if !openRight && alnum(text[len(text)-1]) {
			b.WriteString(`(?:$|[^a-z0-9])`)
		}
	}
	return regexp.MustCompile(b.String())
}

// matches lists the rules of an agent that have an expression which matches.
func (e eachRegexp) matches(k agent.Kind, text string) (hit []string) {
	for i, r := range e.rules {
		if r.agent != "" && r.agent != k {
			continue
		}
		for _, x := range e.any[i] {
			if x.MatchString(text) {
				hit = append(hit, r.id)
				break
			}
		}
	}
	return hit
}

func BenchmarkClassify(b *testing.B) {
	short := Evidence{
		Agent: agent.Codex, Channel: ChannelOwn, OccurredAt: time.Unix(1788625200, 0),
		Text: "■ You've hit your usage limit. Upgrade to Pro or try again in 5 days 22 hours 11 minutes.",
	}
	unknown := short
	unknown.Text = "building target 17 of 40: linked, stripped and signed; all of it is in the folder that was asked for\n"
	long := unknown
	long.Text = strings.Repeat(unknown.Text, 20_000)
	plain := newEachRegexp()
	for _, bc := range []struct {
		name string
		e    Evidence
	}{{"short", short}, {"short_unknown", unknown}, {"long_unknown", long}} {
		b.Run("ours/"+bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Classify(bc.e)
			}
		})
		b.Run("each_regexp/"+bc.name, func(b *testing.B) {
			text := bc.e.Text
			if len(text) > inputLimit {
				text = text[:inputLimit/2] + text[len(text)-inputLimit/2:]
			}
			for b.Loop() {
				plain.matches(bc.e.Agent, text)
			}
		})
	}
}

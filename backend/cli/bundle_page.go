package cli

import (
	"fmt"
	"io"
	"strings"

	"turnwatch/backend/locale"
)

// page writes a bundle as Markdown. Texts stand in quotes or code, where none of
// their signs means anything.
func (a *app) page(w io.Writer, b bundle) error {
	p := &markdown{app: a}
	p.line("# %s", a.words.Say("export.heading", locale.Args{"id": string(b.Task)}))
	p.line("")
	p.field("export.version", b.Turnwatch)
	p.field("export.title", b.Title)
	p.field("export.state", a.words.Say("task."+string(b.State), nil))
	p.field("export.created", b.CreatedAt)
	for _, s := range b.Sessions {
		p.line("\n## %s", a.words.Say("export.session", locale.Args{"id": string(s.ID)}))
		p.line("")
		p.field("export.agent", strings.TrimSpace(s.Agent+" "+s.Version))
		if s.Queued > 0 {
			p.line("- %s", a.words.Count("history.queued", s.Queued, nil))
		}
		for _, t := range s.Turns {
			p.turn(t)
		}
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

type markdown struct {
	app *app
	b   strings.Builder
}

func (p *markdown) line(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

// field is one thing by its name; one that is not known is left out.
func (p *markdown) field(key, value string) {
	if value != "" {
		p.line("- %s: %s", p.app.say(key), inline(value))
	}
}

func (p *markdown) turn(t bundleTurn) {
	p.line("\n### %s", p.app.words.Say("export.turn", locale.Args{"number": fmt.Sprint(t.Generation)}))
	p.line("")
	p.field("export.started", t.StartedAt)
	p.field("export.ended", t.EndedAt)
	outcome := p.app.say("history.open_turn")
	if t.Outcome != "" {
		outcome = p.app.say("outcome." + string(t.Outcome))
	}
	p.field("export.outcome", outcome)
	if f := t.Failure; f != nil {
		p.field("export.failure", string(f.Code))
		p.field("card.detail_message", f.Message)
		p.field("card.detail_provider", f.Provider)
		p.field("card.detail_model", f.Model)
		p.field("card.detail_rule", f.Rule)
		p.field("export.source", f.Source)
		if f.OccurredAt != nil {
			p.field("card.detail_time", *f.OccurredAt)
		}
		if f.ResetAt != nil {
			p.field("export.reset", *f.ResetAt)
		}
	}
	for _, m := range t.Cancel {
		p.line("- %s %s: %s", m.At, p.app.say("export.cancel"), inline(m.What))
	}
	for _, m := range t.Notices {
		p.line("- %s %s: %s", m.At, p.app.say("export.notice"), inline(m.What))
	}
	for _, x := range t.Parts {
		what := p.app.say("part." + string(x.Kind))
		for _, more := range []string{x.Tool, string(x.Status)} {
			if more != "" {
				what += " " + inline(more)
			}
		}
		if x.Text == "" && x.Bytes > 0 {
			what += fmt.Sprintf(" (%d B)", x.Bytes)
		}
		p.line("- %s %s", x.At, what)
		if x.Text != "" {
			p.line("\n  > %s\n", inline(x.Text))
		}
	}
}

// inline puts a text of one line into code, with more backticks around it than it
// has in it.
func inline(s string) string {
	most, run := 0, 0
	for _, r := range s {
		if r != '`' {
			run = 0
			continue
		}
		run++
		most = max(most, run)
	}
	fence := strings.Repeat("`", most+1)
	if most > 0 || s == "" {
		s = " " + s + " "
	}
	return fence + s + fence
}

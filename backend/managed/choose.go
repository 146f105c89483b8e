package managed

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"turnwatch/backend/acp"
	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/redact"
)

// way is the method that changes an option.
type way int

const (
	byConfig way = iota // session/set_config_option
	byMode              // session/set_mode
	byModel             // session/set_model, which the protocol has left behind
)

// options are what may be chosen in a session, as the agent last said. Safe for
// several goroutines; never blocks.
type options struct {
	mu      sync.Mutex
	choices acp.Choices
}

func (o *options) set(c acp.Choices) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.choices = c
}

func (o *options) list() []agent.Option {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.choices.Options())
}

// note takes options that the agent sent by itself. An option without choices
// keeps those it had.
func (o *options) note(change []agent.Option) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, c := range change {
		if m := o.choices.Modes; m != nil && c.ID == m.ID {
			mode := *m
			mode.Current = c.Current
			o.choices.Modes = &mode
		}
		i := slices.IndexFunc(o.choices.Config, func(h agent.Option) bool { return h.ID == c.ID })
		if i < 0 {
			continue
		}
		config := slices.Clone(o.choices.Config)
		if len(c.Choices) == 0 {
			c.Choices = config[i].Choices
		}
		if c.Category == "" {
			c.Category = config[i].Category
		}
		config[i] = c
		o.choices.Config = config
	}
}

// find returns the option of this id, else the first of this category, and how
// it is changed. Config options come first: an agent that has them keeps the
// older ways for older clients.
func (o *options) find(name string) (agent.Option, way, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, by := range []func(agent.Option) string{
		func(x agent.Option) string { return x.ID },
		func(x agent.Option) string { return x.Category },
	} {
		for _, x := range o.choices.Config {
			if by(x) == name {
				return x, byConfig, true
			}
		}
		if m := o.choices.Modes; m != nil && by(*m) == name {
			return *m, byMode, true
		}
		if m := o.choices.Models; m != nil && by(*m) == name {
			return *m, byModel, true
		}
	}
	return agent.Option{}, 0, false
}

// changed notes a choice that the agent took, and what it answered.
func (o *options) changed(id string, by way, value string, answer acp.Choices) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch by {
	case byMode:
		m := *o.choices.Modes
		m.Current = value
		o.choices.Modes = &m
	case byModel:
		m := *o.choices.Models
		m.Current = value
		o.choices.Models = &m
	default:
		if len(answer.Config) > 0 {
			answer.Modes, answer.Models = o.choices.Modes, o.choices.Models
			o.choices = answer
			return
		}
		list := slices.Clone(o.choices.Config)
		for i := range list {
			if list[i].ID == id {
				list[i].Current = value
			}
		}
		o.choices.Config = list
	}
}

func (o *options) boolean(id string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.choices.Boolean(id)
}

// choose sets one option and returns the list after it. A value that the agent
// does not offer is not sent.
func (l *live) choose(ctx context.Context, name, value string) ([]agent.Option, error) {
	o := &l.ear.options
	option, by, ok := o.find(name)
	if !ok {
		return nil, noSuchOption(name, o.list(), l.now())
	}
	if option.Current == value {
		return o.list(), nil
	}
	if len(option.Choices) > 0 && !slices.ContainsFunc(option.Choices, func(c agent.Choice) bool { return c.Value == value }) {
		return nil, noSuchChoice(option, value, l.now())
	}
	answer, err := l.send(ctx, option, by, value)
	var e *acp.Error
	switch {
	case errors.As(err, &e):
		f := rpcFailure(l.profile.kind, e.Method, e, l.auth, l.now())
		return nil, &f
	case err != nil:
		return nil, l.lost(err)
	}
	o.changed(option.ID, by, value, answer)
	return o.list(), nil
}

func (l *live) send(ctx context.Context, option agent.Option, by way, value string) (acp.Choices, error) {
	id := l.ear.own()
	switch by {
	case byMode:
		return acp.Choices{}, l.client.SetMode(ctx, id, value)
	case byModel:
		return acp.Choices{}, l.client.SetModel(ctx, id, value)
	}
	return l.client.SetConfigOption(ctx, id, option.ID, value, l.ear.options.boolean(option.ID))
}

// chooseAll sets what a request wants: the model first, since other options hang
// on it, then the rest by name.
func (l *live) chooseAll(ctx context.Context, wanted map[string]string) error {
	names := slices.SortedFunc(maps.Keys(wanted), func(a, b string) int {
		if (a == "model") != (b == "model") {
			if a == "model" {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		if wanted[name] == "" {
			continue
		}
		if _, err := l.choose(ctx, name, wanted[name]); err != nil {
			return err
		}
	}
	return nil
}

func noSuchOption(name string, have []agent.Option, at time.Time) *agent.Failure {
	var ids []string
	for _, o := range have {
		ids = append(ids, o.ID)
	}
	return refusal("option_unknown", HintNoSuchOption, at, "option", redact.Name(name, 120), "choices", listed(ids))
}

func noSuchChoice(o agent.Option, value string, at time.Time) *agent.Failure {
	var values []string
	for _, c := range o.Choices {
		values = append(values, c.Value)
	}
	f := refusal("option_value_unknown", HintNoSuchChoice, at,
		"option", redact.Name(o.ID, 120), "value", redact.Name(value, 200), "choices", listed(values))
	if o.Category == "model" {
		f.Code = failure.ModelUnavailable
	}
	return f
}

// listed joins the agent's own names, sanitised each, to at most 2 KiB.
func listed(names []string) string {
	var b strings.Builder
	for _, n := range names {
		n = redact.Name(n, 120)
		if n == "" {
			continue
		}
		if b.Len()+len(n) > 2<<10 {
			b.WriteString(", …")
			break
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(n)
	}
	return b.String()
}

package acp

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/agent"
)

// Choices are the options of a session by the method that changes them: Config by
// session/set_config_option, Modes by session/set_mode, Models by the legacy
// session/set_model. Modes and Models are nil where the agent has none.
type Choices struct {
	Config []agent.Option
	Modes  *agent.Option // id and category "mode"
	Models *agent.Option // id and category "model"

	booleans []string // ids of the config options that are true or false
}

// Options returns one list: the config options, then modes and models unless a
// config option of that category stands for them already.
func (c Choices) Options() []agent.Option {
	all := slices.Clone(c.Config)
	for _, o := range []*agent.Option{c.Modes, c.Models} {
		if o != nil && !slices.ContainsFunc(c.Config, func(have agent.Option) bool {
			return have.Category == o.Category || have.ID == o.ID
		}) {
			all = append(all, *o)
		}
	}
	return all
}

// Boolean reports whether the config option of that id is true or false rather
// than one of a list, which SetConfigOption wants to know.
func (c Choices) Boolean(id string) bool { return slices.Contains(c.booleans, id) }

type wireChoices struct {
	Config list[wireOption] `json:"configOptions"`
	Modes  opt[*wireModes]  `json:"modes"`
	Models opt[*wireModels] `json:"models"`
}

type wireOption struct {
	ID       opt[string]     `json:"id"`
	Name     opt[string]     `json:"name"`
	Category opt[string]     `json:"category"`
	Type     opt[string]     `json:"type"`
	Current  jsontext.Value  `json:"currentValue"`
	Options  list[wireGroup] `json:"options"`
}

// wireGroup is a choice, or a named group of them.
type wireGroup struct {
	wireChoice
	Options list[wireChoice] `json:"options"`
}

type wireChoice struct {
	Value       opt[string] `json:"value"`
	Name        opt[string] `json:"name"`
	Description opt[string] `json:"description"`
}

type wireModes struct {
	Current opt[string]    `json:"currentModeId"`
	All     list[wireMode] `json:"availableModes"`
}

type wireModels struct {
	Current opt[string]    `json:"currentModelId"`
	All     list[wireMode] `json:"availableModels"`
}

type wireMode struct {
	ID          opt[string] `json:"id"`
	Model       opt[string] `json:"modelId"`
	Name        opt[string] `json:"name"`
	Description opt[string] `json:"description"`
}

func (w wireChoices) choices() Choices {
	var c Choices
	for _, o := range w.Config {
		option, boolean := o.option()
		if option.ID == "" {
			continue
		}
		c.Config = append(c.Config, option)
		if boolean {
			c.booleans = append(c.booleans, option.ID)
		}
	}
	if m := w.Modes.v; m != nil {
		c.Modes = legacyOption("mode", m.Current.v, m.All)
	}
	if m := w.Models.v; m != nil {
		c.Models = legacyOption("model", m.Current.v, m.All)
	}
	return c
}

func (w wireOption) option() (o agent.Option, boolean bool) {
	o = agent.Option{ID: w.ID.v, Category: w.Category.v, Name: w.Name.v}
	switch w.Current.Kind() {
	case '"':
		o.Current = str(w.Current)
	case 't', 'f', '0':
		o.Current = string(w.Current)
	}
	if k := w.Current.Kind(); w.Type.v == "boolean" || w.Type.v == "" && (k == 't' || k == 'f') {
		o.Choices = []agent.Choice{{Value: "true"}, {Value: "false"}}
		return o, true
	}
	for _, g := range w.Options {
		for _, c := range append([]wireChoice{g.wireChoice}, g.Options...) {
			if c.Value.v != "" {
				o.Choices = append(o.Choices, agent.Choice{Value: c.Value.v, Name: c.Name.v, Description: c.Description.v})
			}
		}
	}
	return o, false
}

// legacyOption is the older form of modes and models as an option; nil where it
// names neither a current value nor any other.
func legacyOption(id, current string, all list[wireMode]) *agent.Option {
	o := &agent.Option{ID: id, Category: id, Current: current}
	for _, m := range all {
		value := m.ID.v
		if id == "model" {
			value = m.Model.v
		}
		if value != "" {
			o.Choices = append(o.Choices, agent.Choice{Value: value, Name: m.Name.v, Description: m.Description.v})
		}
	}
	if current == "" && o.Choices == nil {
		return nil
	}
	return o
}

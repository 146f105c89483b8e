package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"turnwatch/backend/policy/autoresume"
)

// Choice says how far auto-resume may go in a task or a folder.
type Choice string

// Choices. "" in a task is what its folder has; in a folder it is AutoOff.
const (
	AutoOff    Choice = "off"
	AutoNotify Choice = "notify"
	AutoSafe   Choice = "safe"
	AutoFull   Choice = "full"
)

// Choices lists them, the mildest first.
func Choices() []Choice { return []Choice{AutoOff, AutoNotify, AutoSafe, AutoFull} }

// Auto is what the user has chosen about auto-resume. Nothing is on by default.
type Auto struct {
	Stopped bool              `json:"stopped"` // all automation, whatever else is chosen
	Folders map[string]Choice `json:"folders"` // absolute, links resolved
	// Options are those that differ from the product's, in the names of the field's
	// plugin and ours; their bounds are the policy's.
	Options map[string]json.RawMessage `json:"options"`
}

func autoDefaults() Auto {
	return Auto{Folders: map[string]Choice{}, Options: map[string]json.RawMessage{}}
}

// Check says what is wrong; nil where nothing is.
func (a Auto) Check() error {
	if len(a.Folders) > mostEntries {
		return fmt.Errorf("auto.folders holds at most %d entries", mostEntries)
	}
	for dir, c := range a.Folders {
		if !filepath.IsAbs(dir) || len(dir) > longestPath {
			return fmt.Errorf("auto.folders holds absolute folders, not %q", dir)
		}
		if !slices.Contains(Choices(), c) {
			return fmt.Errorf("auto.folders has off, notify, safe or full for %q, not %q", dir, c)
		}
	}
	if _, err := a.imported(); err != nil {
		return fmt.Errorf("auto.options: %w", err)
	}
	return nil
}

// Of is the choice that holds for a task in a folder.
func (a Auto) Of(task Choice, dir string) Choice {
	if task == "" {
		task = a.Folders[dir]
	}
	if a.Stopped || task == "" {
		return AutoOff
	}
	return task
}

// Policy makes the options of a choice, and the wording that the user has changed.
// A session that is spoken to over ACP takes no prompt while a turn runs, so that a
// silent turn is cancelled first.
func (a Auto) Policy(c Choice) (autoresume.Options, map[autoresume.Kind]string, error) {
	im, err := a.imported()
	if err != nil {
		return autoresume.Options{}, nil, err
	}
	o := im.Options
	o.Enabled = o.Enabled && c != AutoOff && c != ""
	o.Preset = autoresume.Preset(c)
	if !o.Enabled {
		o.Preset = autoresume.NotifyOnly
	}
	if o.Stall.Strategy == autoresume.StallContinue {
		o.Stall.Strategy = autoresume.StallAbort
	}
	return o, im.Wording, nil
}

func (a Auto) imported() (autoresume.Imported, error) {
	raw, err := json.Marshal(a.Options)
	if err != nil {
		return autoresume.Imported{}, err
	}
	if len(a.Options) == 0 {
		raw = []byte("{}")
	}
	im, err := autoresume.Import(raw, autoresume.Product())
	if err != nil {
		return im, err
	}
	if im.Options.Stall.FirstEvent {
		return im, errors.New("firstEvent is for replay: a turn that never began is not continued by itself")
	}
	return im, nil
}

func (a Auto) clone() Auto {
	out := autoDefaults()
	for k, v := range a.Folders {
		out.Folders[k] = v
	}
	for k, v := range a.Options {
		out.Options[k] = slices.Clone(v)
	}
	out.Stopped = a.Stopped
	return out
}

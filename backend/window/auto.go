package window

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"

	"turnwatch/backend/agent"
	"turnwatch/backend/core"
	"turnwatch/backend/policy/autoresume"
	"turnwatch/backend/settings"
	"turnwatch/backend/view"
)

// ChooseAuto chooses how far auto-resume may go in a task: off, notify, safe or
// full; "" lets its folder's choice hold again.
func (t *Tasks) ChooseAuto(session, choice string) error {
	return do(t.r, usually, func(c call) error {
		id, err := sessionID(session)
		if err != nil {
			return err
		}
		if choice != "" && !slices.Contains(settings.Choices(), settings.Choice(choice)) {
			return wrong("choice")
		}
		s, err := c.living(id)
		if err != nil {
			return err
		}
		if err := c.core.ChooseAuto(c.ctx, id, settings.Choice(choice)); err != nil {
			return err
		}
		c.desk.touch(s.Task)
		c.desk.tidings()
		return nil
	})
}

// Typing says that the user writes into a task: nothing is sent by itself just
// then. The page may say so as often as it likes.
func (t *Tasks) Typing(session string) error {
	return t.aside(session, (*core.Core).Typing)
}

// DismissAuto takes back what auto-resume has announced, and leaves the turn alone.
func (t *Tasks) DismissAuto(session string) error {
	return t.aside(session, (*core.Core).DismissAuto)
}

func (t *Tasks) aside(session string, tell func(*core.Core, agent.SessionID)) error {
	return do(t.r, usually, func(c call) error {
		id, err := sessionID(session)
		if err == nil {
			tell(c.core, id)
		}
		return err
	})
}

// SendAuto sends what auto-resume would have sent for a kind, by the user's word:
// the button beside a notice.
func (t *Tasks) SendAuto(session, kind string) error {
	return do(t.r, usually, func(c call) error {
		id, err := sessionID(session)
		if err != nil {
			return err
		}
		text, ok := c.autoWords()[autoresume.Kind(kind)]
		if !ok {
			return wrong("kind")
		}
		if _, err := c.living(id); err != nil {
			return err
		}
		_, err = c.core.Submit(c.ctx, id, []agent.Block{agent.TextBlock(text)})
		return err
	})
}

// autoWords are what is sent for each kind: the user's words, else ours.
func (r *room) autoWords() map[autoresume.Kind]string {
	out := autoresume.Wording()
	if r.o.Settings == nil {
		return out
	}
	if _, own, err := r.o.Settings.Get().Auto.Policy(settings.AutoFull); err == nil {
		for k, v := range own {
			out[k] = v
		}
	}
	return out
}

// ledgerRows is how many rows of the ledger one call gives.
const ledgerRows = 100

// Ledger reads what auto-resume did: in one session, or in all where it is "".
// Newest first; those before the row before, or from the newest on where it is 0.
func (t *Tasks) Ledger(session string, before int64) ([]AutoRow, error) {
	return answer(t.r, usually, func(c call) ([]AutoRow, error) {
		var id agent.SessionID
		if session != "" {
			var err error
			if id, err = sessionID(session); err != nil {
				return nil, err
			}
		}
		if before < 0 {
			return nil, wrong("before")
		}
		steps, err := c.core.AutoSteps(c.ctx, id, before, ledgerRows)
		if err != nil {
			return nil, err
		}
		out := make([]AutoRow, len(steps))
		for i, s := range steps {
			out[i] = AutoRow{
				ID: s.ID, Task: string(s.Task), Session: string(s.Session), Turn: uint64(s.Generation), At: ms(s.At),
				Row: s.Row, Of: s.Of, Act: s.Act, What: autoWhat(s.AutoStep), Why: autoWhy(s.AutoStep), Count: s.Count,
			}
		}
		return out, nil
	})
}

// autoChanged says that what holds for the open session may have changed, and
// whether all automation is stopped.
func (d *desk) autoChanged() {
	d.mu.Lock()
	d.open.moved = d.open.moved || d.open.id != ""
	d.halted = true
	d.mu.Unlock()
	d.ring()
	d.tidings()
}

// stopped says whether the user has stopped all automation.
func (r *room) stopped() bool {
	return r.o.Settings != nil && r.o.Settings.Get().Auto.Stopped
}

// auto is what auto-resume may do in a session, and what it means to do. What an
// earlier run has announced is void; what it has said of the last turn stands. The
// lock is held.
func (d *desk) auto(ctx context.Context, id agent.SessionID, turn agent.Generation) (Auto, error) {
	holds, err := d.room.core.AutoOf(ctx, id)
	if err != nil {
		return Auto{}, err
	}
	if l := d.lives[id]; l != nil && !l.turn.Started.IsZero() {
		return autoOf(holds, l.turn.Auto), nil
	}
	steps, err := d.room.core.AutoSteps(ctx, id, 0, lastRows)
	if err != nil {
		return Auto{}, err
	}
	var v view.Auto
	for _, s := range slices.Backward(steps) {
		if s.Generation == turn {
			v.Apply(s.AutoStep)
		}
	}
	v.Announced = nil
	return autoOf(holds, v), nil
}

// lastRows is how far back the last word about a turn is looked for.
const lastRows = 20

// autoOf puts it into words of the page.
func autoOf(a core.Auto, v view.Auto) Auto {
	out := Auto{Choice: string(a.Choice), Folder: string(a.Folder), Now: string(a.Now)}
	if s := v.Announced; s != nil {
		out.Soon = &AutoSoon{What: autoWhat(*s), Why: autoWhy(*s), Due: ms(s.Due)}
	}
	if s := v.Said; s != nil {
		out.Said = &AutoSaid{Act: s.Act, What: autoWhat(*s), Why: autoWhy(*s)}
		if _, sent := autoresume.Wording()[autoresume.Kind(s.Kind)]; sent && s.Act == string(autoresume.Notice) {
			out.Said.Kind = s.Kind
		}
	}
	return out
}

// autoWhat says what a step does, or would do.
func autoWhat(s agent.AutoStep) Phrase {
	switch s.Act {
	case string(autoresume.GiveUp):
		return Phrase{Key: "auto.gave_up"}
	case string(autoresume.Reply):
		return Phrase{Key: "auto.reply_" + s.Result}
	case string(autoresume.Outcome):
		return Phrase{Key: "auto.outcome_" + s.Result}
	case string(autoresume.Withdraw):
		return Phrase{Key: "auto.withdrawn"}
	case string(autoresume.Cancel):
		return Phrase{Key: "auto.cancel"}
	}
	if s.Reason != "" { // a cancel comes first
		return Phrase{Key: "auto.cancel_then", Args: map[string]string{"kind": s.Kind}}
	}
	return Phrase{Key: "auto.kind_" + s.Kind}
}

// autoWhy says what a step rests on: its reason where it has one, else its rule,
// with the figures.
func autoWhy(s agent.AutoStep) Phrase {
	args := map[string]string{}
	if s.Silent > 0 {
		args["silent_ms"] = strconv.FormatInt(s.Silent.Milliseconds(), 10)
	}
	if s.Figure != 0 {
		args["figure"] = strconv.FormatInt(s.Figure, 10)
	}
	switch {
	case s.Code != "":
		return Phrase{Key: "failure." + string(s.Code)}
	case s.Rule == "":
		return Phrase{}
	}
	return Phrase{Key: "auto.rule_" + s.Rule, Args: args}
}

// Auto gives what the user has chosen about auto-resume beside the tasks.
func (s *Settings) Auto() (AutoPrefs, error) {
	if s.r.o.Settings == nil {
		return autoPrefs(settings.Defaults().Auto)
	}
	return autoPrefs(s.r.o.Settings.Get().Auto)
}

func autoPrefs(a settings.Auto) (AutoPrefs, error) {
	o, own, err := a.Policy(settings.AutoFull)
	if err != nil {
		return AutoPrefs{}, wrong("options")
	}
	usual, _, err := settings.Auto{}.Policy(settings.AutoFull)
	if err != nil {
		return AutoPrefs{}, wrong("options")
	}
	out := AutoPrefs{Stopped: a.Stopped}
	for dir, choice := range a.Folders {
		out.Folders = append(out.Folders, AutoFolder{Dir: dir, Choice: string(choice)})
	}
	slices.SortFunc(out.Folders, func(a, b AutoFolder) int { return cmp.Compare(a.Dir, b.Dir) })
	before := usual.Numbers()
	for i, n := range o.Numbers() {
		out.Numbers = append(out.Numbers, AutoNumber{Name: n.Name, Value: n.Value, Usual: before[i].Value, Min: n.Min, Max: n.Max, Reason: n.Reason})
	}
	for name, on := range o.Switches() {
		if name != "enabled" && name != "firstEvent" {
			out.Marks = append(out.Marks, AutoSwitch{Name: name, On: on})
		}
	}
	slices.SortFunc(out.Marks, func(a, b AutoSwitch) int { return cmp.Compare(a.Name, b.Name) })
	out.Words = autoWords(own)
	return out, nil
}

func autoWords(own map[autoresume.Kind]string) []AutoWord {
	names := map[autoresume.Kind]string{}
	for name, k := range autoresume.PromptNames() {
		names[k] = name
	}
	words := autoresume.Wording()
	out := make([]AutoWord, 0, len(words))
	for _, k := range autoresume.Kinds() {
		w := AutoWord{Kind: string(k), Name: names[k], Text: own[k], Usual: words[k]}
		if w.Text == "" {
			w.Text = w.Usual
		}
		out = append(out, w)
	}
	return out
}

// StopAuto stops all automation, or allows it again: what the command Stop all
// automation does. What is announced is taken back at once.
func (s *Settings) StopAuto(stop bool) (AutoPrefs, error) {
	return s.changeAuto(func(a *settings.Auto) error {
		a.Stopped = stop
		return nil
	})
}

// ChooseAuto chooses for a folder; "" takes its choice away.
func (s *Settings) ChooseAuto(dir, choice string) (AutoPrefs, error) {
	return s.changeAuto(func(a *settings.Auto) error {
		if err := line("folder", dir, longestPath); err != nil || !filepath.IsAbs(dir) {
			return wrong("folder")
		}
		dir = filepath.Clean(dir)
		if choice == "" {
			delete(a.Folders, dir)
			return nil
		}
		if !slices.Contains(settings.Choices(), settings.Choice(choice)) {
			return wrong("choice")
		}
		a.Folders[dir] = settings.Choice(choice)
		return nil
	})
}

// SetAuto sets one option by its name; value is JSON, and "" takes it back to the
// usual.
func (s *Settings) SetAuto(name, value string) (AutoPrefs, error) {
	return s.changeAuto(func(a *settings.Auto) error {
		if value == "" {
			delete(a.Options, name)
			return nil
		}
		if !json.Valid([]byte(value)) || line("option", name, longestTitle) != nil {
			return wrong("option")
		}
		a.Options[name] = json.RawMessage(value)
		return nil
	})
}

// ImportAuto reads a configuration of the field's plugin in the place of the
// options. What is wrong with it is told, all at once, and then nothing changes.
func (s *Settings) ImportAuto(text string) (AutoPrefs, error) {
	return s.changeAuto(func(a *settings.Auto) error {
		if len(text) > 256<<10 {
			return wrong("configuration")
		}
		if _, err := autoresume.Import([]byte(text), autoresume.Product()); err != nil {
			return &Error{Key: "error.auto_import", Args: map[string]string{"why": err.Error()}}
		}
		options := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(text), &options); err != nil {
			return wrong("configuration")
		}
		delete(options, "enabled") // on and off are the tasks' and the folders'
		delete(options, "preset")
		a.Options = options
		return nil
	})
}

// changeAuto writes a change and lets it hold for every session at once.
func (s *Settings) changeAuto(change func(*settings.Auto) error) (AutoPrefs, error) {
	if s.r.o.Settings == nil {
		return AutoPrefs{}, &Error{Key: "error.unreachable"}
	}
	var refused error
	v, err := s.r.o.Settings.Change(func(v *settings.Values) { refused = change(&v.Auto) })
	switch {
	case refused != nil:
		return AutoPrefs{}, refused
	case err != nil:
		return AutoPrefs{}, &Error{Key: "error.auto_option", Args: map[string]string{"why": err.Error()}}
	}
	err = do(s.r, usually, func(c call) error {
		err := c.core.AutoChanged(c.ctx)
		c.desk.autoChanged()
		return err
	})
	if err != nil {
		return AutoPrefs{}, err
	}
	return autoPrefs(v.Auto)
}

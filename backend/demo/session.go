package demo

import (
	"errors"
	"sync"

	"turnwatch/backend/acp"
)

// session is one conversation. At most one turn of it is open.
type session struct {
	id string

	mu       sync.Mutex
	scenario string
	mode     string
	allowed  bool // "always" was the answer to a permission request
	turn     *turn
	past     [][2]string // what was asked and what was said
	used     int         // tokens so far
	refused  int         // prompts that were refused as overloaded
	again    string      // the scenario that stumbled and goes on with the next prompt
	always   bool        // it stumbles again

	tools []toolServer // what the client offers
}

func newSession(id, scenario string) *session {
	return &session{id: id, scenario: scenario, mode: "build"}
}

// options are what the client may choose: the scenario as a model, and a mode
// that changes nothing.
func (s *session) options() []configOption {
	s.mu.Lock()
	defer s.mu.Unlock()
	model := configOption{ID: "model", Type: "select", Category: "model", Name: "Scenario", CurrentValue: s.scenario}
	for _, sc := range Scenarios() {
		model.Options = append(model.Options, configValue{Value: sc.Name, Name: sc.Title, Description: sc.Description})
	}
	mode := configOption{ID: "mode", Type: "select", Category: "mode", Name: "Mode", CurrentValue: s.mode}
	for _, m := range modeList() {
		mode.Options = append(mode.Options, configValue{Value: m[0], Name: m[1], Description: m[2]})
	}
	return []configOption{model, mode}
}

func modeList() [][3]string {
	return [][3]string{
		{"build", "Build", "Works as the scenario says."},
		{"plan", "Plan", "Works as the scenario says, too: the demo has nothing to hold back."},
	}
}

// modes are the same modes in ACP's older form.
func (s *session) modes() map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []map[string]any{}
	for _, m := range modeList() {
		all = append(all, map[string]any{"id": m[0], "name": m[1], "description": m[2]})
	}
	return map[string]any{"currentModeId": s.mode, "availableModes": all}
}

func (p *program) setMode(r *acp.Request, s *session, mode string) {
	if !s.choose("mode", mode) {
		_ = r.Fail(acp.CodeInvalidParams, "There is no such mode; use build or plan", nil)
		return
	}
	_ = r.Respond(map[string]any{})
	p.spawn(func() {
		_ = p.update(p.ctx, s.id, modeUpdate{SessionUpdate: "current_mode_update", CurrentModeID: mode})
		_ = p.update(p.ctx, s.id, optionsUpdate{SessionUpdate: "config_option_update", ConfigOptions: s.options()})
	})
}

func (p *program) setOption(r *acp.Request, s *session, in sessionParams) {
	value, _ := in.Value.(string)
	if !s.choose(in.ConfigID, value) {
		_ = r.Fail(acp.CodeInvalidParams, "There is no such option or value; the options are model (one of "+names()+") and mode (build or plan)", nil)
		return
	}
	_ = r.Respond(map[string]any{"configOptions": s.options()})
}

// choose sets an option, or reports that there is no such value.
func (s *session) choose(option, value string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch option {
	case "model":
		sc, ok := Find(value)
		if !ok || value == "" {
			return false
		}
		s.scenario, s.again, s.always = sc.Name, "", false
		return true
	case "mode":
		for _, m := range modeList() {
			if m[0] == value {
				s.mode = value
				return true
			}
		}
	}
	return false
}

var errBusy = errors.New("a turn is open")

// begin opens a turn, or gives errBusy while one is open.
func (s *session) begin(t *turn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn != nil {
		return errBusy
	}
	s.turn = t
	return nil
}

// finish closes the turn. It returns the tokens used by the session so far, and
// whether this was its first turn.
func (s *session) finish(asked, said string, spent int) (used int, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn = nil
	s.past = append(s.past, [2]string{asked, said})
	s.used += spent
	return s.used, len(s.past) == 1
}

// cancel ends the open turn, unless there is none or it does not listen.
func (s *session) cancel() {
	s.mu.Lock()
	t := s.turn
	s.mu.Unlock()
	if t != nil && !t.deaf {
		t.stop()
	}
}

func (s *session) remember(asked, said string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.past = append(s.past, [2]string{asked, said})
}

// replay is the history as session/load repeats it.
func (s *session) replay() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []any
	for _, p := range s.past {
		if p[0] == "" && p[1] == "" {
			continue
		}
		all = append(all, chunkUpdate{SessionUpdate: "user_message_chunk", MessageID: newID("msg"), Content: text(p[0])})
		if p[1] != "" {
			all = append(all, chunkUpdate{SessionUpdate: "agent_message_chunk", MessageID: newID("msg"), Content: text(p[1])})
		}
	}
	return all
}

// isAllowed reports whether "always" was answered to a permission request.
func (s *session) isAllowed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.allowed
}

func (s *session) allow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.allowed = true
}

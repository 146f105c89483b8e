package agent

import "time"

// Auto marks a prompt that the auto-resume policy has sent, and only where the
// user has switched it on: what it was about and the how manyth it is since the
// user spoke.
type Auto struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// What the auto-resume policy wants of a session. It was decided upon facts of
// Turn and Epoch; where the session has moved on the owner refuses it as Stale.
type (
	// AutoPrompt begins a turn with a prompt of the policy. Turn is the last one,
	// which is over.
	AutoPrompt struct {
		Prompt Prompt
		Turn   Generation
		Epoch  uint64
		Auto   Auto
	}
	// AutoCancel ends the turn in hand.
	AutoCancel struct {
		Turn  Generation
		Epoch uint64
	}
	// AutoTell writes down a step of the policy.
	AutoTell struct{ Step AutoStep }
)

func (AutoPrompt) event() {}
func (AutoCancel) event() {}
func (AutoTell) event()   {}

// AutoStep is one row of the policy's ledger: what it announced, did, or saw come
// of it. It holds words of the policy alone, none of an agent.
type AutoStep struct {
	Row    uint64    // counts up within a run of Turnwatch; Of refers to it
	Of     uint64    // the row that this one is about; 0 for one that stands alone
	Act    string    // announce, withdraw, prompt, cancel, notice, give_up, task_complete.reply, outcome
	Kind   string    // what a prompt is about
	Reason string    // why it cancels or gives up
	Result string    // what came of a prompt, or the answer to task_complete
	Due    time.Time // of announce: when it will be done
	Count  int       // of prompt: the how manyth since the user spoke

	Rule   string        // that decided
	Silent time.Duration // that it saw
	Figure int64         // tokens, entries, failures or calls, as the rule says
	Code   Code          // of the failure that it rests on
}

// AutoStepped is a step of the auto-resume policy. It belongs to the turn in hand,
// or the last one.
type AutoStepped struct{ Step AutoStep }

func (AutoStepped) fact() {}

// Stale refuses what the auto-resume policy wants, because the session has moved on.
const Stale Reason = "stale"

package window

// Phrase is a sentence by key and arguments; the page has the words.
type Phrase struct {
	Key  string            `json:"key"`
	Args map[string]string `json:"args,omitempty"`
}

// Row is one task in the list.
type Row struct {
	Task    string `json:"task"`
	Session string `json:"session"` // the newest
	Title   string `json:"title"`   // the user's, else the agent's, else the first prompt's first line
	Agent   string `json:"agent"`   // its kind
	Name    string `json:"name"`    // its name for people
	Dir     string `json:"dir"`
	State   string `json:"state"` // waiting, running, needs_you, done, failed
	Phase   string `json:"phase"` // idle, opening, working, asks, retrying, quiet, cancelling
	Detail  Phrase `json:"detail"`
	Queued  int    `json:"queued"`
	Started int64  `json:"started"` // of the turn in hand
	Updated int64  `json:"updated"`
	Away    bool   `json:"away"`  // archived
	Again   *Again `json:"again"` // its failed prompt waits to be sent again
}

// Session is everything about an open task but its transcript.
type Session struct {
	Row      Row       `json:"row"`
	Options  []Option  `json:"options"`
	Commands []Command `json:"commands"`
	Queue    []Queued  `json:"queue"`
	Held     bool      `json:"held"`
	Asks     []Ask     `json:"asks"`
	Cards    []Card    `json:"cards"`  // what has gone wrong and is not retired
	Notice   *Notice   `json:"notice"` // of the turn in hand
	Turn     Turn      `json:"turn"`
	Usage    Usage     `json:"usage"`
	Takes    Takes     `json:"takes"`
	Auto     Auto      `json:"auto"`
}

// Takes says what a prompt to this agent may hold beside text.
type Takes struct {
	Known  bool `json:"known"` // the agent has said so; else it did not run in this session yet
	Images bool `json:"images"`
	Embeds bool `json:"embeds"`
}

// Turn is the turn in hand, or the last one.
type Turn struct {
	Generation uint64 `json:"generation"`
	Started    int64  `json:"started"`
	First      int64  `json:"first"` // of its first genuine event
	Ended      int64  `json:"ended"`
	Outcome    string `json:"outcome"`
	Stop       string `json:"stop"`
	Cancel     []Step `json:"cancel"`
}

// Step is one stage of a cancel.
type Step struct {
	Step string `json:"step"`
	At   int64  `json:"at"`
}

// Notice is a neutral remark about the turn in hand.
type Notice struct {
	Kind   string `json:"kind"`
	Phrase Phrase `json:"phrase"`
	At     int64  `json:"at"`
	Cancel bool   `json:"cancel"` // offer Cancel turn beside it
}

// Card says that a turn has failed or ended oddly, what is known, and what can be
// done. Actions are names of what the page offers: resume, start_fresh,
// send_again, switch_model, log_in, restart, dismiss, link; retry_now and stop_retry alone
// while Again is there.
type Card struct {
	ID       int64    `json:"id"`   // of the failure; what OpenRemediation takes
	Turn     uint64   `json:"turn"` // the generation it stands against; 0 where no turn was open
	Code     string   `json:"code"`
	Tone     string   `json:"tone"` // need, fail, plain
	Heading  Phrase   `json:"heading"`
	Guidance Phrase   `json:"guidance"`
	Later    Phrase   `json:"later"` // said instead of guidance once reset has passed; key "" where guidance stays
	Note     Phrase   `json:"note"`  // what is not done by itself, or key ""
	Details  []Detail `json:"details"`
	Why      Phrase   `json:"why"` // channel, rule and time of the evidence
	Actions  []string `json:"actions"`
	LinkHost string   `json:"link_host"` // "" where there is no validated link
	Login    string   `json:"login"`     // the command that log_in runs in a terminal; "" where it is not offered
	At       int64    `json:"at"`
	Reset    int64    `json:"reset"`
	Again    *Again   `json:"again"` // its prompt waits to be sent again
}

// Again is a failed prompt that is sent again by itself: when, and the how-manieth
// try of how many that is.
type Again struct {
	At   int64 `json:"at"`
	Try  int   `json:"try"`
	Most int   `json:"most"`
}

// Detail is one line of a card's technical details.
type Detail struct {
	Label Phrase `json:"label"`
	Text  string `json:"text"` // sanitised
}

// Ask is a request of the agent that waits for an answer.
type Ask struct {
	ID      string      `json:"id"`
	Heading Phrase      `json:"heading"`
	Tool    Tool        `json:"tool"`
	Options []AskOption `json:"options"` // the agent's own, in its order
	Inside  bool        `json:"inside"`  // all files it names are inside the task's folder
}

// AskOption is one answer. Kind is ACP's: allow_once, allow_always, reject_once, reject_always.
type AskOption struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// Queued is a prompt that waits.
type Queued struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	More int    `json:"more"` // attachments
}

// Option is a model, a mode or another choice that the agent offers.
type Option struct {
	ID       string   `json:"id"`
	Category string   `json:"category"`
	Name     string   `json:"name"`
	Current  string   `json:"current"`
	Choices  []Choice `json:"choices"`
}

// Choice is one value of an Option.
type Choice struct {
	Value       string `json:"value"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Command is a slash command that the agent offers.
type Command struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Hint        string `json:"hint"`
}

// Usage is the agent's word about its context window and cost.
type Usage struct {
	Used     int64   `json:"used"`
	Size     int64   `json:"size"`
	Cost     float64 `json:"cost"`
	Currency string  `json:"currency"`
}

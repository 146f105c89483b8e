package window

// Auto is what auto-resume may do in a session, what it means to do, and the last
// that it said.
type Auto struct {
	Choice string    `json:"choice"` // of the task: "", off, notify, safe, full
	Folder string    `json:"folder"` // of its folder
	Now    string    `json:"now"`    // what holds: off, notify, safe, full
	Soon   *AutoSoon `json:"soon"`   // announced, and not done yet
	Said   *AutoSaid `json:"said"`   // a notice, a cancel, or that it has given up
}

// AutoSoon is something that will be done by itself, unless somebody stops it.
type AutoSoon struct {
	What Phrase `json:"what"` // what will be done
	Why  Phrase `json:"why"`
	Due  int64  `json:"due"`
}

// AutoSaid is something that auto-resume has said of the last turn.
type AutoSaid struct {
	Act  string `json:"act"` // notice, cancel, give_up
	What Phrase `json:"what"`
	Why  Phrase `json:"why"`
	Kind string `json:"kind"` // what SendAuto may send for it; "" where nothing is
}

// AutoRow is a row of the ledger, newest first.
type AutoRow struct {
	ID      int64  `json:"id"`
	Task    string `json:"task"`
	Session string `json:"session"`
	Turn    uint64 `json:"turn"`
	At      int64  `json:"at"`
	Row     uint64 `json:"row"` // its number within a run of Turnwatch
	Of      uint64 `json:"of"`  // the row of the session, older and nearest, that it is about; 0 for none
	Act     string `json:"act"` // announce, withdraw, prompt, cancel, notice, give_up, task_complete.reply, outcome
	What    Phrase `json:"what"`
	Why     Phrase `json:"why"`
	Count   int    `json:"count"` // of prompt: the how manyth since the user spoke
}

// AutoPrefs is what the user has chosen about auto-resume beside the tasks.
type AutoPrefs struct {
	Stopped bool         `json:"stopped"` // all automation
	Folders []AutoFolder `json:"folders"`
	Numbers []AutoNumber `json:"numbers"`
	Marks   []AutoSwitch `json:"marks"` // detectors
	Words   []AutoWord   `json:"words"`
}

// AutoFolder is a folder with a choice of its own.
type AutoFolder struct {
	Dir    string `json:"dir"`
	Choice string `json:"choice"`
}

// AutoNumber is a number of the policy with its bounds. Times are in ms.
type AutoNumber struct {
	Name   string `json:"name"`
	Value  int64  `json:"value"`
	Usual  int64  `json:"usual"`
	Min    int64  `json:"min"`
	Max    int64  `json:"max"`
	Reason string `json:"reason"` // in English, why it is bounded so
}

// AutoSwitch is a detector that may be switched off.
type AutoSwitch struct {
	Name string `json:"name"`
	On   bool   `json:"on"`
}

// AutoWord is the text of one kind of prompt.
type AutoWord struct {
	Kind  string `json:"kind"`
	Name  string `json:"name"` // of the option that changes it; "" where none does
	Text  string `json:"text"`
	Usual string `json:"usual"`
}

package window

// Error is an error in words of the page. As text it is a JSON object, because
// a rejected call carries text alone.
type Error struct {
	Key  string            `json:"key"`
	Args map[string]string `json:"args,omitempty"`
}

// List is what the Tasks screen shows at first.
type List struct {
	Rows    []Row   `json:"rows"`
	Agents  []Agent `json:"agents"` // empty until the first look is over
	Looked  bool    `json:"looked"` // the look for agents is over
	Batch   uint64  `json:"batch"`  // N of the last batch that is in it
	Trouble *Phrase `json:"trouble"`
	Stopped bool    `json:"stopped"` // all automation, by the user
}

// Agent is an agent that was found, could be installed, or is built in.
type Agent struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Version string `json:"version"`
	Line    string `json:"line"`  // the exact launch line
	Ready   bool   `json:"ready"` // it can be launched
	Hint    Phrase `json:"hint"`  // what is missing
	BuiltIn bool   `json:"built_in"`
}

// Opened is an open task: its session and the newest page of its transcript.
type Opened struct {
	Session  Session   `json:"session"`
	Sessions []Earlier `json:"sessions"` // of the task, newest first
	Page     Page      `json:"page"`
	Batch    uint64    `json:"batch"`
}

// Earlier is a session of a task in the session picker.
type Earlier struct {
	Session string `json:"session"`
	Title   string `json:"title"`
	Started int64  `json:"started"`
	Turns   int    `json:"turns"`
}

// NewTask is what the user asks for on the first-start screen or by New task.
type NewTask struct {
	Dir     string            `json:"dir"`
	Agent   string            `json:"agent"`
	Command string            `json:"command"` // a command line of the user's, for an agent that is not known
	Title   string            `json:"title"`
	Options map[string]string `json:"options"`
	Draft   Draft             `json:"draft"`
}

// Draft is a prompt as the composer has it.
type Draft struct {
	Text  string   `json:"text"`
	Files []string `json:"files"` // paths inside the folder, mentioned with @
	Blobs []Blob   `json:"blobs"` // pasted or dropped
}

// Blob is a file or image that was pasted or dropped; Data is base64.
type Blob struct {
	Name string `json:"name"`
	Mime string `json:"mime"`
	Data string `json:"data"`
}

// Folder is what is known of a folder before a task works in it.
type Folder struct {
	Dir     string   `json:"dir"`
	Trusted bool     `json:"trusted"`
	Git     bool     `json:"git"`
	Others  []string `json:"others"` // titles of tasks that run in it now
}

// Found is a place in a transcript or in the whole history.
type Found struct {
	Task    string `json:"task"`
	Title   string `json:"title"`
	Session string `json:"session"`
	Turn    uint64 `json:"turn"`
	Seq     uint64 `json:"seq"`
	Kind    string `json:"kind"`
	At      int64  `json:"at"`
	Snippet []Span `json:"snippet"`
}

// Span is a piece of a snippet; Match marks what was looked for.
type Span struct {
	Text  string `json:"text"`
	Match bool   `json:"match"`
}

// Changes is what a turn changed in the folder.
type Changes struct {
	Files []Diff `json:"files"`
	From  string `json:"from"` // git, or agent: as the agent reported it
	Note  Phrase `json:"note"` // a limit to be named; key "" where there is none
	Cut   bool   `json:"cut"`
}

// Past is one turn in the history.
type Past struct {
	Task    string `json:"task"`
	Session string `json:"session"`
	Title   string `json:"title"`
	Agent   string `json:"agent"`
	Turn    uint64 `json:"turn"`
	Prompt  string `json:"prompt"` // its first line
	Started int64  `json:"started"`
	Ended   int64  `json:"ended"`
	Outcome string `json:"outcome"`
	Code    string `json:"code"`
}

// Prefs are the user's settings. Theme is system, light or dark; Language a tag
// of locales/, or "" for the system's.
type Prefs struct {
	Theme    string   `json:"theme"`
	Language string   `json:"language"`
	Trusted  []string `json:"trusted"`
	// Keep is how much is kept and for how long; Set leaves it alone where it is missing.
	Keep *Keep `json:"keep,omitempty"`
	// Commands are command lines that were allowed once; Set can take some away, and
	// leaves them alone where they are missing.
	Commands []string `json:"commands"`
	// File is where all this stands, and Trouble why it is not in force. Set looks at
	// neither.
	File    string   `json:"file"`
	Trouble *Trouble `json:"trouble"`
}

// Keep says how much is kept; 0 is no limit, or never.
type Keep struct {
	Days  int `json:"days"`  // a transcript, after its session last changed
	MiB   int `json:"mib"`   // the whole history
	Idle  int `json:"idle"`  // minutes of an idle agent
	Purge int `json:"purge"` // days of a deleted task
}

// Vocabulary is every sentence of a language by its key: a text, or an object of
// plural forms. What the language lacks is English.
type Vocabulary struct {
	Tag      string         `json:"tag"` // BCP 47
	Messages map[string]any `json:"messages"`
}

// About says what the program is.
type About struct {
	Version   string   `json:"version"`
	Licence   string   `json:"licence"`
	DataDir   string   `json:"data_dir"`
	Languages []string `json:"languages"` // tags that Words knows
	System    string   `json:"system"`    // linux/amd64
	Go        string   `json:"go"`        // what it was built with
}

package window

// Part is one entry of a transcript. Kind is prompt, text, thought, tool, plan or
// other. Seq counts within the session and never changes.
type Part struct {
	Seq    uint64  `json:"seq"`
	Turn   uint64  `json:"turn"` // the generation
	Kind   string  `json:"kind"`
	Key    string  `json:"key"`
	At     int64   `json:"at"`
	Text   string  `json:"text"`
	Blocks []Block `json:"blocks"`
	Tool   *Tool   `json:"tool"`
	Plan   []Entry `json:"plan"`
	Raw    string  `json:"raw"` // of other: JSON as it came, bounded
	Late   bool    `json:"late"`
	Marked bool    `json:"marked"` // the agent's own error or progress form
	Auto   *Mark   `json:"auto"`   // of a prompt that auto-resume has sent
	Try    int     `json:"try"`    // of a prompt that was sent again by itself: how often; else 0
}

// Mark says what a prompt of auto-resume is about, and the how manyth it is since
// the user spoke.
type Mark struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// Block is content that is not plain text. Data is base64 and only there for
// images that the page may show (png, jpeg, gif, webp).
type Block struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	Mime string `json:"mime"`
	Data string `json:"data"`
	URI  string `json:"uri"`
}

// Tool is a tool call as it stands.
type Tool struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Status string `json:"status"`
	Took   int64  `json:"took"` // ms; -1 while open or not known
	Output string `json:"output"`
	Input  string `json:"input"` // JSON, indented
	Diffs  []Diff `json:"diffs"`
	Places []Spot `json:"places"`
	Cut    bool   `json:"cut"` // output or diff was cut to what a screen can hold
}

// Diff is a change to one file as lines.
type Diff struct {
	Path    string `json:"path"`
	New     bool   `json:"new"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
	Hunks   []Hunk `json:"hunks"`
}

// Hunk is a run of lines of a diff, with the 1-based line numbers it starts at.
type Hunk struct {
	Old   int    `json:"old"`
	New   int    `json:"new"`
	Lines []Line `json:"lines"`
}

// Line is one line of a hunk: op is " ", "+" or "-".
type Line struct {
	Op   string `json:"op"`
	Text string `json:"text"`
}

// Spot is a place in a file.
type Spot struct {
	Path string `json:"path"`
	Line int    `json:"line"`
}

// Entry is one line of a plan.
type Entry struct {
	Content  string `json:"content"`
	Status   string `json:"status"`
	Priority string `json:"priority"`
}

// Page is a run of a transcript, oldest first.
type Page struct {
	Parts []Part `json:"parts"`
	First bool   `json:"first"` // nothing stands before it
}

// Op is one change to the transcript of the open session: a part set whole, or
// text added to one. Offset is the length in UTF-8 bytes of the text before.
type Op struct {
	Set    *Part  `json:"set,omitempty"`
	Seq    uint64 `json:"seq,omitempty"`
	Offset int    `json:"offset,omitempty"`
	Add    string `json:"add,omitempty"`
}

// Batch is everything that changed since the batch before, at most 30 a second.
// The page applies it in one state write. N counts up by one; a gap means that
// the page must ask for everything anew.
type Batch struct {
	N       uint64   `json:"n"`
	Rows    []Row    `json:"rows,omitempty"`    // tasks that are new or changed
	Gone    []string `json:"gone,omitempty"`    // tasks that are not in the list any more
	Session *Session `json:"session,omitempty"` // the open one, when anything but its transcript changed
	Of      string   `json:"of,omitempty"`      // the session that Ops belong to
	Ops     []Op     `json:"ops,omitempty"`
	Health  *Phrase  `json:"health,omitempty"`  // trouble with the history; key "" when it is over
	Stopped *bool    `json:"stopped,omitempty"` // all automation, when that has changed
}

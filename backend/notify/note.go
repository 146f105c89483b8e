package notify

// Note is a notification in words.
type Note struct {
	ID     string // of the Desk; one with the same ID is replaced
	Title  string
	Body   string
	Action string // what its button says
}

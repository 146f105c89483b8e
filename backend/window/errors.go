package window

import "encoding/json"

// Error is the JSON of the error: a key and its arguments.
func (e *Error) Error() string {
	b, err := json.Marshal(e)
	if err != nil {
		return `{"key":"error.unknown"}`
	}
	return string(b)
}

package diagnose

import (
	"bytes"
	"unicode/utf8"

	"turnwatch/backend/redact"
)

// Bounds of a line.
const (
	LongestLine = 64 << 10 // bytes; a longer line carries no record
	mostFields  = 64
	longestKey  = 128 // bytes
)

// record is what is read of one line: the values of the fields that matter. They
// point into the line or into memory of their own; nil is a field that is not
// there.
type record struct {
	stamp    []byte // timestamp
	level    []byte
	message  []byte
	provider []byte // providerID
	model    []byte // modelID
	session  []byte // session.id
	small    []byte
	agent    []byte
	failure  []byte // error.error, or error.error.message
	action   []byte // action_url
}

// parse reads the fields of a line: KEY=VALUE parted by blanks, a value bare or a
// JSON string that ends the field. A duplicate key, a broken quote, an invalid
// character, too many fields or a line that is too long: no record.
func parse(line []byte) (record, bool) {
	var r record
	if len(line) > LongestLine || !utf8.Valid(line) {
		return r, false
	}
	if bytes.IndexByte(line, 0x1b) >= 0 {
		line = redact.Terminal(line)
	}
	var seen keys
	s := scanner{rest: line}
	for s.more() {
		key, ok := s.key()
		if !ok || !seen.add(key) {
			return r, false
		}
		slot := r.slot(key)
		value, ok := s.value(slot != nil)
		if !ok {
			return r, false
		}
		if slot == nil {
			continue
		}
		if *slot != nil {
			return r, false // two keys that mean the same
		}
		*slot = value
	}
	return r, seen.n > 0
}

// slot is where the value of a key goes; nil for a key that does not matter.
func (r *record) slot(key []byte) *[]byte {
	switch string(key) {
	case "timestamp":
		return &r.stamp
	case "level":
		return &r.level
	case "message":
		return &r.message
	case "providerID":
		return &r.provider
	case "modelID":
		return &r.model
	case "session.id":
		return &r.session
	case "small":
		return &r.small
	case "agent":
		return &r.agent
	case "error.error", "error.error.message":
		return &r.failure
	case "action_url", "error.action_url", "error.error.action_url":
		return &r.action
	}
	return nil
}

// keys are the keys of a line so far.
type keys struct {
	all [mostFields][]byte
	n   int
}

// add takes one more key; false where it is there already or there are too many.
func (k *keys) add(key []byte) bool {
	if k.n == mostFields {
		return false
	}
	for _, have := range k.all[:k.n] {
		if len(have) == len(key) && string(have) == string(key) {
			return false
		}
	}
	k.all[k.n] = key
	k.n++
	return true
}

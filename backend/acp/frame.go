package acp

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const methodUpdate = "session/update"

var (
	errNoMessage = errors.New("no message")
	errBatch     = errors.New("batch of messages")
)

// frame is one message. All of it but the strings points into the line.
type frame struct {
	method string         // "" for an answer
	id     jsontext.Value // nil where absent
	params jsontext.Value
	result jsontext.Value
	fault  jsontext.Value // the error object
	update Update         // where method is session/update; no stamp yet
}

// scanner decodes of each line what routing needs, in one pass. It belongs to one
// goroutine and remembers the strings that lines repeat, so that a small frame
// costs one allocation: its text.
type scanner struct {
	dec  *jsontext.Decoder
	opts []jsontext.Options
	buf  bytes.Buffer
	line []byte // what dec reads

	last    struct{ method, session, kind, message, tool string }
	scratch []byte
}

func newScanner() *scanner {
	return &scanner{dec: new(jsontext.Decoder), opts: []jsontext.Options{tolerant()}}
}

// tolerant is how this room reads JSON: agents repeat names and send broken
// UTF-8, and neither is a reason to lose a message.
func tolerant() json.Options {
	return json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// scan reads one line. errBatch is an array of messages, errNoMessage anything
// else that is none.
func (s *scanner) scan(line []byte) (frame, error) {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))) // some programs start with the mark
	if len(line) == 0 || line[0] != '{' {
		return frame{}, s.refuse(line)
	}
	var f frame
	if err := s.message(line, &f); err != nil || f.method == "" && f.id == nil {
		return frame{}, errNoMessage
	}
	if f.method == methodUpdate && f.update.Params == nil && f.params != nil {
		s.reset(f.params) // they came before the method: read them again
		if err := s.readParams(&f); err != nil {
			return frame{}, errNoMessage
		}
	}
	return f, nil
}

func (s *scanner) refuse(line []byte) error {
	if len(line) > 1 && line[0] == '[' && bytes.HasPrefix(bytes.TrimSpace(line[1:]), []byte("{")) &&
		jsontext.Value(line).IsValid(s.opts...) {
		return errBatch
	}
	return errNoMessage
}

// reset makes the decoder read line in place.
func (s *scanner) reset(line []byte) {
	s.line = line
	s.buf = *bytes.NewBuffer(line)
	s.dec.Reset(&s.buf, s.opts...)
}

// message reads the members of the message object.
func (s *scanner) message(line []byte, f *frame) error {
	s.reset(line)
	_, err := s.members(func(name []byte) (err error) {
		switch string(name) {
		case `"method"`:
			f.method, err = s.text(&s.last.method)
			if err == nil && f.method == "" {
				err = errNoMessage
			}
		case `"id"`:
			f.id, err = s.value()
		case `"params"`:
			if f.method == methodUpdate {
				return s.readParams(f)
			}
			f.params, err = s.value()
		case `"result"`:
			f.result, err = s.value()
		case `"error"`:
			f.fault, err = s.value()
		default:
			_, err = s.value()
		}
		return err
	})
	if err == nil && s.dec.InputOffset() != int64(len(line)) {
		err = errNoMessage // something follows the object
	}
	return err
}

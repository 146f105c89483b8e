package acp

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"turnwatch/backend/agent"
)

// maxKept is the longest string that the scanner remembers, in bytes.
const maxKept = 256

// readParams reads the parameters of a session/update, at which the decoder
// stands. Parameters of another shape than an object are kept and hold nothing.
func (s *scanner) readParams(f *frame) (err error) {
	u := &f.update
	*u = Update{}
	if s.dec.PeekKind() != '{' {
		u.Params, err = s.value()
		f.params = u.Params
		return err
	}
	u.Params, err = s.members(func(name []byte) (err error) {
		switch string(name) {
		case `"sessionId"`:
			var id string
			id, err = s.text(&s.last.session)
			u.Session = agent.ProviderSession(id)
		case `"update"`:
			err = s.readUpdate(u)
		default:
			_, err = s.value()
		}
		return err
	})
	f.params = u.Params
	return err
}

// readUpdate reads the update object: its kind, its ids and, of a chunk, its
// text.
func (s *scanner) readUpdate(u *Update) (err error) {
	if s.dec.PeekKind() != '{' {
		u.Raw, err = s.value()
		return err
	}
	var text jsontext.Value
	u.Raw, err = s.members(func(name []byte) (err error) {
		var v string
		switch string(name) {
		case `"sessionUpdate"`:
			v, err = s.text(&s.last.kind)
			u.Kind = agent.UpdateKind(v)
		case `"messageId"`:
			u.MessageID, err = s.text(&s.last.message)
		case `"toolCallId"`:
			u.ToolCallID, err = s.text(&s.last.tool)
		case `"content"`:
			text, u.plain, err = s.readContent()
		default:
			_, err = s.value()
		}
		return err
	})
	if err == nil && text != nil && chunk(u.Kind) {
		u.Text = s.unquote(text)
	} else {
		u.plain = false
	}
	return err
}

// readContent finds the text of one content block, still quoted, and tells
// whether the block is of the type text.
func (s *scanner) readContent() (text jsontext.Value, plain bool, err error) {
	if s.dec.PeekKind() != '{' {
		_, err = s.value()
		return nil, false, err
	}
	_, err = s.members(func(name []byte) error {
		v, err := s.value()
		switch string(name) {
		case `"type"`:
			plain = string(v) == `"text"`
		case `"text"`:
			if v.Kind() == '"' {
				text = v
			}
		}
		return err
	})
	return text, plain, err
}

func chunk(k agent.UpdateKind) bool {
	return k == agent.MessageChunk || k == agent.ThoughtChunk || k == agent.UserChunk
}

// members reads an object and calls f with each quoted name; f reads the value.
// It returns the whole object as it stands in the line.
func (s *scanner) members(f func(name []byte) error) (jsontext.Value, error) {
	if _, err := s.dec.ReadToken(); err != nil {
		return nil, err
	}
	start := s.dec.InputOffset() - 1
	for s.dec.PeekKind() != '}' {
		name, err := s.dec.ReadValue()
		if err != nil {
			return nil, err
		}
		if bytes.IndexByte(name, '\\') >= 0 {
			name = plainName(name)
		}
		if err := f(name); err != nil {
			return nil, err
		}
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return nil, err
	}
	return s.line[start:s.dec.InputOffset()], nil
}

// plainName writes a quoted name without needless escapes.
func plainName(name jsontext.Value) []byte {
	b, err := jsontext.AppendUnquote(nil, name)
	if err != nil {
		return name
	}
	b, err = jsontext.AppendQuote(nil, b)
	if err != nil {
		return name
	}
	return b
}

// value reads one value and returns it as it stands in the line, valid as long
// as the line.
func (s *scanner) value() (jsontext.Value, error) {
	v, err := s.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(s.dec.InputOffset())
	return s.line[end-len(v) : end : end], nil
}

// text reads one value as a short string that lines repeat; anything but a
// string is "". last is the one seen before, which is returned again without an
// allocation where the two are equal. A long one is not remembered.
func (s *scanner) text(last *string) (string, error) {
	v, err := s.value()
	if err != nil || v.Kind() != '"' {
		return "", err
	}
	if string(v[1:len(v)-1]) != *last || bytes.IndexByte(v, '\\') >= 0 {
		t := s.unquote(v)
		if len(t) > maxKept {
			return t, nil
		}
		*last = t
	}
	return *last, nil
}

// unquote returns the text of a quoted string with broken UTF-8 replaced.
func (s *scanner) unquote(v jsontext.Value) string {
	if in := v[1 : len(v)-1]; bytes.IndexByte(in, '\\') < 0 && utf8.Valid(in) {
		return string(in)
	}
	s.scratch, _ = jsontext.AppendUnquote(s.scratch[:0], v)
	t := string(s.scratch)
	if cap(s.scratch) > keepBuffer {
		s.scratch = nil
	}
	return t
}

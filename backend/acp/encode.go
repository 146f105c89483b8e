package acp

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// encodeCall is the line of a request, or with id 0 of a notification. Absent
// parameters are left out.
func encodeCall(method string, id uint64, params any) ([]byte, error) {
	b := []byte(`{"jsonrpc":"2.0"`)
	if id != 0 {
		b = strconv.AppendUint(append(b, `,"id":`...), id, 10)
	}
	b, err := jsontext.AppendQuote(append(b, `,"method":`...), method)
	if err != nil {
		return nil, fmt.Errorf("encode method: %w", err)
	}
	if params != nil {
		v, err := encode(params)
		if err != nil {
			return nil, fmt.Errorf("encode parameters of %s: %w", method, err)
		}
		b = append(append(b, `,"params":`...), v...)
	}
	return append(b, '}', '\n'), nil
}

// encodeResult is the line of an answer.
func encodeResult(id jsontext.Value, result any) ([]byte, error) {
	v, err := encode(result)
	if err != nil {
		return nil, fmt.Errorf("encode result: %w", err)
	}
	return answerLine(id, `,"result":`, v), nil
}

// encodeError is the line of an error answer. Data that cannot be encoded is left
// out.
func encodeError(id jsontext.Value, code int, message string, data any) []byte {
	v := strconv.AppendInt([]byte(`{"code":`), int64(code), 10)
	v, _ = jsontext.AppendQuote(append(v, `,"message":`...), message) // broken UTF-8 is replaced
	if data != nil {
		if d, err := encode(data); err == nil {
			v = append(append(v, `,"data":`...), d...)
		}
	}
	return answerLine(id, `,"error":`, append(v, '}'))
}

func answerLine(id jsontext.Value, name string, v []byte) []byte {
	b := make([]byte, 0, len(id)+len(v)+40)
	b = append(append(b, `{"jsonrpc":"2.0","id":`...), id...)
	return append(append(append(b, name...), v...), '}', '\n')
}

// encode is one value on one line.
func encode(v any) (jsontext.Value, error) {
	b, err := json.Marshal(v, tolerant())
	if err != nil {
		return nil, err
	}
	out := jsontext.Value(b)
	if bytes.IndexByte(out, '\n') >= 0 {
		err = out.Compact()
	}
	return out, err
}

// decode reads a value into v with the tolerance of this room.
func decode(raw jsontext.Value, v any) error {
	return json.Unmarshal(raw, v, tolerant())
}

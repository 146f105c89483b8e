package acp

import (
	"math"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// str returns the text of a JSON string and "" for anything else.
func str(v jsontext.Value) string {
	var s string
	if v.Kind() != '"' || decode(v, &s) != nil {
		return ""
	}
	return s
}

// opt is a field that must not spoil the object it is in: what does not decode
// is as if it were absent.
type opt[T any] struct{ v T }

// UnmarshalJSONFrom reads one value whole and keeps it where it fits.
func (o *opt[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	var v T
	if json.Unmarshal(raw, &v, d.Options()) == nil {
		o.v = v
	}
	return nil
}

// list is an array of which every element that does not decode is left out. It is
// nil where there is no array, and empty where the array is.
type list[T any] []T

// UnmarshalJSONFrom reads one value whole and keeps the elements that fit.
func (l *list[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	raw, err := d.ReadValue()
	if err != nil || raw.Kind() != '[' {
		return err
	}
	var all []jsontext.Value
	if err := json.Unmarshal(raw, &all, d.Options()); err != nil {
		return err
	}
	*l = make(list[T], 0, len(all))
	for _, e := range all {
		var v T
		if json.Unmarshal(e, &v, d.Options()) == nil {
			*l = append(*l, v)
		}
	}
	return nil
}

// num is a number that may have come as a text; 0 where it is neither.
type num float64

// UnmarshalJSONFrom reads one value whole and keeps it where it is a number.
func (n *num) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	text := string(raw)
	if raw.Kind() == '"' {
		text = str(raw)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
		*n = num(f)
	}
	return nil
}

// whole is the number as an integer; 0 where it is none or too large for exact
// arithmetic.
func (n num) whole() int64 {
	if f := float64(n); f == math.Trunc(f) && math.Abs(f) <= 1<<53 {
		return int64(f)
	}
	return 0
}

// there is true for any value but null and false: ACP offers a capability by an
// object, some agents by true.
type there bool

// UnmarshalJSONFrom reads one value whole.
func (t *there) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	raw, err := d.ReadValue()
	*t = err == nil && raw.Kind() != 'n' && raw.Kind() != 'f'
	return err
}

// object decodes raw into v, or says that it is no object.
func object(raw jsontext.Value, v any) error {
	if raw.Kind() != '{' || decode(raw, v) != nil {
		return errShape
	}
	return nil
}

package terminal

import (
	"bytes"
	"unicode/utf8"
)

// Marks around what is pasted, from terminals that tell.
const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// decoder tells keys from what a terminal sends beside them. Sequences of the
// terminal (an arrow) and everything that is pasted are no keys of ours.
type decoder struct {
	pasting bool
	tail    []byte // of what is pasted: its end mark may come in two pieces
}

// keys splits what was read at once. An escape with nothing behind it is the key
// of that name.
func (d *decoder) keys(b []byte) []Key {
	var keys []Key
	for len(b) > 0 {
		switch {
		case d.pasting:
			b = d.pasted(b)
		case bytes.HasPrefix(b, []byte(pasteBegin)):
			d.pasting, b = true, b[len(pasteBegin):]
		case b[0] == 0x1b && len(b) > 1:
			b = b[sequence(b):]
		default:
			r, n := utf8.DecodeRune(b)
			if r != utf8.RuneError {
				keys = append(keys, Key(r))
			}
			b = b[n:]
		}
	}
	return keys
}

// pasted passes over what is pasted and gives what comes behind it.
func (d *decoder) pasted(b []byte) []byte {
	all := append(d.tail, b...)
	if i := bytes.Index(all, []byte(pasteEnd)); i >= 0 {
		d.pasting, d.tail = false, nil
		return all[i+len(pasteEnd):]
	}
	d.tail = bytes.Clone(all[max(0, len(all)-len(pasteEnd)+1):])
	return nil
}

// sequence is the length of the escape sequence that b begins with: ESC [ up to
// its last letter, ESC O and a letter, or ESC and one key (Alt). One that is cut
// off goes to the end.
func sequence(b []byte) int {
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			switch c := b[i]; {
			case c >= 0x40 && c <= 0x7e:
				return i + 1
			case c < 0x20 || c > 0x7e: // none after all
				return i
			}
		}
		return len(b)
	case 'O':
		return min(3, len(b))
	case 0x1b: // the key, and then something else
		return 1
	}
	_, n := utf8.DecodeRune(b[1:])
	return 1 + n
}

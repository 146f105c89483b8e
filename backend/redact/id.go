package redact

import "regexp"

// private finds what an id of a provider or model never is: an address, an
// account, a mailbox, a key.
var private = regexp.MustCompile(`(?i)^[/.~]|:/|//|\bwww\.|(?:wrk|ses|org|acct|acc|usr|user|cus)_|\borg-[a-z0-9]{6}|@[^/]*\.[a-z]{2,}$|^(?:data|javascript|mailto|file):|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}`)

// ID reports whether the id of a provider or a model may be shown: 1 to 128
// characters of [A-Za-z0-9._:/@+-], and neither an address nor a path, an account,
// a mailbox or a credential.
func ID(id string) bool {
	if id == "" || len(id) > 128 {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case c == '.', c == '_', c == ':', c == '/', c == '@', c == '+', c == '-':
		default:
			return false
		}
	}
	if private.MatchString(id) {
		return false
	}
	of := shapeOf(id)
	for _, p := range credentials {
		if p.over(id, of) != id {
			return false
		}
	}
	return true
}

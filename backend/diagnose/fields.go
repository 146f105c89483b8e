package diagnose

import (
	"strings"
	"time"

	"turnwatch/backend/redact"
)

// longestID is the most bytes of a session, provider or model id.
const longestID = 128

// session reports whether bytes have the form of a session id.
func session(id []byte) bool {
	const prefix = "ses_"
	if len(id) <= len(prefix) || len(id) > longestID || string(id[:len(prefix)]) != prefix {
		return false
	}
	for _, c := range id[len(prefix):] {
		if !plain(c) && !strings.ContainsRune("._:/-", rune(c)) {
			return false
		}
	}
	return true
}

// name is a provider or model id that may be shown, or "".
func name(id []byte) string {
	if s := string(id); redact.ID(s) {
		return s
	}
	return ""
}

func plain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// instant reads the time of a record: RFC 3339, as OpenCode writes it.
func instant(b []byte) (time.Time, bool) {
	if len(b) < len("2006-01-02T15:04:05Z") || len(b) > 40 {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339, string(b))
	if err != nil || t.Year() < 1970 || t.Year() > 9998 {
		return time.Time{}, false
	}
	return t.UTC(), true
}

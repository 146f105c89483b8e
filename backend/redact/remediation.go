package redact

// Bounds of a remediation link.
const (
	longestLink = 256
	longestID   = 128
	linkHead    = "https://opencode.ai/workspace/"
	linkTail    = "/go"
)

// Remediation reports whether a text is, byte for byte, a link that may be
// offered and opened: https://opencode.ai/workspace/ID/go, with an ID of 1 to 128
// letters, digits, "_" or "-", and nothing before or after. It never changes or
// completes one.
func Remediation(link string) bool {
	if len(link) > longestLink || len(link) <= len(linkHead)+len(linkTail) ||
		link[:len(linkHead)] != linkHead || link[len(link)-len(linkTail):] != linkTail {
		return false
	}
	id := link[len(linkHead) : len(link)-len(linkTail)]
	if len(id) > longestID {
		return false
	}
	for i := range len(id) {
		c := id[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

package diagnose_test

import "strings"

// The record that OpenCode 1.18.33 writes for a used-up limit, and its parts.
const (
	head  = `timestamp=2026-11-30T17:15:33.855Z level=ERROR run=a1035371 message="stream error" `
	ids   = `providerID=fake modelID=main session.id=ses_1 `
	whose = `small=false agent=build mode=primary `
	said  = `error.error="AI_APICallError: 5-hour usage limit reached. Resets in 2hr 7min. To continue using this model now, enable usage from your available balance: https://opencode.ai/workspace/wrk_01AbC/go"`
	limit = head + ids + whose + said
)

// swap is the record with something in another form.
func swap(old, put string) string {
	if !strings.Contains(limit, old) {
		panic("the record has no " + old)
	}
	return strings.Replace(limit, old, put, 1)
}

// saying is the record with another error in it, quoted as OpenCode quotes.
func saying(text string) string {
	return head + ids + whose + `error.error=` + quote(text)
}

func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteString(`\t`)
		case 0x1b:
			b.WriteString("\\u001b")
		case 7:
			b.WriteString("\\u0007")
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

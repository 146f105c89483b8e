package locale

import "strings"

// PseudoTag is the language that nobody speaks: English with other letters, and
// longer. It shows what is not translated and what does not fit.
const PseudoTag = "en-XA"

var pseudoLetters = strings.NewReplacer(
	"a", "á", "e", "é", "i", "í", "o", "ö", "u", "ü", "c", "ç", "n", "ñ", "s", "š", "y", "ý", "z", "ž",
	"A", "Á", "E", "É", "I", "Í", "O", "Ö", "U", "Ü", "C", "Ç", "N", "Ñ", "S", "Š", "Y", "Ý", "Z", "Ž",
)

// Pseudo makes the pseudo language from English messages: texts, or plural forms
// by category. Placeholders stay as they are.
func Pseudo(messages map[string]any) map[string]any {
	out := make(map[string]any, len(messages))
	for k, v := range messages {
		switch v := v.(type) {
		case string:
			out[k] = pseudo(v)
		case map[string]any:
			out[k] = Pseudo(v)
		default:
			out[k] = v
		}
	}
	return out
}

// pseudo makes one sentence a third longer and puts brackets around it, so that
// one that is cut off is seen.
func pseudo(s string) string {
	var b strings.Builder
	b.WriteString("[")
	letters := 0
	for rest := s; rest != ""; {
		plain, after, found := strings.Cut(rest, "{{")
		b.WriteString(pseudoLetters.Replace(plain))
		letters += len(plain)
		if !found {
			break
		}
		inner, behind, closed := strings.Cut(after, "}}")
		b.WriteString("{{" + inner)
		if closed {
			b.WriteString("}}")
		}
		rest = behind
	}
	b.WriteString(strings.Repeat("~", letters/3) + "]")
	return b.String()
}

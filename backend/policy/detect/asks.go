package detect

import (
	"regexp"
	"strings"
	"unicode"
)

// AsksUser reports whether the message ends with a question to the user, or asks
// him to confirm or to choose. A list of choices may follow the question.
func (t Text) AsksUser() bool {
	for i, line := range t.last(mostLines) {
		if line == hidden {
			continue
		}
		item := listItem.MatchString(line)
		if asks(line) {
			return !item || i == 0 || endsAsking(line)
		}
		if !item {
			return false
		}
	}
	return false
}

// longestAsking is how much of the end of a line is read for a request, in bytes.
const longestAsking = 400

func asks(line string) bool {
	if endsAsking(line) {
		return true
	}
	if over := len(line) - longestAsking; over > 0 {
		line = strings.ToValidUTF8(line[over:], "")
	}
	return asking.MatchString(straighten(line)) || askingElse.MatchString(line)
}

// endsAsking reports whether a line ends in a question mark: emphasis, brackets,
// emoji and an exclamation mark may follow it, a quotation mark may not.
func endsAsking(line string) bool {
	s := strings.TrimRightFunc(line, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("*_~)]!）】\uFE0F", r) || unicode.Is(unicode.So, r) && r != '\uFFFC'
	})
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(s, "؟")
}

var (
	listItem = regexp.MustCompile(`^(?:[-*+•]|\(?\d{1,3}[.)]|\(?[A-Za-z][.)])\s+`)

	// asking are the English ways to ask for a decision without a question mark.
	asking = regexp.MustCompile(`(?i)\b(?:` + strings.Join([]string{
		`please (?:confirm|choose|select|pick|decide|advise|clarify|specify|approve|tell me|let me know (?:which|what|whether|how|if (?:i|you|that|this))|review and (?:confirm|approve))`,
		`(?:confirm|reply|respond|answer|say|type)(?: with)? ["']?(?:yes|no|ok|y|to (?:continue|proceed|go on))\b`,
		`let me know (?:which|what|whether|how (?:you|to|i)|your (?:choice|preference|decision)|if (?:you'd|you would|you) (?:like|want|prefer) (?:me|to|this|that|it|another|a different)|if i (?:should|may|can)|if (?:this|that) (?:is ok|is okay|is fine|works|sounds)|when (?:i|you) )`,
		`tell me (?:which|what|whether|how you|if (?:i|you))`,
		`(?:confirm|choose|select|pick) (?:one of|one\b|which|whether|an option|before i|if i|your)`,
		`(?:awaiting|waiting (?:for|on)|i need|need) your (?:confirmation|approval|input|decision|answer|reply|response|choice|go-ahead|feedback|permission|guidance)`,
		`would you like (?:me )?to`, `do you want me to`, `(?:^|[.!;:] )(?:should|shall) i `, `which (?:one|option|of these) (?:do|would|should)`,
	}, "|") + `)`)

	// askingElse are some in other languages.
	askingElse = regexp.MustCompile(`(?i)(?:` + strings.Join([]string{
		`por favor,? (?:confirm|elige|elija|escog|dime|decide|escolh|diga|selecc|selec)`, `\bd[ií]me (?:si|qu[eé]|cu[aá]l)`, `\bconf[ií]rma(?:me|lo)? (?:si|antes|que)`,
		`\bbitte (?:bestätig|wähl|entscheid|sag|teil|gib)`, `\b(?:soll|darf) ich `, `\bsag mir,? (?:ob|was|welch|wie)`,
		`\bveuillez (?:confirmer|choisir|préciser|indiquer|sélectionner)`, `\bdites-moi (?:si|ce que|quel)`, `\bmerci de (?:confirmer|choisir|préciser)`,
		`\b(?:conferma|confermi|scegli|scelga|dimmi) (?:se|quale|prima|una|che)`,
		`请(?:确认|选择|告诉我|告知|决定|指示)`, `(?:吗|呢)[。.]?$`, `確認してください`, `選んでください`, `選択してください`, `教えてください`, `(?:ますか|ですか|でしょうか)[。.]?$`,
		`확인해 ?주세요`, `선택해 ?주세요`, `알려 ?주세요`, `(?:까요|나요)[.]?$`, `подтвердите`, `выберите`, `скажите,? (?:как|что|нужно|ли)`,
	}, "|") + `)`)
)

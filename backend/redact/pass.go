package redact

import (
	"regexp"
	"slices"
	"strings"
)

// pass is one thing that is taken out of a text.
type pass struct {
	name  string
	need  string   // one of these characters is in every match; "" where none is
	words []string // one of these, in lower case, is in every match; nil where none is
	run   int      // every match has a run of so many word characters
	find  *regexp.Regexp
	put   string
}

// shape is what is known of a text before any pass goes over it. Passes only take
// out, so it stays true enough: nothing is there later that it says is not.
type shape struct {
	lower string
	run   int // the longest run of letters, digits and "+/_-"
}

func shapeOf(s string) shape {
	longest, run := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '+', c == '/', c == '_', c == '-':
			run++
			longest = max(longest, run)
		default:
			run = 0
		}
	}
	return shape{lower: strings.ToLower(s), run: longest}
}

// over takes out what the pass finds. Most texts have nothing of most things, so
// the expression is the last thing that is tried.
func (p pass) over(s string, of shape) string {
	if p.need != "" && !strings.ContainsAny(s, p.need) || p.run > of.run {
		return s
	}
	if p.words != nil && !slices.ContainsFunc(p.words, func(w string) bool { return strings.Contains(of.lower, w) }) {
		return s
	}
	return p.find.ReplaceAllString(s, p.put)
}

func find(name, need, expr string) pass {
	return pass{name: name, need: need, find: regexp.MustCompile(expr), put: " "}
}

// having is the pass with words without which it finds nothing.
func (p pass) having(words string) pass {
	p.words = strings.Fields(words)
	return p
}

// running is the pass with the length of a run without which it finds nothing.
func (p pass) running(n int) pass {
	p.run = n
	return p
}

// passes run in this order over text without control characters, in which every
// run of white space is one blank. Addresses come first, since they hold paths
// and credentials of their own. An expression puts a blank in the place of what it
// finds, so that no pass ever makes a text longer.
var passes = [][]pass{addresses, credentials, places}

// addresses are URLs of any scheme and case and what is like them.
var addresses = []pass{
	find("pem", "-", `-----BEGIN [A-Z0-9 ]+-----.*?(?:-----END [A-Z0-9 ]+-----|$)`).having("-----begin"),
	find("address", ":", `(?i)\b[a-z][a-z0-9+.-]{0,30}:(?:\\?/)+[^\s"'<>\x60)\]}]*`),
	find("bare address", ".:", `(?i)\b(?:www\.[^\s"'<>]+|mailto:\S+|data:[a-z]+/\S+|javascript:\S+|localhost:\d+\S*|(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?(?:/\S*)?)`).having("www. mailto: data: javascript: localhost: 0 1 2 3 4 5 6 7 8 9"),
	find("host and path", "/", `(?i)\b(?:[a-z0-9][a-z0-9-]{0,62}\.)+[a-z]{2,24}(?::\d{1,5})?/[^\s"'<>]*`),
	find("encoded address", "%", `(?i)[^\s"'<>]*%(?:2f|3a)[^\s"'<>]*`).having("%2f %3a"),
	find("six", ":", `(?i)(?:\b[0-9a-f]{1,4}:){4,}[0-9a-f:.]*`),
	find("query", "=", `[?&][\w.~-]+=[^\s"'<>]*`),
	find("mail", "@", `[\pL\pN._%+-]+@[\pL\pN-]+(?:\.[\pL\pN-]+)*`),
}

// secret are the words that name a credential.
const secret = `(?:api[ _-]?key|apikey|access[ _-]?key|account[ _-]?key|private[ _-]?key|shared[ _-]?key|signing[ _-]?key|encryption[ _-]?key|secret|passw(?:or)?d|passphrase|passcode|token|credential|auth[ _-]?key|session[ _-]?(?:key|id)|signature|pwd|nonce|otp|jsessionid|phpsessid)`

// stems are in every one of those words.
const stems = "key secret pass token credential session signature pwd nonce otp sessid"

// credentials are keys, tokens and passwords of every common kind.
var credentials = []pass{
	find("jwt", ".e", `\beyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){0,4}`).having("eyj"),
	find("cookie", ":=", `(?i)\b(?:set-)?cookie\\?["']?\s*[:=].*$`).having("cookie"),
	find("signed", ":=", `(?i)\b(?:proxy-)?authorization\\?["']?\s*[:=]\s*\\?["']?(?:digest|aws4-[a-z0-9-]+|oauth|hawk)\b.*$`).having("authorization"),
	find("authorization", ":=", `(?i)\b(?:proxy-)?authorization\\?["']?\s*[:=]\s*\\?["']?(?:[a-z]+ )?[^\s"',}]+`).having("authorization"),
	find("scheme", "", `(?i)\b(?:bearer|basic|negotiate|ntlm)\s+[A-Za-z0-9._~+/=-]{6,}`).having("bearer basic negotiate ntlm"),
	find("option", "-", `(?i)(?:^|[^\pL\pN_-])--?(?:[a-z]+-)*(?:`+secret+`|auth|key|user|header)(?:[= ]\s*)(?:"[^"]*"?|'[^']*'?|\S+)`).having(stems + " auth user header"),
	find("assignment", ":=", `(?i)\\?["']?[a-z0-9_.-]*`+secret+`[a-z0-9_-]*\\?["']?\s*(?:=>?|:)\s*(?:\\?"[^"]*"?|\\?'[^']*'?|[^\s"',;}]+)`).having(stems),
	find("spoken", "", `(?i)\b`+secret+`s? (?:provided|is|was|given|used|value|of|for|starting with|ending in)\b\s*[:=]?\s*(?:"[^"]*"?|'[^']*'?|\S*[\d_*]\S*)`).having(stems),
	find("login", "", `(?i)\blogin\s+\S+\s+password\s+\S+`).having("login"),
	find("sid", "=", `(?i)\b[\w.]*(?:sid|sig|hmac)=[^\s"',;}]+`).having("sid= sig= hmac="),
	find("environment", "=", `\b[A-Z][A-Z0-9]*_[A-Z0-9_]*=(?:"[^"]*"?|'[^']*'?|\S+)`),
	find("key", "-_", `\b(?:sk|pk|rk|sess|whsec|xai|gsk|r8|hf|glpat|gldt|glrt|glsa|npm|pypi|dop_v1|doo_v1|shpat|shpss|shpca|shppa|pplx|tvly|ntn|secret|lin_api|lsv2|figd|sbp|dckr_pat|phc|phx|key|nvapi|tgp_v1|fw|rnd|sntrys|sntryu|vercel|PMAK|EZAK|EZTK|GOCSPX|AGE-SECRET-KEY|sq0atp|sq0csp|sqOatp|xapp|fm1|fm2|nfp|pul|rubygems|cio|CFPAT|ATATT|ATCTT|linear|atlasv1|hvs|api|tok|token|pat)[-_][A-Za-z0-9_.~+/=-]{4,}`),
	find("prefixed", "", `\b(?:SG\.|hv[sbr]\.|AIza|ya29\.|1//0|AKIA|ASIA|AROA|AIDA|ABIA|ACCA|xox[abeposr][-.]|gh[opsur]_|github_pat_|EAA[A-Za-z0-9]|dapi|AGPA|T3BlbkFJ|ATATT3|ops_ey|AAAA[A-Za-z0-9_-]{3,}:)[A-Za-z0-9_.:%/+-]{4,}`).having("sg. hvs. hvb. hvr. aiza ya29. 1//0 akia asia aroa aida abia acca xox gho_ ghp_ ghs_ ghu_ ghr_ github_pat_ eaa dapi agpa t3blbkfj atatt3 ops_ey aaaa"),
}

// account are the words for whose something is.
const account = `(?:workspace|account|acct|organi[sz]ation|org|tenant|customer|subscription|user|member|team|project|session|run|request|trace|span|thread|install(?:ation)?|device|client|correlation|message|invoice|billing)`

// places are identifiers and paths.
var places = []pass{
	find("identifier", "_-", `(?i)\b(?:wrk|ses|msg|run|req|prt|org|acct|acc|user|usr|proj|toolu|cus|sub|inst|evt|inv|team|ten|cust|pi|ch|price|prod|asst|thread|file|batch|chatcmpl|resp)_[a-z0-9_-]+|\b(?:ses|session|msg|run|req|request|org|organization|acct|acc|account|user|usr|proj|project|thread|turn|call|toolu|team|install|workspace|chatcmpl|resp|tenant|customer|trace)[_-][a-z0-9_-]*\d[a-z0-9_-]*|\borg-[a-z0-9]{10,}`),
	find("named id", "", `(?i)\b`+account+`(?:[ _-]?id|[ _-]?uuid| number| name)\\?["']?\s*[:=#(]?\s*\\?["']?[a-z0-9._-]*\d[a-z0-9._-]*`).having("id name number"),
	find("resource", "/", `(?i)\b`+account+`s?/[a-z0-9._-]*\d[a-z0-9._-]*`),
	find("arn", ":", `(?i)\barn:[a-z-]+:[^\s"'<>]+`).having("arn:"),
	find("uuid", "-", `(?i)\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b`),
	find("number", "0123456789", `\b\d{12,}\b`).running(12),
	find("hex", "0123456789", `(?i)\b(?:[0-9a-f]{2}:){7,}[0-9a-f]{2}\b|\b[0-9a-f]{24,}\b`),
	find("unc path", `\`, `\\\\[^\s"'<>|]+`),
	find("share", "/", `(^|[^\pL\pN_/.:])//[\pL\pN_.-]+(?:/[^\s"'<>,;)\]}]*)?`).keep("$1 "),
	find("windows path", ":", `\b[A-Za-z]:[\\/](?:[^\\/:*?"<>|]{1,64}[\\/])*[^\s\\/:*?"'<>|]*`),
	find("rooted path", `\`, `(^|[\s"'(=:,;])\\[\pL\pN_.~-]+(?:\\[^\s"'<>|]*)+`).keep("$1 "),
	find("variable path", "$%", `(?:\$\{?[A-Za-z_]\w*\}?|%[A-Za-z_]\w*%)[/\\][^\s"'<>,;)\]}]*`),
	find("quoted path", "/~", `"(?:~|\.{0,2}/)[^"]*"|'(?:~|\.{0,2}/)[^']*'|\x60(?:~|\.{0,2}/)[^\x60]*\x60`),
	find("home path", "~", `~[\w.-]*[/\\][^\s"'<>,;)\]}]*`),
	find("path", "/", `(^|[^\pL\pN_/.])\.{0,2}/[\pL\pN_.@~+-](?:[^\s"'<>,;)\]}]*[^\s"'<>,;:.)\]}])?(?: [\pL\pN_.-]+/[^\s"'<>,;)\]}]*)*`).keep("$1"),
	find("base64", "", `\b[A-Za-z0-9+/]{40,}={0,2}`).running(40),
	find("long run", "", `\b[A-Za-z0-9+_-]{32,}={0,2}`).running(32),
}

// keep is the pass with something else put in the place of what it finds.
func (p pass) keep(put string) pass {
	p.put = put
	return p
}

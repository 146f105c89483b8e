package redact

import "regexp"

// pass is one thing that is taken out of a text.
type pass struct {
	name string
	find *regexp.Regexp
	put  string
}

// passes run in this order over text without control characters, in which every
// run of white space is one blank. Addresses come first, since they hold paths
// and credentials of their own.
var passes = []pass{
	{"pem", regexp.MustCompile(`-----BEGIN [A-Z0-9 ]+-----.*?(?:-----END [A-Z0-9 ]+-----|$)`), " "},
	{"address", regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]{0,30}:/+[^\s"'<>\x60)\]}]*`), " "},
	{"bare address", regexp.MustCompile(`(?i)\b(?:www\.[^\s"'<>]+|mailto:\S+|data:[a-z]+/\S+|localhost:\d+\S*|(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?(?:/\S*)?)`), " "},
	{"jwt", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){0,4}`), " "},
	{"cookie", regexp.MustCompile(`(?i)\b(?:set-)?cookie\s*[:=].*?(?:$|" )`), " "},
	{"authorization", regexp.MustCompile(`(?i)\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:[a-z]+ )?[^\s"',}]+`), " "},
	{"scheme", regexp.MustCompile(`(?i)\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}`), " "},
	{"assignment", regexp.MustCompile(`(?i)["']?[a-z0-9_.-]*(?:api[ _-]?key|apikey|access[ _-]?key|private[ _-]?key|secret|passw(?:or)?d|passwd|passphrase|token|credential|auth[ _-]?key|session[ _-]?key)[a-z0-9_-]*["']?\s*(?:=>?|:)\s*(?:"[^"]*"?|'[^']*'?|[^\s"',;}]+)`), " "},
	{"environment", regexp.MustCompile(`\b[A-Z][A-Z0-9]*_[A-Z0-9_]*=(?:"[^"]*"?|'[^']*'?|\S+)`), " "},
	{"key", regexp.MustCompile(`\b(?:(?:sk|pk|rk|sess|whsec|xai|gsk|r8|hf|glpat|npm|dop_v1|shpat|pplx|tvly|ntn|lin_api|figd|sbp|dckr_pat|phc|key)[-_][A-Za-z0-9_.-]{4,}|(?:SG\.|AIza|ya29\.|AKIA|ASIA|xox[abposr]-|gh[opsur]_|github_pat_)[A-Za-z0-9_.-]{4,})`), " "},
	{"mail", regexp.MustCompile(`[\pL\pN._%+-]+@[\pL\pN-]+(?:\.[\pL\pN-]+)*`), " "},
	{"identifier", regexp.MustCompile(`(?i)\b(?:wrk|ses|msg|run|req|prt|org|acct|acc|user|usr|proj|toolu|cus|sub|inst)_[a-z0-9_-]+|\b(?:ses|session|msg|run|req|request|org|organization|acct|acc|account|user|usr|proj|project|thread|turn|call|toolu|team|install)[_-][a-z0-9_-]*\d[a-z0-9_-]*`), " "},
	{"uuid", regexp.MustCompile(`(?i)\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b`), " "},
	{"unc path", regexp.MustCompile(`\\\\[^\s"'<>|]+`), " "},
	{"windows path", regexp.MustCompile(`\b[A-Za-z]:[\\/](?:[^\\/:*?"<>|]{1,64}[\\/])*[^\s\\/:*?"'<>|]*`), " "},
	{"quoted path", regexp.MustCompile(`"(?:~|\.{0,2}/)[^"]*"|'(?:~|\.{0,2}/)[^']*'|\x60(?:~|\.{0,2}/)[^\x60]*\x60`), " "},
	{"home path", regexp.MustCompile(`~[\w.-]*[/\\][^\s"'<>,;)\]}]*`), " "},
	{"path", regexp.MustCompile(`(^|[^\pL\pN_/.])\.{0,2}/[\pL\pN_.@~+-](?:[^\s"'<>,;)\]}]*[^\s"'<>,;:.)\]}])?`), "$1"},
	{"long run", regexp.MustCompile(`\b[A-Za-z0-9+_-]{32,}={0,2}`), " "},
}

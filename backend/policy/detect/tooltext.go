package detect

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// shortestCall is the length up to which a text is too short to judge, in
// characters.
const shortestCall = 10

// The tags that models write calls with, as they were trained to or as they
// remember those of other programs.
const (
	callTags = `function_calls?|functions?|tool_calls?|tool_use|tool_code|toolcall|invoke|parameter|use_tool|use_mcp_tool|call_tool|execute_tool|tool_invocation`
	verbTags = `read|write|edit|bash|grep|glob|ls|shell|exec|execute|run|patch|webfetch|websearch|todowrite|todoread|multiedit|task|apply_patch|apply_diff|read_file|write_file|edit_file|create_file|delete_file|list_files|list_dir|search_files|search_replace|str_replace|str_replace_editor|str_replace_based_edit_tool|replace_in_file|write_to_file|insert_content|execute_command|run_command|run_terminal_cmd|run_shell_command|file_search|codebase_search|grep_search|list_code_definition_names|attempt_completion|ask_followup_question|new_task|switch_mode|browser_action|update_todo_list|todo_write|web_fetch|web_search|multi_edit`
)

// Each expression is anchored: it is asked at the places alone where its first
// character stands.
var (
	callOpener   = regexp.MustCompile(`^<(?:[A-Za-z][\w-]*:)?(?:` + callTags + `)\s*>`)
	callNamed    = regexp.MustCompile(`^<(?:[A-Za-z][\w-]*:)?(?:` + callTags + `)(?:\s*=\s*["']?[A-Za-z_][\w.:-]*|\s[^<>]{0,200}?\b(?:name|tool|tool_name|function)\s*=\s*["']?[A-Za-z_][\w.:-]*)`)
	callCloser   = regexp.MustCompile(`^</(?:` + callTags + `)\s*>`)
	vendorCloser = regexp.MustCompile(`^</[A-Za-z][\w-]*:(?:` + callTags + `)\s*>`)
	verbNamed    = regexp.MustCompile(`^<(?:` + verbTags + `)\s+[\w-]+\s*=\s*["'{]`)
	verbOpener   = regexp.MustCompile(`^<(` + verbTags + `)>`)
	child        = regexp.MustCompile(`^\s*<[a-zA-Z_][\w-]*>`)
	cutTag       = regexp.MustCompile(`^<(?:[a-z]+:)?([a-z_]{3,30})(?:[\s=][^<>\n]{0,300})?$`)
	plainWords   = regexp.MustCompile(`^[*_]*\s+(?:tags?|is|are|was|wraps?|means?|marks?|elements?|blocks?|tokens?|opens?|begins?|starts?|and|or|must|should|can|will|syntax|format)\b`)

	tokens   = regexp.MustCompile(`^(?:<\|tool_calls?>|\[/?TOOL_CALLS?\]|\[TOOL_REQUEST\]|<\|/?(?:tool_calls?|tool_call_begin|tool_call_end|tool_calls_section_begin|tool_calls_section_end|tool_call_argument_begin|python_tag|tool_sep|tool|function_call|action_start|call)\|>|<\|(?:FunctionCallBegin|FunctionCallEnd)\|>|<｜[^｜\n]{1,40}｜>|<[｜|]DSML[｜|]|<\|channel\|>commentary to=|<(?:start|end)_function_call>|<tool_call_(?:begin|end)>)`)
	cutToken = regexp.MustCompile(`^(?:\[TOOL_[A-Z]{0,5}|<\|(?:tool|python|function|FunctionCall)[A-Za-z_]{0,24}\|?|<｜tool[^｜\n]{0,30})$`)
)

// mostPlaces is how many places of a text are looked at closely, from the end.
const mostPlaces = 50

// ToolText reports whether a call of a tool was written out as text. Only the end
// matters: it is read backwards, and not all of a text that is full of what may be
// a call.
func (t Text) ToolText() bool {
	s := strings.TrimRight(t.prose, " \t\r\n")
	if len(t.raw) < 200 && utf8.RuneCountInString(strings.TrimSpace(t.raw)) <= shortestCall {
		return false
	}
	budget := 2 * longestJSON
	places := 0
	for at := strings.LastIndexAny(s, "<[{"); at >= 0 && places < mostPlaces; at = strings.LastIndexAny(s[:at], "<[{") {
		p := place{s, at, &budget}
		if !p.promising() {
			continue
		}
		places++
		if s[at] == '{' && p.jsonCall() || s[at] != '{' && p.tagCall() {
			return true
		}
	}
	for _, token := range []string{"✿FUNCTION✿", "✿ARGS✿"} {
		if i := strings.LastIndex(s, token); i >= 0 && (place{s: s, at: i}).lineStart() {
			return true
		}
	}
	return false
}

// promising is the cheap look: whether a call may begin here.
func (p place) promising() bool {
	rest := p.ahead()[1:]
	switch p.s[p.at] {
	case '{':
		rest = strings.TrimLeft(rest, " \t\r\n")
		return rest != "" && rest[0] == '"'
	case '[':
		return strings.HasPrefix(rest, "T") || strings.HasPrefix(rest, "/T")
	}
	if strings.HasPrefix(rest, "|") || strings.HasPrefix(rest, "｜") || p.at+longestTag >= len(p.s) {
		return true
	}
	rest = strings.TrimPrefix(rest, "/")
	n := 0
	for n < len(rest) && n < 60 && (letter(rest[n]) || digit(rest[n]) || strings.IndexByte("_-:", rest[n]) >= 0) {
		n++
	}
	name := rest[:n]
	name = name[strings.IndexByte(name, ':')+1:]
	return tagName(name)
}

// tagName reports whether a tag may be a call.
func tagName(name string) bool {
	const all = "|" + callTags + "|" + verbTags + "|tool_call_begin|tool_call_end|start_function_call|end_function_call|"
	return name != "" && (strings.Contains(all, "|"+name+"|") || strings.Contains(all, "|"+strings.TrimSuffix(name, "s")+"s?|"))
}

// place is a character of a text.
type place struct {
	s      string
	at     int
	budget *int // bytes that may still be read far ahead, in the whole text
}

// far is the text from a place on, as far as it may still be read.
func (p place) far() string {
	return p.s[p.at:min(len(p.s), p.at+max(0, min(longestJSON, *p.budget)))]
}

// longestTag is as far as a tag is read.
const longestTag = 512

func (p place) ahead() string { return p.s[p.at:min(len(p.s), p.at+longestTag)] }

// lineStart reports whether nothing but blanks and marks of lists stands before
// the place in its line.
func (p place) lineStart() bool {
	before := p.s[max(0, p.at-64):p.at]
	i := strings.LastIndexByte(before, '\n')
	return (i >= 0 || p.at < 64) && strings.Trim(before[i+1:], " \t\r*-•[") == ""
}

// quoted reports whether a quotation mark or the like stands right before it.
func (p place) quoted() bool {
	before := p.s[max(0, p.at-utf8.UTFMax):p.at]
	r, _ := utf8.DecodeLastRuneInString(before)
	return strings.ContainsRune(`"'“‘«„「『\`, r) && before != ""
}

// glued reports whether a character that is no blank stands right before it.
func (p place) glued() bool {
	return p.at > 0 && strings.IndexByte(" \t\r\n(", p.s[p.at-1]) < 0
}

// lineEnd reports whether nothing else stands in the line.
func lineEnd(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r")
	return rest == "" || rest[0] == '\n'
}

func (p place) tagCall() bool {
	ahead := p.ahead()
	if p.quoted() || len(ahead) < 3 {
		return false
	}
	start := p.lineStart()
	if m := tokens.FindString(ahead); m != "" {
		rest := ahead[len(m):]
		return start && !plainWords.MatchString(rest) || rest == "" || strings.IndexByte(" \t.,;:)", rest[0]) < 0
	}
	if p.at+longestTag >= len(p.s) && start && cutOff(ahead) {
		return true
	}
	if ahead[0] != '<' {
		return false
	}
	if ahead[1] == '/' {
		m := callCloser.FindString(ahead)
		return vendorCloser.MatchString(ahead) || m != "" && (start || p.glued() && p.s[p.at-1] != '>' || lineEnd(ahead[len(m):]))
	}
	if !letter(ahead[1]) {
		return false
	}
	if callNamed.MatchString(ahead) || verbNamed.MatchString(ahead) {
		return true
	}
	if m := callOpener.FindString(ahead); m != "" {
		return start && !plainWords.MatchString(ahead[len(m):])
	}
	if m := verbOpener.FindStringSubmatch(ahead); m != nil {
		return p.verb(m[1], len(m[0]), start)
	}
	return false
}

// verb judges a tag that is named for a tool: it has a child, or what it holds is
// closed.
func (p place) verb(name string, opener int, start bool) bool {
	rest := p.far()
	rest = rest[min(opener, len(rest)):]
	if start && child.MatchString(rest[:min(len(rest), longestTag)]) {
		return true
	}
	end := strings.Index(rest, "</"+name+">")
	*p.budget -= len(rest)
	if end > 0 {
		*p.budget += len(rest) - end
	}
	return end > 0 && strings.TrimSpace(rest[:end]) != "" && (start || !strings.Contains(rest[:end], "\n"))
}

// cutOff reports whether the text ends within the opener of a call.
func cutOff(ahead string) bool {
	if cutToken.MatchString(ahead) {
		return true
	}
	m := cutTag.FindStringSubmatch(ahead)
	if m == nil {
		return false
	}
	whole := len(m[0]) > len(m[1])+1 && strings.ContainsAny(m[0], " =\t")
	for _, tag := range strings.Split(callTags, "|") {
		tag = strings.Replace(tag, "s?", "s", 1)
		if whole && (m[1] == tag || m[1]+"s" == tag) || !whole && strings.HasPrefix(tag, m[1]) {
			return true
		}
	}
	for _, tag := range strings.Split(verbTags, "|") {
		if m[1] == tag {
			return true
		}
	}
	return false
}

package detect

import (
	"regexp"
	"strings"
)

// report are headings of a report.
var report = regexp.MustCompile(`(?i)^(?:#{1,6}\s+|\*\*|__|[-*•]\s+)*(?:summary|changes?(?: made| summary)?|(?:changed|modified|new|touched|updated) files|files(?: changed| modified| touched| created)?|verification|verified|validation|test(?:s|ing)?(?: run| results)?|results?|what (?:i )?(?:changed|did|was done|i did|i changed|has changed)|implementation(?: details)?|details|report|key changes|work done|overview|fix(?:es|ed)?|added|removed|updated|deliverables)(?:\*\*|__)*\s*[:：]`)

// reportHeading is one that a mark makes a heading.
var reportHeading = regexp.MustCompile(`(?i)^(?:#{1,6}\s+|\*\*|__)+(?:summary|changes?(?: made| summary)?|(?:changed|modified|new) files|files(?: changed| modified)?|verification|validation|test(?:s|ing)?(?: results)?|results?|what (?:i )?(?:changed|did)|implementation(?: details)?|report|key changes|work done|overview)(?:\*\*|__)*$`)

// How much of the end of a message is read for names of files, in bytes, and how
// many of its last lines that may be headings are looked at.
const (
	longestReport = 32 << 10
	mostHeadings  = 200
)

// WorkDescription reports whether the message tells what was done: it names a file,
// or has a heading of a report.
func (t Text) WorkDescription() bool {
	if namesFile(t.loud[max(0, len(t.loud)-longestReport):]) {
		return true
	}
	rest, looked := t.prose, 0
	for rest != "" && looked < mostHeadings {
		i := strings.LastIndexByte(rest, '\n')
		line := strings.TrimSpace(rest[i+1:])
		rest = rest[:max(i, 0)]
		if line == "" || len(line) > 200 || !heading(line) {
			continue
		}
		looked++
		if report.MatchString(line) || reportHeading.MatchString(line) {
			return true
		}
	}
	return false
}

// heading is a cheap look before the expressions.
func heading(line string) bool {
	if strings.IndexByte("#*_-\xe2", line[0]) >= 0 {
		return true
	}
	if strings.IndexByte("acdfiklmnorstuvw", line[0]|0x20) < 0 {
		return false
	}
	return strings.IndexByte(line[:min(len(line), 48)], ':') >= 0 || strings.Contains(line[:min(len(line), 48)], "：")
}

// namesFile looks at every dot and slash that may belong to the name of a file.
func namesFile(s string) bool {
	for _, name := range []string{"`Makefile`", "`Dockerfile`", "`Justfile`", "`Containerfile`"} {
		if strings.Contains(s, name) {
			return true
		}
	}
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '.')
		if i < 0 {
			return false
		}
		dot := at + i
		at = dot + 1
		if dot+1 >= len(s) || !letter(s[dot+1]) || dot == 0 {
			continue
		}
		end := dot + 1
		for end < len(s) && end-dot <= 11 && (letter(s[end]) || digit(s[end])) {
			end++
		}
		if end < len(s) && (inName(s[end]) && s[end] != '.' || s[end] >= 0x80 && s[end] != 0xe2 && s[end] != 0xef && s[end] != 0xe3 || s[end] == '(') {
			continue
		}
		if end+1 < len(s) && s[end] == '.' && inName(s[end+1]) && s[end+1] != '.' {
			continue // the last dot decides
		}
		start := dot
		for start > 0 && dot-start < 300 && (inName(s[start-1]) || s[start-1] >= 0x80) {
			start--
		}
		if isFile(s, start, dot, end) {
			return true
		}
	}
}

// isFile judges a name: one with a folder has any extension, one without has an
// extension that is known; an address is none, and neither are the names of
// libraries that end like files.
func isFile(s string, start, dot, end int) bool {
	stem, ext := s[start:dot], strings.ToLower(s[dot+1:end])
	if start > 0 && s[start-1] == '@' || strings.HasPrefix(stem, "//") || strings.Contains(stem, "://") {
		return false
	}
	letters := strings.IndexFunc(stem, func(r rune) bool { return r < 0x80 && letter(byte(r)) || r >= 0x80 }) >= 0
	ticked := start > 0 && s[start-1] == '`' && end < len(s) && s[end] == '`'
	if folder := strings.LastIndexByte(stem, '/'); folder >= 0 {
		return folder+1 < len(stem) && letters && len(ext) <= 10 && !domain(stem) || ticked && letters
	}
	if !letters || len(stem) == 1 && len(ext) == 1 {
		return ticked && letters && len(ext) > 0
	}
	if ticked {
		return known(ext)
	}
	library := ext == "js" && stem[0] >= 'A' && stem[0] <= 'Z' || ext == "net" || ext == "io"
	return known(ext) && !library
}

// domain reports whether a path begins with the name of a host.
func domain(stem string) bool {
	host, _, _ := strings.Cut(stem, "/")
	return strings.HasPrefix(host, "www.") || strings.HasSuffix(host, ".com") || strings.HasSuffix(host, ".org") || strings.HasSuffix(host, ".io") || strings.HasSuffix(host, ".dev")
}

func letter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
func digit(b byte) bool  { return b >= '0' && b <= '9' }

func inName(b byte) bool {
	switch b {
	case '_', '-', '.', '/', '@', '~', '+', '\\':
		return true
	}
	return letter(b) || digit(b)
}

// extensions are those of files that are named without their folder.
const extensions = ` go mod sum ts tsx js jsx mjs cjs mts cts py pyi rb rs c h cc cpp cxx hpp hh cs java kt kts scala swift m mm php pl ` +
	`pm lua sh bash zsh fish ps1 bat cmd md mdx markdown rst txt adoc json jsonc json5 jsonl yaml yml toml ini cfg conf env lock ` +
	`xml html htm css scss sass less svelte vue astro sql proto graphql gql tf hcl nix ex exs erl hs ml mli clj cljs edn dart zig ` +
	`nim r jl f90 v sv vhd asm s diff patch csv tsv log gradle properties tmpl tpl svg png ipynb cmake mk dockerfile gitignore ` +
	`editorconfig vim el lisp scm sol wasm wat service `

func known(ext string) bool { return strings.Contains(extensions, " "+ext+" ") }

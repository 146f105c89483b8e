package managed

import (
	"regexp"
	"strconv"
	"strings"
)

var versionText = regexp.MustCompile(`(?:^|[^\w.])v?(\d{1,9}\.\d{1,9}(?:\.\d{1,9})?(?:[-+][0-9A-Za-z.+-]{1,40})?)`)

// parseVersion finds the first version number in what a program prints about
// itself, of which the first 4 KiB are looked at. "" where there is none.
func parseVersion(out string) string {
	if len(out) > 4<<10 {
		out = out[:4<<10]
	}
	m := versionText.FindStringSubmatch(out)
	if m == nil {
		return ""
	}
	return strings.TrimRight(m[1], ".-+")
}

// olderThan compares two versions number by number; what is missing or is no
// number counts as 0. An unknown version is older than none.
func olderThan(have, need string) bool {
	if have == "" || need == "" {
		return false
	}
	h, n := numbers(have), numbers(need)
	for i := range n {
		if h[i] != n[i] {
			return h[i] < n[i]
		}
	}
	return false
}

func numbers(v string) (out [3]int) {
	v, _, _ = strings.Cut(strings.TrimPrefix(v, "v"), "-")
	for i, s := range strings.SplitN(v, ".", 4) {
		if i < len(out) {
			out[i], _ = strconv.Atoi(s)
		}
	}
	return out
}

// shebang splits the first line of a script, "#!/usr/bin/env node", into base
// names. Nil for anything else.
func shebang(head []byte) []string {
	line, ok := strings.CutPrefix(string(head), "#!")
	if !ok {
		return nil
	}
	line, _, _ = strings.Cut(line, "\n")
	words := strings.Fields(line)
	for i, w := range words {
		words[i] = w[strings.LastIndexByte(w, '/')+1:]
	}
	return words
}

package locale

import "strings"

// Languages tells which languages the environment asks for, best first, as BCP
// 47 tags: LANGUAGE, then the first of LC_ALL, LC_MESSAGES and LANG that is set.
// C and POSIX ask for nothing. getenv is os.Getenv or a table.
func Languages(getenv func(string) string) []string {
	var tags []string
	chosen := first(getenv, "LC_ALL", "LC_MESSAGES", "LANG")
	if plain(chosen) == "" {
		return nil
	}
	for name := range strings.SplitSeq(getenv("LANGUAGE"), ":") {
		if tag := plain(name); tag != "" {
			tags = append(tags, tag)
		}
	}
	return append(tags, plain(chosen))
}

func first(getenv func(string) string, names ...string) string {
	for _, name := range names {
		if v := getenv(name); v != "" {
			return v
		}
	}
	return ""
}

// plain turns "de_CH.UTF-8@euro" into "de-CH".
func plain(name string) string {
	name, _, _ = strings.Cut(name, ".")
	name, _, _ = strings.Cut(name, "@")
	if name == "C" || name == "POSIX" {
		return ""
	}
	return strings.ReplaceAll(name, "_", "-")
}

package proc

import (
	"maps"
	"slices"
	"strings"
)

// Environ returns the environment base (entries KEY=value, as of os.Environ)
// with some variables set and others taken out. A key stands once in the result;
// of several the last counts. What is set counts against unset. Entries that are
// no KEY=value are dropped. Base is not changed.
func Environ(base []string, set map[string]string, unset ...string) []string {
	drop := map[string]bool{}
	for _, k := range unset {
		drop[envKey(k)] = true
	}
	for k := range set {
		drop[envKey(k)] = true
	}
	out := make([]string, 0, len(base)+len(set))
	for _, kv := range slices.Backward(base) {
		k, ok := keyOf(kv)
		if !ok || drop[envKey(k)] {
			continue
		}
		drop[envKey(k)] = true
		out = append(out, kv)
	}
	slices.Reverse(out)
	for _, k := range slices.Sorted(maps.Keys(set)) {
		out = append(out, k+"="+set[k])
	}
	return out
}

// keyOf is the key of an entry. Windows keeps entries such as "=C:=C:\dir": the
// first byte never ends a key.
func keyOf(kv string) (string, bool) {
	if kv == "" {
		return "", false
	}
	i := strings.IndexByte(kv[1:], '=')
	if i < 0 {
		return "", false
	}
	return kv[:i+1], true
}

// valueOf is the value of a variable in an environment, "" where it is not set.
func valueOf(env []string, key string) string {
	for _, kv := range slices.Backward(env) {
		if k, ok := keyOf(kv); ok && envKey(k) == envKey(key) {
			return kv[len(k)+1:]
		}
	}
	return ""
}

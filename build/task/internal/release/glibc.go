package release

import (
	"debug/elf"
	"fmt"
	"strconv"
	"strings"
)

// Glibc is the oldest version of the C library that runs all of these programs, such
// as "2.34".
func Glibc(programs ...string) (string, error) {
	var versions []string
	for _, path := range programs {
		f, err := elf.Open(path)
		if err != nil {
			return "", fmt.Errorf("read %s: %w", path, err)
		}
		symbols, err := f.ImportedSymbols()
		_ = f.Close()
		if err != nil {
			return "", fmt.Errorf("read what %s imports: %w", path, err)
		}
		for _, s := range symbols {
			versions = append(versions, s.Version)
		}
	}
	v := newest(versions)
	if v == "" {
		return "", fmt.Errorf("no program names a version of the C library")
	}
	return v, nil
}

// newest finds the highest version of the C library among versions of symbols.
func newest(versions []string) string {
	var top [2]int
	for _, v := range versions {
		text, ok := strings.CutPrefix(v, "GLIBC_")
		if !ok {
			continue
		}
		parts := strings.Split(text, ".")
		if len(parts) < 2 {
			continue // GLIBC_PRIVATE
		}
		major, err := strconv.Atoi(parts[0])
		minor, err2 := strconv.Atoi(parts[1])
		if err != nil || err2 != nil {
			continue
		}
		if major > top[0] || major == top[0] && minor > top[1] {
			top = [2]int{major, minor}
		}
	}
	if top == [2]int{} {
		return ""
	}
	return fmt.Sprintf("%d.%d", top[0], top[1])
}

package window

import (
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"turnwatch/backend/agent"
)

// Bounds of arguments.
const (
	longestText  = 8 << 20 // a prompt
	longestTitle = 200     // bytes
	longestQuery = 400     // a search
	longestWord  = 256     // ids of options, values, agents
	longestPath  = 4096
)

var identity = regexp.MustCompile(`^[0-9A-Za-z_-]{1,64}$`)

func sessionID(s string) (agent.SessionID, error) {
	if !identity.MatchString(s) {
		return "", wrong("session")
	}
	return agent.SessionID(s), nil
}

func taskID(s string) (agent.TaskID, error) {
	if !identity.MatchString(s) {
		return "", wrong("task")
	}
	return agent.TaskID(s), nil
}

// promptID takes the name of a waiting prompt.
func promptID(s string) (agent.PromptID, error) {
	if !identity.MatchString(s) {
		return "", wrong("prompt")
	}
	return agent.PromptID(s), nil
}

// clean checks a text: UTF-8, without NUL, of at most so many bytes.
func clean(what, s string, most int) error {
	if len(s) > most || !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
		return wrong(what)
	}
	return nil
}

// line checks a text of one line.
func line(what, s string, most int) error {
	if strings.ContainsAny(s, "\r\n") {
		return wrong(what)
	}
	return clean(what, s, most)
}

// folderOf checks a folder that a page names and gives it with its links resolved.
func folderOf(dir string) (string, error) {
	if err := line("folder", dir, longestPath); err != nil {
		return "", err
	}
	if !filepath.IsAbs(dir) {
		return "", &Error{Key: "hint.folder_missing"}
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", &Error{Key: "hint.folder_missing"}
	}
	return real, nil
}

// inside tells whether a path, absolute or relative to root, is in root once
// links are resolved. What does not exist yet is judged by the part that does.
func inside(root, path string) bool {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	for rest := ""; ; {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			rel, err := filepath.Rel(root, filepath.Join(real, rest))
			return err == nil && filepath.IsLocal(rel)
		}
		up := filepath.Dir(path)
		if up == path {
			return false
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = up
	}
}

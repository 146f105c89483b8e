package core

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/managed"
)

// checkFolder says what is wrong with a folder that an agent is to work in, as a
// *agent.Failure, before anything is made for it.
func checkFolder(dir string) error {
	f := &agent.Failure{Code: failure.AgentStartFailed, Rule: "open.folder", Source: "open"}
	if !filepath.IsAbs(dir) {
		f.Hint = managed.HintFolderMissing
		return f
	}
	d, err := os.Open(dir)
	if err == nil {
		_, err = d.ReadDir(1)
		_ = d.Close()
	}
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return nil
	case errors.Is(err, fs.ErrPermission):
		f.Hint = managed.HintFolderClosed
	default:
		f.Hint = managed.HintFolderMissing
	}
	return f
}

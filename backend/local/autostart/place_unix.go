//go:build unix && !darwin

package autostart

import (
	"path/filepath"

	"github.com/adrg/xdg"
)

// Here is the user's own place for the entry.
func Here() Folder { return XDG(filepath.Join(xdg.ConfigHome, "autostart")) }

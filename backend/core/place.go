package core

import (
	"path/filepath"

	"github.com/adrg/xdg"
)

// DefaultDir is the data folder where none is given: the platform's own place.
func DefaultDir() string { return filepath.Join(xdg.DataHome, "turnwatch") }

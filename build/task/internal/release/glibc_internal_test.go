package release

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNewest(t *testing.T) {
	assert.Equal(t, "2.34", newest([]string{"GLIBC_2.4", "GLIBC_2.34", "", "GLIBC_PRIVATE", "GLIBC_2.3.4", "GLIBCXX_3.4", "GLIBC_x.y"}))
	assert.Equal(t, "3.1", newest([]string{"GLIBC_2.34", "GLIBC_3.1"}))
	assert.Empty(t, newest([]string{"", "LIBFOO_1.0"}))
}

func TestGlibcOfNoProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755))
	_, err := Glibc(path)
	require.ErrorContains(t, err, "read "+path)
}

package host_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/build/task/internal/host"
)

// Whatever a verb may ask for is known to every package manager: otherwise an
// install would be run without a package, and say nothing.
func TestEveryManagerKnowsWhatPackagesNeed(t *testing.T) {
	needs := []host.Need{host.MinGW, host.NSIS, host.SVG, host.AppStream, host.Bootstrap, host.RPM, host.SQLite, host.Wine}
	for _, name := range []string{"apt-get", "dnf", "pacman"} {
		m := host.Machine{OS: "linux", Root: true, Has: func(program string) bool { return program == name }}
		pm, ok := m.Manager()
		require.True(t, ok)
		bare := pm.Commands(nil)
		for _, n := range needs {
			assert.Equal(t, []host.Need{n}, m.Missing(n), "%s is missing on a bare machine", n)
			with := pm.Commands([]host.Need{n})
			assert.Greater(t, len(with[len(with)-1]), len(bare[len(bare)-1]), "%s has no package for %s", name, n)
		}
	}
}

func TestMinGWIsWhole(t *testing.T) {
	m := host.Machine{OS: "linux", Has: func(program string) bool { return program == "x86_64-w64-mingw32-gcc" }}
	assert.Equal(t, []host.Need{host.MinGW}, m.Missing(host.MinGW), "without windres there is no icon")
}

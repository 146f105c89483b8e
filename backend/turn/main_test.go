package turn_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets the properties of this room be tried more often than usual,
// unless the command line says how often.
func TestMain(m *testing.M) {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if !asked {
		if err := flag.Set("rapid.checks", "10000"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

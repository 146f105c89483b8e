package proc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNamesOfTheLedgersFiles(t *testing.T) {
	launch := strings.Repeat("0a", 16)
	for _, row := range []struct {
		name string
		want filed
		ok   bool
	}{
		{"me.lock", filed{"me.lock", "me", "", ".lock"}, true},
		{"me." + launch + ".json", filed{"me." + launch + ".json", "me", launch, ".json"}, true},
		{"me." + launch + ".tmp", filed{"me." + launch + ".tmp", "me", launch, ".tmp"}, true},
		{"me.json", filed{}, false},
		{"me." + launch + ".x.json", filed{}, false},
		{"me." + launch[1:] + ".json", filed{}, false},
		{"me." + strings.ToUpper(launch) + ".json", filed{}, false},
		{"me/you.lock", filed{}, false},
		{"...lock", filed{}, false},
		{".lock", filed{}, false},
		{"", filed{}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, ok := parseName(row.name)
			assert.Equal(t, row.ok, ok)
			if ok {
				assert.Equal(t, row.want, got)
			}
		})
	}
}

func FuzzRecord(f *testing.F) {
	launch := strings.Repeat("0a", 16)
	f.Add([]byte(`{"version":1,"owner":"me","launch":"` + launch + `","pid":7,"start":8,"boot":"b","owner_pid":3,"owner_start":4}`))
	f.Add([]byte(`{"version":1,"owner":"me","launch":"` + launch + `","pid":-7,"start":0}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := parseRecord(raw, "me", launch)
		if err != nil {
			assert.Equal(t, record{}, r)
			return
		}
		assert.Equal(t, "me", r.Owner)
		assert.Equal(t, launch, r.Launch)
		for _, id := range []ident{r.root("b"), r.owner("b")} {
			assert.True(t, id == ident{} || id.pid > 1 && id.start > 0 && r.Boot == "b")
		}
	})
}

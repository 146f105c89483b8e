package failure_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

func TestEveryCodeStandsOnceAndHasAClass(t *testing.T) {
	seen := map[agent.Code]bool{}
	for _, c := range failure.Codes() {
		assert.False(t, seen[c], "%s stands twice", c)
		seen[c] = true
		assert.NotEmpty(t, failure.ClassOf(c), c)
	}
	assert.Len(t, seen, 22)
}

func TestACodeOutsideTheTaxonomyIsUnclassified(t *testing.T) {
	assert.Equal(t, failure.Unclassified, failure.ClassOf("made_up"))
}

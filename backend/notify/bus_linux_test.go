package notify_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"turnwatch/backend/local/bus/bustest"
	"turnwatch/backend/notify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type hands struct{ opened, gone chan string }

func onBus(t *testing.T, address string) (*notify.Bus, hands) {
	t.Helper()
	h := hands{make(chan string, 8), make(chan string, 8)}
	b, err := notify.OnBus(t.Context(), bustest.Dial(t, address), "Turnwatch",
		func(id string) { h.opened <- id }, func(id string) { h.gone <- id })
	require.NoError(t, err)
	return b, h
}

func note(id, title string) notify.Note {
	return notify.Note{ID: id, Title: title, Body: "The agent asks.", Action: "Open"}
}

func TestNotesOnTheBus(t *testing.T) {
	address := bustest.Bus(t)
	s := bustest.NewNotes(t, address)
	b, h := onBus(t, address)
	ctx := t.Context()
	require.NoError(t, b.Show(ctx, note("a", "First")))
	first := <-s.Shown
	assert.Equal(t, "Turnwatch", first.Name)
	assert.Equal(t, "First", first.Title)
	assert.Equal(t, []string{"default", "Open", "open", "Open"}, first.Actions)
	assert.Equal(t, "turnwatch", first.Hints["desktop-entry"].Value())
	assert.Zero(t, first.Replaces)

	require.NoError(t, b.Show(ctx, note("a", "Second")))
	assert.Equal(t, first.ID, (<-s.Shown).Replaces, "in the place of the first")
	require.NoError(t, b.Show(ctx, note("b", "Other")))
	other := <-s.Shown
	assert.Zero(t, other.Replaces)

	s.Invoke(other.ID, "default")
	assert.Equal(t, "b", <-h.opened)
	s.Close(other.ID, 2)
	assert.Equal(t, "b", <-h.gone)
	assert.Empty(t, h.opened, "putting a note away opens nothing")
	s.Invoke(4711, "default") // another program's

	require.NoError(t, b.Withdraw(ctx, "a"))
	assert.Equal(t, first.ID, <-s.Closed)
	require.NoError(t, b.Withdraw(ctx, "a"), "twice is once")
	require.NoError(t, b.Show(ctx, note("c", "Left")))
	left := <-s.Shown
	b.Close(ctx)
	assert.Equal(t, left.ID, <-s.Closed, "nothing is left that would open nothing")
	assert.Empty(t, h.opened)
}

func TestAServerThatIsNotThere(t *testing.T) {
	address, stop := bustest.Start(t)
	b, _ := onBus(t, address)
	require.ErrorContains(t, b.Show(t.Context(), note("a", "First")), "show notification")
	s := bustest.NewNotes(t, address)
	require.NoError(t, b.Show(t.Context(), note("a", "First")), "it came later")
	s.Leave()
	stop()
	require.Error(t, b.Show(t.Context(), note("a", "First")))
	b.Close(context.Background())
}

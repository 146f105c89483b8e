package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/muesli/cancelreader"
)

// Key is a key that was pressed: its character, or KeyEscape.
type Key rune

// KeyEscape is the escape key.
const KeyEscape Key = 0x1b

// Keys reads single keys from a terminal, without echo, while signals of the
// terminal (Ctrl-C) still come as signals. What was typed before it was opened
// is thrown away, so that no answer is given before its question. Close brings
// the terminal back to where it was; until then the terminal is not the shell's.
type Keys struct {
	// C gives the keys. It is closed when no more can come.
	C <-chan Key

	read    cancelreader.CancelReader
	restore func() error
	done    chan struct{}
}

// OpenKeys starts to read keys from f, which must be a terminal. One goroutine
// reads until Close.
func OpenKeys(f *os.File) (*Keys, error) {
	restore, err := singleKeys(f)
	if err != nil {
		return nil, fmt.Errorf("prepare terminal for keys: %w", err)
	}
	read, err := cancelreader.NewReader(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read keys: %w", err), restore())
	}
	c := make(chan Key)
	k := &Keys{C: c, read: read, restore: restore, done: make(chan struct{})}
	go k.loop(c)
	return k, nil
}

// loop hands over keys until the reader is cancelled or the terminal is gone.
func (k *Keys) loop(c chan<- Key) {
	defer close(c)
	buf := make([]byte, 64)
	var d decoder
	for {
		n, err := k.read.Read(buf)
		for _, key := range d.keys(buf[:n]) {
			select {
			case c <- key:
			case <-k.done:
				return
			}
		}
		if err != nil && !errors.Is(err, io.ErrNoProgress) {
			return
		}
	}
}

// Close stops reading, waits for the goroutine and restores the terminal. It is
// called once.
func (k *Keys) Close() error {
	close(k.done)
	if k.read.Cancel() {
		for range k.C { // until the loop has left
		}
	}
	return errors.Join(k.read.Close(), k.restore())
}

package cli

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// longestLine is the longest line that a command reads from stdin, in bytes.
const longestLine = 16 << 20

var errTooLong = errors.New("line is too long")

// intake reads lines from stdin. A line that is too long is read over and told by
// errTooLong; the next one is fine again.
type intake struct{ r *bufio.Reader }

func newIntake(r io.Reader) *intake { return &intake{r: bufio.NewReaderSize(r, 64<<10)} }

// next returns the next line that is not blank, nil at the end. It blocks until
// there is one.
func (in *intake) next() ([]byte, error) {
	for {
		line, err := in.line()
		if err != nil || line == nil {
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}

func (in *intake) line() ([]byte, error) {
	line := []byte{}
	long := false
	for {
		part, err := in.r.ReadSlice('\n')
		if long = long || len(line)+len(part) > longestLine; long {
			line = line[:0]
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case long:
			return nil, errTooLong
		case err != nil && len(line) == 0:
			return nil, nil
		}
		return line, nil
	}
}

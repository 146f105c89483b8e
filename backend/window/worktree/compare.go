package worktree

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Change is one file that differs. Old is nil where it is new, New where it is
// gone. Both are nil where the file is too large or no text to be compared.
type Change struct {
	Path     string // below the work tree's top, with slashes
	Old, New *string
	Odd      bool // not compared
}

// mostChanges bounds a comparison, largestCompared the size of a file in it.
const (
	mostChanges     = 300
	largestCompared = 512 << 10
)

// Compare tells how a folder changed between two trees of Take, by path, and
// whether more has changed than is told.
func (s *Store) Compare(ctx context.Context, folder, before, after string) (out []Change, cut bool, err error) {
	r, err := s.find(ctx, folder)
	if err != nil {
		return nil, false, err
	}
	raw, err := s.run(ctx, r.top, r.ours(), nil, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev",
		before, after, "--", pathspec(r.inner))
	if err != nil {
		return nil, false, err
	}
	pairs, err := parseRaw(raw)
	if err != nil {
		return nil, false, err
	}
	if len(pairs) > mostChanges {
		pairs, cut = pairs[:mostChanges], true
	}
	out, err = s.read(ctx, r, pairs)
	return out, cut, err
}

// pair is one line of a raw diff. An object of zeros is none.
type pair struct{ path, before, after string }

// parseRaw reads the output of diff-tree --raw -z.
func parseRaw(raw []byte) ([]pair, error) {
	var out []pair
	fields := strings.Split(string(raw), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		// :100644 100644 OLD NEW M
		words := strings.Fields(fields[i])
		if len(words) != 5 || fields[i][0] != ':' || fields[i+1] == "" {
			return nil, fmt.Errorf("read raw diff: line %d is not understood", i/2+1)
		}
		p := pair{path: fields[i+1], before: words[2], after: words[3]}
		if words[0] == ":160000" || words[1] == "160000" {
			continue // a repository inside this one
		}
		out = append(out, p)
	}
	return out, nil
}

func none(object string) bool { return strings.Trim(object, "0") == "" }

// read fetches the contents of all pairs from one git process.
func (s *Store) read(ctx context.Context, r repo, pairs []pair) ([]Change, error) {
	ctx, stop := context.WithTimeout(ctx, bound)
	defer stop()
	var wanted bytes.Buffer
	for _, p := range pairs {
		for _, object := range []string{p.before, p.after} {
			if !none(object) {
				wanted.WriteString(object + "\n")
			}
		}
	}
	cmd := exec.CommandContext(ctx, s.git, append(quietly(), "cat-file", "--batch")...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.WaitDelay = r.top, r.ours(), &wanted, time.Second
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("read objects: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("read objects: %w", err)
	}
	in := bufio.NewReader(pipe)
	out := make([]Change, 0, len(pairs))
	for _, p := range pairs {
		c := Change{Path: p.path}
		if c.Old, err = object(in, p.before, &c.Odd); err == nil {
			c.New, err = object(in, p.after, &c.Odd)
		}
		if err != nil {
			break
		}
		if c.Odd {
			c.Old, c.New = nil, nil
		}
		out = append(out, c)
	}
	_, _ = io.Copy(io.Discard, in)
	if end := cmd.Wait(); err == nil {
		err = end
	}
	if err != nil {
		return nil, fmt.Errorf("read objects: %w", err)
	}
	return out, nil
}

// object reads one answer of cat-file --batch: "ID TYPE SIZE", then the contents
// and a line end. An object that is not there, not a file or too large is odd.
func object(in *bufio.Reader, id string, odd *bool) (*string, error) {
	if none(id) {
		return nil, nil
	}
	head, err := in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	words := strings.Fields(head)
	if len(words) != 3 {
		*odd = true
		return nil, nil
	}
	size, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil {
		return nil, err
	}
	if words[1] != "blob" || size > largestCompared {
		*odd = true
		_, err = io.CopyN(io.Discard, in, size+1)
		return nil, err
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(in, data); err != nil {
		return nil, err
	}
	text := string(data[:size])
	return &text, nil
}

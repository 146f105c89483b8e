package window

import (
	"encoding/base64"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"turnwatch/backend/agent"
)

// Bounds of what a prompt may carry.
const (
	mostBlobs  = 20
	mostNamed  = 50
	blobBytes  = 10 << 20
	allBytes   = 40 << 20
	embedBytes = 256 << 10 // a mentioned file up to this size is sent along
)

// blocks makes the blocks of a prompt: the text, then what is mentioned, then
// what was pasted or dropped.
func (d Draft) blocks(dir string, takes Takes) ([]agent.Block, error) {
	if err := clean("text", d.Text, longestText); err != nil {
		return nil, err
	}
	if len(d.Files) > mostNamed || len(d.Blobs) > mostBlobs {
		return nil, &Error{Key: "error.too_many_files"}
	}
	var out []agent.Block
	if strings.TrimSpace(d.Text) != "" {
		out = append(out, agent.TextBlock(d.Text))
	}
	for _, f := range d.Files {
		b, err := mentioned(dir, f, takes)
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	total := 0
	for _, f := range d.Blobs {
		b, size, err := f.block(takes)
		if total += size; err == nil && total > allBytes {
			err = &Error{Key: "error.file_too_large", Args: map[string]string{"name": f.Name}}
		}
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	if len(out) == 0 {
		return nil, agent.EmptyPrompt
	}
	return out, nil
}

// mentioned is a file of the folder: with its text where the agent takes that and
// the file is small, else as a link that the agent follows itself.
func mentioned(dir, name string, takes Takes) (agent.Block, error) {
	if err := line("file", name, longestPath); err != nil {
		return agent.Block{}, err
	}
	args := map[string]string{"name": name}
	if name == "" || filepath.IsAbs(name) || !inside(dir, filepath.FromSlash(name)) {
		return agent.Block{}, &Error{Key: "error.file_outside", Args: args}
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	info, err := os.Stat(path)
	if err != nil {
		return agent.Block{}, &Error{Key: "error.file_missing", Args: args}
	}
	b := agent.Block{Kind: agent.BlockLink, Name: filepath.ToSlash(filepath.Clean(name)), URI: fileURI(path)}
	if !takes.Embeds || !info.Mode().IsRegular() || info.Size() > embedBytes {
		return b, nil
	}
	data, err := os.ReadFile(path)
	if err != nil || !utf8.Valid(data) || binary(string(data)) {
		return b, nil // the agent may fare better
	}
	b.Kind, b.Text, b.Mime = agent.BlockResource, string(data), "text/plain"
	return b, nil
}

func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// block is what was pasted or dropped, with its size.
func (f Blob) block(takes Takes) (agent.Block, int, error) {
	args := map[string]string{"name": f.Name}
	if err := line("file", f.Name, longestWord); err != nil {
		return agent.Block{}, 0, err
	}
	if err := line("file", f.Mime, longestWord); err != nil {
		return agent.Block{}, 0, err
	}
	if base64.StdEncoding.DecodedLen(len(f.Data)) > blobBytes+2 {
		return agent.Block{}, 0, &Error{Key: "error.file_too_large", Args: args}
	}
	data, err := base64.StdEncoding.Strict().DecodeString(f.Data)
	switch {
	case err != nil:
		return agent.Block{}, 0, wrong("file")
	case len(data) > blobBytes:
		return agent.Block{}, 0, &Error{Key: "error.file_too_large", Args: args}
	}
	switch {
	case showable(f.Mime):
		if !takes.Images {
			return agent.Block{}, 0, &Error{Key: "error.image_not_taken"}
		}
		return agent.Block{Kind: agent.BlockImage, Mime: f.Mime, Data: f.Data, Name: f.Name}, len(data), nil
	case !takes.Embeds:
		return agent.Block{}, 0, &Error{Key: "error.file_not_taken", Args: args}
	}
	b := agent.Block{Kind: agent.BlockResource, Mime: f.Mime, Name: f.Name, URI: (&url.URL{Scheme: "attachment", Path: "/" + f.Name}).String()}
	if utf8.Valid(data) && !binary(string(data)) {
		b.Text = string(data)
	} else {
		b.Data = f.Data
	}
	return b, len(data), nil
}

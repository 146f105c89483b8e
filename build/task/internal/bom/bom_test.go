package bom_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/build/task/internal/bom"
)

func product() bom.Product {
	return bom.Product{Name: "turnwatch", Version: "1.2.3", Licence: "Apache-2.0", Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
}

func TestWrite(t *testing.T) {
	parts := []bom.Part{
		{Name: "@sveltejs/kit", Version: "2.0.0", From: "npm", Integrity: "sha512-" + strings.Repeat("A", 86) + "=="},
		{Name: "github.com/Some/Thing/v2", Version: "v2.0.1-0.2024+incompatible", From: "go", Inside: true, Licence: "MIT", GoSum: "h1:abc="},
		{Name: "sqlite", Version: "3.54.1", From: "upstream", Inside: true, Licence: "blessing"},
	}
	got, err := bom.Write(product(), parts)
	require.NoError(t, err)
	want := filepath.Join("testdata", "bill.json")
	golden, err := os.ReadFile(want)
	require.NoError(t, err)
	assert.Equal(t, string(golden), string(got))

	slices.Reverse(parts)
	twin := parts[0]
	twin.Inside = false
	again, err := bom.Write(product(), append([]bom.Part{twin}, append(parts, parts[0])...))
	require.NoError(t, err)
	assert.Equal(t, string(got), string(again), "neither order nor repetition counts")
}

func TestTheSerialNumberFollowsTheContent(t *testing.T) {
	serial := func(parts ...bom.Part) string {
		data, err := bom.Write(product(), parts)
		require.NoError(t, err)
		var d struct{ SerialNumber string }
		require.NoError(t, json.Unmarshal(data, &d))
		return d.SerialNumber
	}
	assert.Regexp(t, `^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, serial())
	assert.NotEqual(t, serial(), serial(bom.Part{Name: "a", Version: "1", From: "npm"}))
}

func TestABadSumIsNotPassedOn(t *testing.T) {
	_, err := bom.Write(product(), []bom.Part{{Name: "a", Version: "1", From: "npm", Integrity: "sha512-short"}})
	require.ErrorContains(t, err, "a has no SHA-512")
}

func TestGoModules(t *testing.T) {
	const sums = "github.com/a/b v1.0.0 h1:sum=\ngithub.com/a/b v1.0.0/go.mod h1:other=\n"
	tests := []struct {
		name string
		mod  string
		want []bom.Part
		err  string
	}{
		{"blocks and lines", "module x\n\ngo 1.26\n\nrequire github.com/c/d v0.1.0\n\nrequire (\n\tgithub.com/a/b v1.0.0 // indirect\n)\n\nignore (\n\t./build/bin v1.0.0\n)\n",
			[]bom.Part{{Name: "github.com/c/d", Version: "v0.1.0", From: "go"}, {Name: "github.com/a/b", Version: "v1.0.0", From: "go", GoSum: "h1:sum="}}, ""},
		{"a replacement", "module x\nrequire github.com/a/b v1.0.0\nreplace github.com/a/b => ../b\n", nil, "line 3 replaces a module"},
		{"a block of replacements", "module x\nreplace (\n\tgithub.com/a/b => ../b\n)\n", nil, "replaces a module"},
		{"nothing", "module x\n", nil, "it requires nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := bom.GoModules(tt.mod, sums)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestNPMPackages(t *testing.T) {
	got, err := bom.NPMPackages([]byte(`{"lockfileVersion":3,"packages":{
		"":{"name":"page","version":"0.0.0"},
		"node_modules/b":{"version":"2.0.0","integrity":"sha512-x","license":"(MIT OR ISC)","dev":true},
		"node_modules/b/node_modules/@s/a":{"version":"1.0.0","license":{"type":"MIT"}},
		"node_modules/here":{"link":true,"resolved":"here"}}}`))
	require.NoError(t, err)
	assert.Equal(t, []bom.Part{
		{Name: "@s/a", Version: "1.0.0", From: "npm", Path: "node_modules/b/node_modules/@s/a"},
		{Name: "b", Version: "2.0.0", From: "npm", Path: "node_modules/b", Integrity: "sha512-x", Licence: "MIT OR ISC"},
	}, got)
	_, err = bom.NPMPackages([]byte(`{"lockfileVersion":1}`))
	require.ErrorContains(t, err, "version 1 is not known")
	_, err = bom.NPMPackages([]byte("no"))
	require.ErrorContains(t, err, "read package-lock.json")
}

func TestBundled(t *testing.T) {
	got, err := bom.Bundled([]byte(`{"sources":["../../src/main.ts","../../node_modules/svelte/src/a.js","../../node_modules/svelte/src/b.js","../../node_modules/x/node_modules/@s/y/z.js"]}`))
	require.NoError(t, err)
	assert.Equal(t, []string{"node_modules/svelte", "node_modules/x/node_modules/@s/y"}, got)
	_, err = bom.Bundled([]byte(`{}`))
	require.ErrorContains(t, err, "names no source")
}

// What is read here is what the project has: a format that changes is noticed.
func TestTheProjectsOwnFilesAreRead(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	read := func(parts ...string) []byte {
		data, err := os.ReadFile(filepath.Join(append([]string{root}, parts...)...))
		require.NoError(t, err)
		return data
	}
	modules, err := bom.GoModules(string(read("go.mod")), string(read("go.sum")))
	require.NoError(t, err)
	for _, m := range modules {
		assert.NotEmpty(t, m.GoSum, "go.sum does not know %s", m.Name)
	}
	packages, err := bom.NPMPackages(read("frontend", "package-lock.json"))
	require.NoError(t, err)
	assert.True(t, slices.ContainsFunc(packages, func(p bom.Part) bool { return p.Name == "svelte" && p.Licence == "MIT" }))
	_, err = bom.Write(product(), append(modules, packages...))
	require.NoError(t, err)
}

func FuzzNPMPackages(f *testing.F) {
	f.Add([]byte(`{"lockfileVersion":3,"packages":{"node_modules/b":{"version":"2.0.0","license":"MIT"}}}`))
	f.Fuzz(func(_ *testing.T, data []byte) {
		parts, err := bom.NPMPackages(data)
		if err == nil {
			_, _ = bom.Write(product(), parts)
		}
	})
}

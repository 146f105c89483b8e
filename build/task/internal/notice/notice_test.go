package notice_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/build/task/internal/notice"
)

const (
	mit = "MIT License\n\nCopyright (c) 2020 Someone\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\nof this software, provided that\nthe above copyright notice and this permission notice shall be included."
	bsd = "Redistribution and use in source and binary forms, with or without\nmodification, are permitted provided that the following conditions are met:\n1. Keep it."
)

func TestClassify(t *testing.T) {
	tests := []struct {
		name string
		text string
		want []string
	}{
		{"MIT", mit, []string{"MIT"}},
		{"MIT without its name", strings.TrimPrefix(mit, "MIT License"), []string{"MIT"}},
		{"MIT without its condition", "MIT No Attribution\n\nPermission is hereby granted, free of charge, to any person obtaining a copy", []string{"MIT-0"}},
		{"two clauses", bsd, []string{"BSD-2-Clause"}},
		{"three clauses", bsd + "\n3. Neither the name may be used to endorse or\n   promote products derived from this.", []string{"BSD-3-Clause"}},
		{"in a quotation", "> Redistribution and use in source and binary\n> forms, with or without modification, are permitted", []string{"BSD-2-Clause"}},
		{"in a comment", "// Redistribution and use in source and binary\n// forms, with or without modification, are permitted", []string{"BSD-2-Clause"}},
		{"Apache", "                                 Apache License\n                           Version 2.0, January 2004", []string{"Apache-2.0"}},
		{"two in one file", mit + "\n\nApache License\nVersion 2.0", []string{"Apache-2.0", "MIT"}},
		{"ISC", "Permission to use, copy, modify, and/or distribute this software for any\npurpose with or without fee is hereby granted", []string{"ISC"}},
		{"the name alone is no licence", "Licensed under MIT", nil},
		{"another licence", "GNU GENERAL PUBLIC LICENSE Version 3", nil},
		{"nothing", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, notice.Classify(tt.text))
		})
	}
}

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

func TestAdd(t *testing.T) {
	gpl := "GNU GENERAL PUBLIC LICENSE"
	tests := []struct {
		name  string
		files map[string]string
		says  string
		want  string
		texts int
		err   bool
	}{
		{"a file", map[string]string{"LICENSE": mit}, "", "MIT", 1, false},
		{"names of all kinds", map[string]string{"license": mit, "LICENCE.md": bsd, "NOTICE": "By us", "COPYING.txt": "more"}, "", "BSD-2-Clause AND MIT", 4, false},
		{"two files", map[string]string{"LICENSE-MIT": mit, "LICENSE-BSD": bsd}, "", "BSD-2-Clause AND MIT", 2, false},
		{"its own word for it", map[string]string{"LICENSE": mit}, "(MIT OR CC0-1.0)", "MIT OR CC0-1.0", 1, false},
		{"program text is no licence", map[string]string{"license.go": mit}, "", "", 0, true},
		{"no file", map[string]string{"README.md": "MIT"}, "MIT", "", 0, true},
		{"an unknown licence", map[string]string{"LICENSE": gpl}, "", "", 0, true},
		{"an unknown text, whatever it says of itself", map[string]string{"LICENSE": gpl}, "MIT", "", 0, true},
		{"a notice alone", map[string]string{"NOTICE": "By us"}, "", "", 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var n notice.Notices
			err := n.Add(notice.Source{Name: "a", Version: "v1", From: "go", Says: tt.says, Dirs: []string{folder(t, tt.files)}})
			if tt.err {
				require.ErrorContains(t, err, "a v1: no licence that is known")
				assert.Empty(t, n.Works)
				return
			}
			require.NoError(t, err)
			require.Len(t, n.Works, 1)
			assert.Equal(t, tt.want, n.Works[0].Licence)
			assert.Len(t, n.Works[0].Texts, tt.texts)
		})
	}
}

func TestNoticesAreTheSameInEveryOrder(t *testing.T) {
	a := notice.Source{Name: "a", Version: "v1", From: "go", Dirs: []string{folder(t, map[string]string{"LICENSE": mit})}}
	b := notice.Source{Name: "b", Version: "2.0.0", From: "npm", Dirs: []string{folder(t, map[string]string{"LICENSE": mit, "NOTICE": "By b"})}}
	var one, two notice.Notices
	for _, s := range []notice.Source{a, b} {
		require.NoError(t, one.Add(s))
	}
	for _, s := range []notice.Source{b, a} {
		require.NoError(t, two.Add(s))
	}
	first, err := one.JSON()
	require.NoError(t, err)
	second, err := two.JSON()
	require.NoError(t, err)
	assert.Equal(t, string(first), string(second))
	assert.Equal(t, one.Text(), two.Text())
	assert.Len(t, one.Texts, 2, "what is the same is kept once")
	assert.Equal(t, 1, strings.Count(one.Text(), "MIT License"))
	assert.Contains(t, one.Text(), "a v1 (MIT)\nb 2.0.0 (MIT)\n")
	assert.Contains(t, one.Text(), "\na, b\n\nMIT License")
}

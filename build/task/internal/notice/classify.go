package notice

import (
	"slices"
	"strings"
)

// sign is a sentence that stands in a licence, and in no other of the list. All
// must be there.
type sign struct {
	id   string
	says []string
	not  string // a sentence that would make it another licence
}

func signs() []sign {
	const (
		grant     = "permission is hereby granted, free of charge, to any person obtaining a copy"
		redist    = "redistribution and use in source and binary forms, with or without modification, are permitted"
		endorse   = "endorse or promote products derived from"
		isc       = "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted"
		iscOld    = "permission to use, copy, modify, and distribute this software for any purpose with or without fee is hereby granted"
		mitNotice = "the above copyright notice and this permission notice"
	)
	return []sign{
		{id: "MIT", says: []string{grant, mitNotice}},
		{id: "MIT-0", says: []string{"mit no attribution", grant}, not: mitNotice},
		{id: "Apache-2.0", says: []string{"apache license", "version 2.0"}},
		{id: "BSD-3-Clause", says: []string{redist, endorse}},
		{id: "BSD-2-Clause", says: []string{redist}, not: endorse},
		{id: "ISC", says: []string{isc}},
		{id: "ISC", says: []string{iscOld}},
		{id: "MPL-2.0", says: []string{"mozilla public license", "version 2.0"}},
		{id: "Unlicense", says: []string{"this is free and unencumbered software released into the public domain"}},
	}
}

// Classify names the licences in a text, by their SPDX ids, sorted. It returns
// none where it knows none.
func Classify(text string) []string {
	text = strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer("*", " ", "//", " ", "#", " ", ">", " ").Replace(text)), " "))
	var ids []string
	for _, s := range signs() {
		if s.in(text) && !slices.Contains(ids, s.id) {
			ids = append(ids, s.id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (s sign) in(text string) bool {
	for _, words := range s.says {
		if !strings.Contains(text, words) {
			return false
		}
	}
	return s.not == "" || !strings.Contains(text, s.not)
}

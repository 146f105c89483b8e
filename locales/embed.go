// Package locales holds every word that Turnwatch says, one file per language.
// A file maps keys to sentences with named arguments; en.json is complete, any
// other may lack keys and then English is said.
package locales

import "embed"

// Files are the languages, as LANGUAGE.json.
//
//go:embed *.json
var Files embed.FS

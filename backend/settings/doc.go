// Package settings keeps what the user has chosen in one file of the data folder
// that a person can read and mend: settings.json.
//
// It may touch that file and the two beside it (the last good values, and a
// broken file that was moved aside), all mode 0600. Its calls wait for the disk.
// A Store is safe for several goroutines; two programs on one folder each write
// the whole file, and the later one wins.
package settings

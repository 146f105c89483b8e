// Package worktree looks at the files of a folder: which there are, and how they
// differ between two moments. Where the folder lies in a git work tree it asks
// git, in a way that changes nothing of the user's and runs nothing of the
// repository's: a git directory, an index and an object store of our own in the
// data folder, no configuration but ours, so no hook, filter, monitor or
// external diff.
//
// Its calls start git and wait for it, within the context that they are given
// and never longer than their bounds. A Store is safe for several goroutines.
package worktree

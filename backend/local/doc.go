// Package local is what the programs of one user say to each other on one
// machine: who has the window of a data folder, and that it should come to the
// front. It speaks over a socket that is the user's alone, in the data folder.
//
// It may touch the lock and the socket, and runs one goroutine per seat that
// listens; Take and Raise wait for the disk and for the other program, within
// short bounds.
package local

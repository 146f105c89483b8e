//go:build bindings

package main

// describing says that this program only writes down what the window binds.
const describing = true

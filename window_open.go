//go:build desktop && production && !bindings

package main

const describing = false

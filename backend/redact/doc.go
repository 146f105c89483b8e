// Package redact turns raw text of an agent, a provider or a program into text
// that may be stored, logged and shown. What it cannot recognise as harmless it
// takes out: it would rather lose a word than keep a secret.
//
// It is pure: it imports the standard library only, does no I/O and never blocks.
package redact

// Package bridge serves the page over a loopback port, for browser tests alone:
// the same window, the same core, the same content policy, and calls and events
// that mean what they mean in the real window. No program that is shipped
// imports it.
//
// It listens on 127.0.0.1 only. Whoever comes must name that host, come from no
// other origin, and hold the random token. Serve blocks until its context ends.
package bridge

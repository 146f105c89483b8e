// Package acp speaks the Agent Client Protocol: JSON-RPC 2.0, one message a
// line, over any reader and writer. It is symmetric: the client and the demo
// agent use the same Conn.
//
// The room touches the two streams it is given and nothing else: no process, no
// file, no clock but the timer of its write deadline. It imports the nouns of
// package agent and the types, never the connection, of the ACP SDK.
//
// Goroutines and who may block:
//
//   - One reader per Conn reads lines, decodes what routing needs and calls the
//     Handler in the order of the lines. Handler.Update may block; that is the
//     back-pressure on the peer. An answer completes its call on the same
//     goroutine, so everything that came before an answer has been handled when
//     Call returns.
//   - One writer per Conn owns the writing side. Callers hand it whole lines
//     through a bounded queue and wait no longer than their context. A write
//     without progress for Options.WriteTimeout ends the writing side.
//   - Request.Respond and Request.Fail never block.
//   - Close waits at most half a second for queued lines.
//
// What a peer says is untrusted. Lines that are no message are counted and their
// length is logged, never their text; no error of this package prints what the
// peer wrote.
package acp

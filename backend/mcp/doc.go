// Package mcp is the small MCP server that a managed agent is given when the user
// has switched auto-resume on: one tool, task_complete, by which the agent says
// that it has done what it was asked to do.
//
// Serve is the server (tw mcp), a child of the agent that lives as long as its
// stdin. Post is the other end: it hears the calls in the program that supervises
// the session, over a socket that is the user's alone. A token, one for each
// session, says whose call it is; it is passed in the environment and never
// logged. Decisions are made elsewhere: Post hands a call on and hands the reply
// back.
//
// It may touch the socket, stdin and stdout. Serve blocks until its input ends;
// Post runs one goroutine, and one for each call.
package mcp

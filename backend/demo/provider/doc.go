// Package provider is a fake model provider for tests with real agents. It
// speaks OpenAI chat completions and responses, Anthropic messages and Gemini,
// streamed and whole, exactly enough for real agents to run real turns, and it
// fails on command in all the ways real providers do.
//
// What it does is chosen for each request by a directive in the newest user
// message,
//
//	[[fake:NAME key=value key='two words']]
//
// else by the first part of the path (/s/NAME/…), else it is "ok". Behaviours
// lists the names. A request that offers no tools is a side request (a title, a
// summary, a router): a directive reaches it only by its key title=NAME, and it
// is answered "ok" without one; a scenario of the path reaches it as any other.
//
// Keys that any behaviour takes: fail=N (misbehave N times, then be ok),
// id=X (what the N are counted under, else the directive itself), at=K (first K
// tool calls of a shell, then misbehave), title=NAME, retry_after=SECONDS and
// retry_after_ms=MS (or none) for the header of a failure, in=N and out=N for
// the tokens in the usage.
//
// Rules of the room: it listens on loopback only, where Start is called, and
// reads nothing but the requests. A handler may block for as long as its client
// stays and the provider's context lives; ending that context ends every one.
// Header values, and so keys, are never kept.
package provider

package backend_test

// layers is the order of the rooms, the only place where it stands: a room may
// import the rooms on lines above its own, never one on the same line. A new
// room gets its place here; the paths are below turnwatch/, and what lies inside
// a room belongs to it.
func layers() [][]string {
	return [][]string{
		{"backend/agent", "backend/redact", "locales"},
		{"backend/failure"},
		{"backend/turn", "backend/policy", "backend/diagnose", "backend/view"},
		{
			"backend/proc", "backend/acp", "backend/opencode", "backend/history", "backend/settings",
			"backend/locale", "backend/about", "backend/tray", "backend/notify", "backend/local", "backend/mcp",
		},
		{"backend/managed", "backend/supervise", "backend/pilot", "backend/office", "backend/proxy", "backend/replay"},
		{"backend/core"},
		{"backend/window", "backend/demo"},
		{"backend/cli"},
		{"backend/cmd/tw", ".", "frontend/e2e/bridge"}, // wiring only; . is the root package, the bridge is of tests
	}
}

// standardOnly are the rooms that import nothing but the standard library (and
// their own folders).
func standardOnly() []string {
	return []string{"backend/agent", "backend/redact", "locales", "build/task"}
}

// outside are folders that are no rooms: they have no line, nobody imports them,
// and they import no room. Those of tests hold tests only, so they may.
func outside() []string {
	return []string{"build/task", "backend", "backend/agents_e2e"}
}

// vague are names that say nothing about what a package speaks to or does.
func vague() []string {
	return []string{"util", "utils", "common", "helper", "helpers", "models", "service", "services", "manager", "handler", "handlers"}
}

// longest is how many lines a file may have.
const longest = 400

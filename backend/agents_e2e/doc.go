// Package agents_e2e holds tests that run real agents, installed from npm, against
// the project's own fake model provider. They have the build tag agents and are
// run by "go run ./build/task test-agents".
package agents_e2e

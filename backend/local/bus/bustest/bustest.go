// Package bustest gives tests a message bus of their own, and the parts of a
// desktop on it: a panel and a notification server. It is for tests alone.
package bustest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
)

const config = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=%s</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
    <allow receive_type="method_call"/><allow receive_type="method_return"/><allow receive_type="error"/><allow receive_type="signal"/>
    <allow send_type="method_call"/><allow send_type="method_return"/><allow send_type="error"/><allow send_type="signal"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

// Bus starts a bus that ends with the test, and gives its address.
func Bus(t testing.TB) string {
	t.Helper()
	address, stop := Start(t)
	t.Cleanup(stop)
	return address
}

// Start starts a bus; stop ends it. The test is passed over where no dbus-daemon
// is installed, except in CI.
func Start(t testing.TB) (address string, stop func()) {
	t.Helper()
	program, err := exec.LookPath("dbus-daemon")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("dbus-daemon is not installed")
		}
		t.Skip("dbus-daemon is not installed: nothing can be shown about the desktop")
	}
	dir, err := os.MkdirTemp("", "bus") // short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	file := filepath.Join(dir, "conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, config, filepath.Join(dir, "s")), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--config-file="+file, "--print-address", "--nofork", "--nopidfile")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	ended := false
	stop = func() {
		if !ended {
			ended = true
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}
	t.Cleanup(stop)
	return strings.TrimSpace(line), stop
}

// Dial opens a connection that ends with the test.
func Dial(t testing.TB, address string) *dbus.Conn {
	t.Helper()
	c, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

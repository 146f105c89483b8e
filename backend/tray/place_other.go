//go:build !windows

package tray

// WithoutBus says that the icon needs no session bus here.
const WithoutBus = false

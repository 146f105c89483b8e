package agent

import (
	"syscall"
	"time"
	"unsafe"
)

var queryUnbiased = syscall.NewLazyDLL("kernel32.dll").NewProc("QueryUnbiasedInterruptTime") //nolint:gochecknoglobals // a lazy handle to the system

// Awake is how long this computer has been awake since it was started. Go's
// monotonic clock goes on during sleep on Windows, so the system is asked for the
// time that does not.
func Awake() time.Duration {
	var ticks uint64 // of 100 ns
	_, _, _ = queryUnbiased.Call(uintptr(unsafe.Pointer(&ticks)))
	return time.Duration(ticks) * 100
}

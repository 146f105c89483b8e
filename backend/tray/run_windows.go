package tray

import (
	"runtime"

	"fyne.io/systray"
)

// run shows the icon until quit is closed. The shell's window belongs to one
// thread, and takes an icon only once it is there.
func (t *Tray) run(ready func()) {
	runtime.LockOSThread()
	systray.Run(func() {
		t.build()
		go func() {
			<-t.quit
			systray.Quit()
		}()
		ready()
	}, func() {})
}

package tray

import "fyne.io/systray"

// run shows the icon until quit is closed. Everything is said before the library
// exports it and nothing while it does: what is set meanwhile it would lose, and
// the panel would show nothing until the next change.
func (t *Tray) run(ready func()) {
	systray.SetTitle(t.o.Name)
	t.build()
	start, end := systray.RunWithExternalLoop(nil, nil)
	start()
	t.work.Go(t.register)
	ready()
	<-t.quit
	end()
}

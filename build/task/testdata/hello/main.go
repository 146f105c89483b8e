// Command hello is the smallest window that Wails makes: the measure of what a
// window costs before anything is done in it. Built by the verb figures alone.
package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
)

//go:embed page
var files embed.FS

// Greeter is what the page may call.
type Greeter struct{}

// Greet answers the page.
func (*Greeter) Greet(name string) string { return "Hello, " + name }

func main() {
	page, err := fs.Sub(files, "page")
	if err == nil {
		err = wails.Run(&options.App{
			Title: "Hello", Width: 1240, Height: 800,
			AssetServer: &assetserver.Options{Assets: page},
			Bind:        []any{&Greeter{}},
			Linux:       &linux.Options{ProgramName: "hello", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "hello:", err)
		os.Exit(1)
	}
}

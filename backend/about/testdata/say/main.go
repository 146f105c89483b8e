// The program say prints its version, for a test of the linker's part in it.
package main

import (
	"fmt"

	"turnwatch/backend/about"
)

func main() { fmt.Println(about.Version()) }

package bridge

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// shim makes window.go and window.runtime in the page.
//
//go:embed shim.js
var shim []byte

// script gives the shim with the names of the bound methods.
func (b *Bridge) script(w http.ResponseWriter, _ *http.Request) {
	names, err := json.Marshal(slices.Sorted(maps.Keys(b.bound)))
	if err != nil {
		http.Error(w, "names cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	_, _ = w.Write(bytes.Replace(shim, []byte("[/* names */]"), names, 1))
}

// file gives a file of the page; index.html with the shim before its scripts.
func (b *Bridge) file(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name != "" && name != "index.html" {
		http.FileServerFS(b.page).ServeHTTP(w, r)
		return
	}
	index, err := fs.ReadFile(b.page, "index.html")
	if err != nil {
		http.Error(w, "the page is not built: run npm run build in frontend", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(bytes.Replace(index, []byte("<head>"), []byte(`<head><script src="/bridge.js"></script>`), 1))
}

// Package icon packs pictures of one icon into the files that Windows and macOS
// want. It is pure: bytes in, bytes out.
package icon

package icon

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// kinds names the entries of a macOS icon that may be PNG, by width in pixels.
func kinds() map[int][]string {
	return map[int][]string{
		16: {"icp4"}, 32: {"icp5", "ic11"}, 64: {"icp6", "ic12"}, 128: {"ic07"},
		256: {"ic08", "ic13"}, 512: {"ic09", "ic14"}, 1024: {"ic10"},
	}
}

// ICNS packs square PNG pictures into a macOS icon.
func ICNS(pictures ...[]byte) ([]byte, error) {
	var body bytes.Buffer
	for _, p := range pictures {
		img, err := square(p)
		if err != nil {
			return nil, err
		}
		names := kinds()[img.Bounds().Dx()]
		if names == nil {
			return nil, fmt.Errorf("pack icon: macOS has no icon of %d pixels", img.Bounds().Dx())
		}
		for _, name := range names {
			body.WriteString(name)
			body.Write(binary.BigEndian.AppendUint32(nil, uint32(8+len(p))))
			body.Write(p)
		}
	}
	out := append([]byte("icns"), binary.BigEndian.AppendUint32(nil, uint32(8+body.Len()))...)
	return append(out, body.Bytes()...), nil
}

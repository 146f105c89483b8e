package tray

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
)

// size of an icon in pixels, and how many samples each pixel has in a row.
const (
	size    = 32
	samples = 4
)

// Colour is the colour of a state's icon: dark enough for a light panel and light
// enough for a dark one.
func Colour(s State) color.NRGBA {
	switch s {
	case Running:
		return color.NRGBA{0x2f, 0x7d, 0xd1, 0xff}
	case Needs:
		return color.NRGBA{0xd0, 0x6a, 0x00, 0xff}
	case Limited:
		return color.NRGBA{0x9a, 0x62, 0xc9, 0xff}
	}
	return color.NRGBA{0x80, 0x80, 0x80, 0xff}
}

// Picture draws the icon of a state. All have the same round outline, and each a
// shape of its own inside: idle nothing, running a triangle, limited two bars,
// needs a full disc with a mark cut out.
func Picture(s State) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	c := Colour(s)
	for y := range size {
		for x := range size {
			hit := 0
			for j := range samples {
				for i := range samples {
					at := func(n, k int) float64 { return (float64(n)+(float64(k)+.5)/samples)/size*2 - 1 }
					if inside(s, at(x, i), at(y, j)) {
						hit++
					}
				}
			}
			c.A = uint8(hit * 255 / (samples * samples))
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// inside tells whether a point of the square from -1 to 1 is coloured.
func inside(s State, x, y float64) bool {
	r := math.Hypot(x, y)
	if r > .94 {
		return false
	}
	if s == Needs {
		mark := math.Abs(x) < .13 && y > -.58 && y < .16 || math.Hypot(x, y-.46) < .16
		return !mark
	}
	if r > .72 {
		return true
	}
	switch s {
	case Running:
		return x > -.28 && x < .48 && math.Abs(y) < (.48-x)*.62
	case Limited:
		return math.Abs(y) < .38 && math.Abs(x) > .1 && math.Abs(x) < .32
	}
	return false
}

// PNG is the icon as the panels of Linux take it.
func PNG(s State) []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, Picture(s)) // a buffer takes everything
	return b.Bytes()
}

// ICO is the icon as Windows takes it.
func ICO(s State) []byte {
	data := PNG(s)
	var b bytes.Buffer
	head := struct {
		Reserved, Type, Count       uint16
		Width, Height, Colours, Res uint8
		Planes, Bits                uint16
		Length, Offset              uint32
	}{Type: 1, Count: 1, Width: size, Height: size, Planes: 1, Bits: 32, Length: uint32(len(data)), Offset: 22}
	_ = binary.Write(&b, binary.LittleEndian, head)
	b.Write(data)
	return b.Bytes()
}

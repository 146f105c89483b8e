package icon

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
)

// wide is the width in pixels from which on Windows reads PNG inside an icon, and
// from which on bitmaps would only be larger.
const wide = 256

// ICO packs square PNG pictures, the smallest first, into a Windows icon. Those
// under 256 pixels become bitmaps of 32 bits, which everything reads.
func ICO(pictures ...[]byte) ([]byte, error) {
	var head, body bytes.Buffer
	put(&head, uint16(0), uint16(1), uint16(len(pictures)))
	at := 6 + 16*len(pictures)
	for _, p := range pictures {
		img, err := square(p)
		if err != nil {
			return nil, err
		}
		size := img.Bounds().Dx()
		if size > wide {
			return nil, fmt.Errorf("pack icon: %d pixels are more than the 256 that the format knows", size)
		}
		data := p
		if size < wide {
			data = bitmap(img)
		}
		put(&head, uint8(size%wide), uint8(size%wide), uint8(0), uint8(0), uint16(1), uint16(32), uint32(len(data)), uint32(at+body.Len()))
		body.Write(data)
	}
	return append(head.Bytes(), body.Bytes()...), nil
}

func square(p []byte) (image.Image, error) {
	img, err := png.Decode(bytes.NewReader(p))
	if err != nil {
		return nil, fmt.Errorf("read picture of icon: %w", err)
	}
	b := img.Bounds()
	if b.Dx() != b.Dy() || b.Dx() == 0 {
		return nil, fmt.Errorf("pack icon: a picture of %d x %d pixels is not square", b.Dx(), b.Dy())
	}
	return img, nil
}

// bitmap writes a picture as an icon holds it: a header that counts the rows
// twice, the rows from the bottom up as blue, green, red, alpha, and an empty mask.
func bitmap(img image.Image) []byte {
	var out bytes.Buffer
	b := img.Bounds()
	size := b.Dx()
	put(&out, uint32(40), int32(size), int32(2*size), uint16(1), uint16(32), uint32(0), uint32(0), int32(0), int32(0), uint32(0), uint32(0))
	for y := b.Max.Y - 1; y >= b.Min.Y; y-- {
		for x := b.Min.X; x < b.Max.X; x++ {
			c, _ := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			out.Write([]byte{c.B, c.G, c.R, c.A})
		}
	}
	out.Write(make([]byte, size*((size+31)/32*4)))
	return out.Bytes()
}

// put writes fixed-size numbers, least significant byte first.
func put(b *bytes.Buffer, numbers ...any) {
	for _, n := range numbers {
		_ = binary.Write(b, binary.LittleEndian, n) // a buffer takes everything
	}
}

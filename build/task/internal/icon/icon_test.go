package icon_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/build/task/internal/icon"
)

func picture(t *testing.T, width, height int) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	img.Set(0, 0, color.NRGBA{R: 200, G: 100, B: 50, A: 128})
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	return b.Bytes()
}

func TestICO(t *testing.T) {
	large := picture(t, 256, 256)
	got, err := icon.ICO(picture(t, 16, 16), large)
	require.NoError(t, err)
	le := binary.LittleEndian
	assert.Equal(t, []byte{0, 0, 1, 0, 2, 0}, got[:6], "an icon with two pictures")

	first, second := got[6:22], got[22:38]
	assert.Equal(t, []byte{16, 16}, first[:2])
	assert.Equal(t, []byte{0, 0}, second[:2], "256 is written as 0")
	size, at := le.Uint32(first[8:]), le.Uint32(first[12:])
	assert.EqualValues(t, 38, at)
	assert.EqualValues(t, 40+16*16*4+16*4, size)
	bitmap := got[at : at+size]
	assert.EqualValues(t, 32, le.Uint32(bitmap[8:]), "rows are counted twice")
	top := bitmap[40+15*16*4:]
	assert.Equal(t, []byte{50, 100, 200, 128}, top[:4], "the last row is the top one: blue, green, red, alpha")

	size, at = le.Uint32(second[8:]), le.Uint32(second[12:])
	assert.Equal(t, large, got[at:at+size])
	assert.Len(t, got, int(at+size))
}

func TestICNS(t *testing.T) {
	p := picture(t, 128, 128)
	got, err := icon.ICNS(p, picture(t, 32, 32))
	require.NoError(t, err)
	assert.Equal(t, "icns", string(got[:4]))
	assert.EqualValues(t, len(got), binary.BigEndian.Uint32(got[4:]))
	var names []string
	for rest := got[8:]; len(rest) > 0; rest = rest[binary.BigEndian.Uint32(rest[4:]):] {
		names = append(names, string(rest[:4]))
	}
	assert.Equal(t, []string{"ic07", "icp5", "ic11"}, names)
	assert.Equal(t, p, got[16:16+len(p)])
}

func TestPicturesThatAreNoIcon(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		ico  string
		icns string
	}{
		{"no picture", []byte("GIF89a"), "read picture of icon", "read picture of icon"},
		{"not square", picture(t, 16, 32), "16 x 32 pixels is not square", "16 x 32 pixels is not square"},
		{"too large for Windows", picture(t, 512, 512), "512 pixels are more than the 256", ""},
		{"a width that macOS does not know", picture(t, 48, 48), "", "macOS has no icon of 48 pixels"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := icon.ICO(tt.data)
			check(t, err, tt.ico)
			_, err = icon.ICNS(tt.data)
			check(t, err, tt.icns)
		})
	}
}

func check(t *testing.T, err error, text string) {
	t.Helper()
	if text == "" {
		require.NoError(t, err)
		return
	}
	require.ErrorContains(t, err, text)
}

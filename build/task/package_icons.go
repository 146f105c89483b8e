package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"turnwatch/build/task/internal/icon"
	"turnwatch/build/task/internal/step"
)

// Widths of the icon, in pixels: as hicolor has folders for, as Windows asks for,
// and as macOS has names for.
var (
	hicolorWidths = []int{16, 22, 24, 32, 48, 64, 128, 256, 512}
	windowsWidths = []int{16, 20, 24, 32, 40, 48, 64, 256}
	macWidths     = []int{16, 32, 64, 128, 256, 512, 1024}
)

// icons draws the icon in every width, from the one drawing, and packs it for
// Windows and macOS.
func (p *packaging) icons(ctx context.Context) error {
	return p.console.Do(ctx, "draw the icons", func(ctx context.Context, log io.Writer) (string, error) {
		pictures := map[int][]byte{}
		for _, list := range [][]int{hicolorWidths, windowsWidths, macWidths} {
			for _, width := range list {
				if pictures[width] != nil {
					continue
				}
				data, err := p.draw(ctx, log, width)
				if err != nil {
					return "", err
				}
				pictures[width] = data
			}
		}
		ico, err := icon.ICO(pick(pictures, windowsWidths)...)
		if err != nil {
			return "", err
		}
		icns, err := icon.ICNS(pick(pictures, macWidths)...)
		if err != nil {
			return "", err
		}
		if err := put(p.work("icons", "turnwatch.ico"), ico, 0o644); err != nil {
			return "", err
		}
		return fmt.Sprintf("%d widths", len(pictures)), put(p.work("icons", "turnwatch.icns"), icns, 0o644)
	})
}

// picture is where the icon of one width lies.
func (p *packaging) picture(width int) string {
	return p.work("icons", strconv.Itoa(width)+".png")
}

func (p *packaging) draw(ctx context.Context, log io.Writer, width int) ([]byte, error) {
	if err := os.MkdirAll(p.work("icons"), 0o755); err != nil {
		return nil, fmt.Errorf("make folder of icons: %w", err)
	}
	w := strconv.Itoa(width)
	c := step.Command{Dir: p.root, Args: []string{"rsvg-convert", "-w", w, "-h", w, "-o", p.picture(width), p.source("icon", "turnwatch.svg")}}
	if err := step.Run(ctx, c, log); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(p.picture(width))
	if err != nil {
		return nil, fmt.Errorf("read icon: %w", err)
	}
	return data, nil
}

func pick(pictures map[int][]byte, widths []int) [][]byte {
	var out [][]byte
	for _, w := range widths {
		out = append(out, pictures[w])
	}
	return out
}

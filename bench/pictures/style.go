package pictures

import (
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/braidmerge/braid/bench/cells"
)

const (
	width  = 7.5 * vg.Inch
	height = 4.5 * vg.Inch
	dpi    = 150
)

// palette are colours that people with the common kinds of colour blindness tell apart.
var palette = []color.RGBA{
	{0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x72, 0xb2, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
	{0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x66, 0x66, 0x66, 0xff}, {0x8c, 0x6d, 0x31, 0xff}, {0x3a, 0x3a, 0x9a, 0xff}, {0x99, 0x00, 0x55, 0xff},
}

// order is the order of systems in all pictures, so that each keeps its colour.
var order = []string{cells.System, "polars", "duckdb", "datafusion", "clickhouse", "pyarrow", "lakesoul", "pypaimon-rust", "paimon-java", "pypaimon"}

// colorOf is the colour of a system.
func colorOf(system string) color.RGBA {
	for i, name := range order {
		if name == system {
			return palette[i%len(palette)]
		}
	}
	return color.RGBA{0, 0, 0, 0xff}
}

// newPlot begins a picture.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	sans := font.Font{Typeface: "Liberation", Variant: "Sans"}
	for _, style := range []*text.Style{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		style.Font.Typeface, style.Font.Variant = sans.Typeface, sans.Variant
	}
	grid := plotter.NewGrid()
	grid.Vertical.Width, grid.Horizontal.Color = 0, color.Gray{0xdd}
	p.Add(grid)
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font.Size, p.Title.Padding = font.Points(13), vg.Points(10)
	p.Legend.Top = true
	p.Legend.ThumbnailWidth = vg.Points(16)
	p.Legend.Padding = vg.Points(2)
	p.X.Padding, p.Y.Padding = vg.Points(4), vg.Points(4)
	return p
}

// logTicks are ticks at 1, 2 and 5 times the powers of ten.
type logTicks struct{}

// Ticks returns the ticks between two values.
func (logTicks) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for power := math.Floor(math.Log10(low)); power <= math.Ceil(math.Log10(high)); power++ {
		for _, digit := range []float64{1, 2, 5} {
			if v := digit * math.Pow(10, power); v >= low*0.999 && v <= high*1.001 {
				ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', -1, 64)})
			}
		}
	}
	return ticks
}

// evenTicks are some five ticks from 0 at round numbers.
type evenTicks struct{}

// Ticks returns the ticks up to a value.
func (evenTicks) Ticks(_, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10(max(high, 1e-9)/5)))
	for _, factor := range []float64{2, 2.5, 2} {
		if high/step <= 8 {
			break
		}
		step *= factor
	}
	var ticks []plot.Tick
	for i := 0; float64(i)*step <= high; i++ {
		ticks = append(ticks, plot.Tick{Value: float64(i) * step, Label: strconv.FormatFloat(float64(i)*step, 'g', 4, 64)})
	}
	return ticks
}

// valueTicks are ticks at given values.
type valueTicks struct {
	values []float64
	label  func(float64) string
}

// Ticks returns the ticks.
func (t valueTicks) Ticks(float64, float64) []plot.Tick {
	var ticks []plot.Tick
	for _, v := range t.values {
		ticks = append(ticks, plot.Tick{Value: v, Label: t.label(v)})
	}
	return ticks
}

// logarithmic makes the y axis logarithmic, with room above and below.
func logarithmic(p *plot.Plot) {
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, logTicks{}
	p.Y.Min, p.Y.Max = p.Y.Min/1.3, p.Y.Max*1.3
}

// save writes a picture as SVG and PNG, and returns the names of the files.
func save(p *plot.Plot, dir, name string) ([]string, error) {
	svg := vgsvg.New(width, height)
	p.Draw(inside(draw.New(svg)))
	png := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))
	p.Draw(inside(draw.New(png)))
	path := filepath.Join(dir, name)
	if err := write(path+".svg", svg); err != nil {
		return nil, err
	}
	if err := write(path+".png", vgimg.PngCanvas{Canvas: png}); err != nil {
		return nil, err
	}
	return []string{path + ".svg", path + ".png"}, nil
}

// inside leaves a margin around a picture.
func inside(c draw.Canvas) draw.Canvas {
	margin := vg.Points(10)
	return draw.Crop(c, margin, -margin, margin, -margin)
}

func write(path string, picture vg.CanvasWriterTo) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := picture.WriteTo(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

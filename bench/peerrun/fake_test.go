package peerrun_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/bench/workload"
)

// TestMain makes this program a peer when it is started under the name of Python.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "python" {
		os.Exit(m.Run())
	}
	if err := (&fake{in: bufio.NewScanner(os.Stdin), behaviour: os.Getenv("BRAID_FAKE_PEER")}).serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(4)
	}
}

// fake is a peer that behaves as it is told to.
type fake struct {
	in        *bufio.Scanner
	behaviour string
	request   struct{ Dir, Job, Scratch string }
}

type fields map[string]any

func (f *fake) send(event string, more fields) {
	line := fields{"event": event}
	for k, v := range more {
		line[k] = v
	}
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

// receive reads a line; false is the end.
func (f *fake) receive(v any) bool {
	return f.in.Scan() && json.Unmarshal(f.in.Bytes(), v) == nil
}

func (f *fake) serve() error {
	if !f.receive(&f.request) {
		return fmt.Errorf("no request")
	}
	forms := []string{"form"}
	switch f.behaviour {
	case "missing", "not supported":
		f.send(f.behaviour, fields{"why": map[string]string{"missing": "no such module", "not supported": "no such merge"}[f.behaviour]})
		return nil
	case "raises":
		f.send("failed", fields{"why": "out of memory"})
		return nil
	case "dies":
		fmt.Fprintln(os.Stderr, "it broke")
		os.Exit(3)
	case "silent":
		return nil
	case "babbles":
		fmt.Println("hello")
		return nil
	case "out of turn":
		f.send("timed", nil)
		return nil
	case "sleeps":
		time.Sleep(time.Minute)
	case "two forms":
		forms = []string{"form", "unordered"}
	}
	f.send("ready", fields{"version": "1.2", "forms": forms})
	for _, form := range forms {
		path := filepath.Join(f.request.Scratch, "result")
		if err := f.write(path, form); err != nil {
			return err
		}
		f.send("result", fields{"form": form, "path": path})
		var verdict struct{ Time bool }
		if !f.receive(&verdict) {
			return nil
		}
		if verdict.Time {
			f.send("quick", fields{"form": form, "ns": 1000 * len(form), "cpu_ns": 100 - len(form)})
		}
	}
	var wanted struct {
		Form   string
		Rounds int
	}
	for f.receive(&wanted) {
		figures := []int{3000, 1000, 2000}[:wanted.Rounds]
		if f.behaviour == "few figures" {
			figures = figures[:1]
		}
		f.send("timed", fields{"form": wanted.Form, "ns": figures, "cpu_ns": figures, "beside": 50})
	}
	return nil
}

// write writes the result of the merge, or something like it.
func (f *fake) write(path, form string) error {
	if f.behaviour == "no stream" {
		return os.WriteFile(path, []byte("nothing"), 0o666)
	}
	m, err := workload.ReadManifest(f.request.Dir)
	if err != nil {
		return err
	}
	runs, err := m.FileRuns(f.request.Dir, workload.Arrow)
	if err != nil {
		return err
	}
	plan, err := m.Plan(f.request.Job)
	if err != nil {
		return err
	}
	reader, err := plan.Merge(context.Background(), runs)
	if err != nil {
		return err
	}
	defer reader.Release()
	var records []arrow.Record
	for reader.Next() {
		rec := reader.Record()
		half := rec.NumRows() / 2
		records = append(records, rec.NewSlice(0, half), rec.NewSlice(half, rec.NumRows()))
	}
	switch {
	case f.behaviour == "lost row":
		records[0] = records[0].NewSlice(1, records[0].NumRows())
	case f.behaviour == "doubled row":
		records = append(records, records[0].NewSlice(0, 1))
	case f.behaviour == "wrong value":
		records[0] = another(records[0], records[1])
	case form == "unordered":
		records[0], records[1] = records[1], records[0]
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	w := ipc.NewWriter(out, ipc.WithSchema(reader.Schema()))
	for _, rec := range records {
		if err := w.Write(rec); err != nil {
			return err
		}
	}
	return w.Close()
}

// another is a record with a value of the column v1 from another record.
func another(rec, other arrow.Record) arrow.Record {
	at := rec.Schema().FieldIndices("v1")[0]
	b := array.NewInt64Builder(memory.DefaultAllocator)
	b.Append(other.Column(at).(*array.Int64).Value(0))
	for row := 1; row < int(rec.NumRows()); row++ {
		b.Append(rec.Column(at).(*array.Int64).Value(row))
	}
	columns := append([]arrow.Array{}, rec.Columns()...)
	columns[at] = b.NewArray()
	return array.NewRecord(rec.Schema(), columns, rec.NumRows())
}

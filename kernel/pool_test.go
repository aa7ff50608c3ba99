package kernel_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

// TestPoolKeepsMemory holds what a pool keeps, up to its bound, and that blocks are aligned and of the size asked for.
func TestPoolKeepsMemory(t *testing.T) {
	pool := kernel.NewPool(4 << 10)
	a := pool.Allocate(1000)
	if len(a) != 1000 || uintptr(unsafe.Pointer(&a[0]))%64 != 0 {
		t.Errorf("%d bytes at %p", len(a), &a[0])
	}
	pool.Free(a)
	if b := pool.Allocate(900); &b[0] != &a[0] || len(b) != 900 || pool.Kept() != 0 {
		t.Error("a block that has been freed is not used again")
	}
	large := pool.Allocate(8 << 10)
	pool.Free(large)
	if pool.Kept() != 0 {
		t.Errorf("%d bytes are kept, more than the pool may", pool.Kept())
	}
	copy(large, "begin")
	if grown := pool.Reallocate(1<<15, large); string(grown[:5]) != "begin" || len(grown) != 1<<15 {
		t.Errorf("a larger block begins with %q", grown[:5])
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range 1000 {
				b := pool.Allocate(i)
				for j := range b {
					b[j] = byte(i)
				}
				if slices.ContainsFunc(b, func(v byte) bool { return v != byte(i) }) {
					t.Error("two goroutines have one block")
				}
				pool.Free(b)
			}
		})
	}
	group.Wait()
}

// TestPoolChoosesBlocks holds that of the blocks that fit well the one freed last is used, and one that is much too large only
// where no other does.
func TestPoolChoosesBlocks(t *testing.T) {
	pool := kernel.NewPool(1 << 20)
	var blocks [][]byte
	for _, size := range []int{1000, 1010, 1020, 3000} {
		blocks = append(blocks, pool.Allocate(size))
	}
	for _, b := range blocks {
		pool.Free(b)
	}
	for _, want := range []int{2, 1, 0, 3} {
		if b := pool.Allocate(990); &b[0] != &blocks[want][0] {
			t.Errorf("990 bytes are not of the block of %d", cap(blocks[want]))
		}
	}
}

// TestPooledRecords holds that merges that share a pool give the rows of one without, and that records keep their values until
// they are released.
func TestPooledRecords(t *testing.T) {
	mem := checked(t)
	runs := manyWindows(t, mem, 5000)
	plan := compile(t, shaped, map[string]string{"merge-engine": "partial-update"}, "id")
	want := mergedColumns(t, mem, plan, runs)
	pool := kernel.NewPool(64 << 20)
	for _, workers := range []int{1, 3} {
		for range 2 {
			reader, err := plan.Merge(context.Background(), runs, kernel.WithAllocator(pool), kernel.WithParallelism(workers))
			if err != nil {
				t.Fatal(err)
			}
			row := int64(0)
			for reader.Next() {
				rec := reader.Record()
				for i, column := range rec.Columns() {
					same := array.NewSlice(want[i], row, row+rec.NumRows())
					if !array.Equal(column, same) {
						t.Errorf("%d workers: column %d of the record at row %d differs", workers, i, row)
					}
					same.Release()
				}
				row += rec.NumRows()
			}
			if err := reader.Err(); err != nil || row != int64(want[0].Len()) {
				t.Errorf("%d rows of %d, %v", row, want[0].Len(), err)
			}
			reader.Release()
		}
	}
	if pool.Kept() == 0 {
		t.Error("nothing came back to the pool")
	}
}

var _ memory.Allocator = (*kernel.Pool)(nil)

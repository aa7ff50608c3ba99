// Package arrow18 joins the two Arrow modules of the Go world: github.com/apache/arrow/go/v17, which the merge speaks, and
// its successor github.com/apache/arrow-go/v18, which engines speak and whose Parquet reader and writer are used here.
//
// Terms. A *side* is one of the two modules. To *lend* is to let one side read a buffer that the other side owns. A *lender*
// is the owner's buffer as the borrowing side sees it: an allocator whose Free gives back the reference that was taken.
//
// The idea. Both sides lay out memory as the Arrow format says, so a record crosses by new headers around the same bytes:
//
//	v18 record          v17 record
//	  v18 array           v17 array
//	    v18 data            v17 data: length, offset and null count copied
//	      v18 buffer  <---    v17 buffer over the same bytes, holding one reference to the v18 buffer
//
// One reference per buffer and header is taken when a record crosses and given back when the last user of that header is
// gone, so a column, a slice, a child or a dictionary kept alone keeps alive just the buffers it reads. It works the same
// in both directions and through any number of crossings.
//
// Lent memory is read only, as all finished Arrow arrays are: growing a lent buffer gives a copy.
//
// An extension type that the receiving side has registered crosses as that type. Any other crosses as its storage type, and
// its name and parameters as the field metadata ARROW:extension:name and ARROW:extension:metadata, which is how the IPC
// format carries them; coming back it is the extension type again.
//
// A worked example: Run(reader) makes an input of a merge from an engine's v18 reader, and Reader(merged) is the merge's
// result as a v18 reader. No value is copied on the way in or out.
//
// Parquet. OpenParquet gives a v17 record reader of a file, ParquetFile a file of a run, ReadParquetInfo what is in a file's
// footer, and NewParquetWriter writes v17 records. Files are read by the v18 decoder behind guards: what a file claims is
// checked before the decoder allocates for it, and whatever goes wrong inside the decoder comes out as an error that names
// the file and, where known, the row group and the column.
package arrow18

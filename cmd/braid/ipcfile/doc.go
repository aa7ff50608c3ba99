// Package ipcfile reads Arrow IPC files and streams that may be truncated, damaged or hostile.
//
// An IPC stream is a sequence of messages: a schema, then dictionaries and record batches, each a block of metadata (a
// FlatBuffer) and a body (the buffers of the columns, perhaps compressed). An IPC file is such a stream with a footer that
// says where each message lies:
//
//	"ARROW1" | schema | dictionary ... | batch | batch | ... | footer | length of the footer | "ARROW1"
//
// A message is read in steps, and a step believes only what the step before it has checked:
//
//	source     finds the next message in a file, by its footer, or in a stream; lengths are held against the bytes there
//	header     reads the metadata into plain numbers: rows, nodes, buffers
//	loader     gives every column of the schema its nodes and buffers
//	validate   checks that the buffers hold what the arrays will look for: sizes, offsets, null counts, indices
//
// The buffers of a batch are ranges of its message: of the mapped file, which stays mapped until the last of them is
// released, or of the memory the message of a stream was read into. Only what is compressed, or not aligned, is copied.
//
// What is wrong with the bytes is columnar.ErrCorrupt, with the number of the batch. A file must not change while it is
// read.
package ipcfile

package arrow18

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/kernel"
)

// ParquetFile makes a file of a run of a Parquet file: its path as name, and as rows what the footer counts in the row
// groups that are read, which reading must then find. The file is opened again when the merge reaches it, as often as it
// does. The errors are those of OpenParquet.
func ParquetFile(path string, options ReadOptions) (kernel.File, error) {
	r, err := OpenParquet(context.Background(), path, options)
	if err != nil {
		return kernel.File{}, err
	}
	defer r.Release()
	return kernel.File{
		Name: path,
		Rows: r.NumRows(),
		Open: func(ctx context.Context) (array.RecordReader, error) {
			opened, err := OpenParquet(ctx, path, options)
			if err != nil {
				return nil, err
			}
			return opened, nil
		},
	}, nil
}

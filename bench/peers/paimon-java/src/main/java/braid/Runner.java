package braid;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.function.Consumer;

import com.sun.management.OperatingSystemMXBean;

import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.reader.RecordReader.RecordIterator;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.RowType;

/**
 * Reads a Paimon table with Paimon's own reader, as the lines on standard input say.
 *
 * <pre>
 * check FOLDER    writes the columns into a folder (see Columns), and the number of rows
 * time            reads every field of every row, and writes rows, wall and processor time in nanoseconds
 * </pre>
 */
public final class Runner {
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final FileStoreTable table;
    private final RowType type;
    private final InternalRow.FieldGetter[] getters;
    private long seen; // keeps what was read from being left out

    private Runner(String location) {
        table = FileStoreTableFactory.create(LocalFileIO.create(), new Path(location));
        type = table.rowType();
        getters = new InternalRow.FieldGetter[type.getFieldCount()];
        for (int i = 0; i < getters.length; i++) {
            getters[i] = InternalRow.createFieldGetter(type.getTypeAt(i), i);
        }
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err); // what libraries print must not get among the lines
        Runner runner = new Runner(args[0]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.startsWith("check ")) {
                out.println(runner.check(line.substring("check ".length())));
            } else {
                long wall = System.nanoTime();
                long cpu = PROCESS.getProcessCpuTime();
                long rows = runner.read(runner::touch);
                out.println(rows + " " + (System.nanoTime() - wall) + " " + (PROCESS.getProcessCpuTime() - cpu));
            }
            out.flush();
        }
    }

    private long check(String folder) throws Exception {
        try (Columns columns = new Columns(type, getters, folder)) {
            return read(columns::write);
        }
    }

    private void touch(InternalRow row) {
        for (InternalRow.FieldGetter getter : getters) {
            Object value = getter.getFieldOrNull(row);
            if (value != null) {
                seen++;
            }
        }
    }

    private long read(Consumer<InternalRow> consumer) throws Exception {
        ReadBuilder builder = table.newReadBuilder();
        long rows = 0;
        try (RecordReader<InternalRow> reader = builder.newRead().createReader(builder.newScan().plan().splits())) {
            RecordIterator<InternalRow> batch;
            while ((batch = reader.readBatch()) != null) {
                InternalRow row;
                while ((row = batch.next()) != null) {
                    consumer.accept(row);
                    rows++;
                }
                batch.releaseBatch();
            }
        }
        return rows;
    }
}

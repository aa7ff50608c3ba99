package braid;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.types.RowType;

/**
 * The columns of rows as files: for column i, i.valid has a byte a row, 1 or 0 for NULL, i.number a 64-bit number a row in little-endian
 * order, and i.data the bytes of text, of which the number is where they end. A decimal's number is its unscaled value, a timestamp's its
 * microseconds, a double's its bits.
 */
final class Columns implements Closeable {
    private final InternalRow.FieldGetter[] getters;
    private final OutputStream[] valid;
    private final OutputStream[] numbers;
    private final OutputStream[] data;
    private final long[] ends;
    private final byte[] eight = new byte[8];
    private final ByteBuffer buffer = ByteBuffer.wrap(eight).order(ByteOrder.LITTLE_ENDIAN);

    Columns(RowType type, InternalRow.FieldGetter[] getters, String folder) throws IOException {
        this.getters = getters;
        int n = type.getFieldCount();
        valid = new OutputStream[n];
        numbers = new OutputStream[n];
        data = new OutputStream[n];
        ends = new long[n];
        for (int i = 0; i < n; i++) {
            valid[i] = open(folder, i + ".valid");
            numbers[i] = open(folder, i + ".number");
            data[i] = open(folder, i + ".data");
        }
    }

    private static OutputStream open(String folder, String name) throws IOException {
        return new BufferedOutputStream(new FileOutputStream(new File(folder, name)), 1 << 16);
    }

    void write(InternalRow row) {
        try {
            for (int i = 0; i < getters.length; i++) {
                Object value = getters[i].getFieldOrNull(row);
                valid[i].write(value == null ? 0 : 1);
                buffer.putLong(0, value == null ? ends[i] : number(i, value));
                numbers[i].write(eight);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long number(int column, Object value) throws IOException {
        if (value instanceof BinaryString) {
            return text(column, ((BinaryString) value).toBytes());
        } else if (value instanceof byte[]) {
            return text(column, (byte[]) value);
        } else if (value instanceof Decimal) {
            return ((Decimal) value).toUnscaledLong();
        } else if (value instanceof Timestamp) {
            return ((Timestamp) value).toMicros();
        } else if (value instanceof Boolean) {
            return (Boolean) value ? 1 : 0;
        } else if (value instanceof Double) {
            return Double.doubleToRawLongBits((Double) value);
        }
        return ((Number) value).longValue();
    }

    private long text(int column, byte[] bytes) throws IOException {
        data[column].write(bytes);
        ends[column] += bytes.length;
        return ends[column];
    }

    @Override
    public void close() throws IOException {
        for (OutputStream[] streams : new OutputStream[][] {valid, numbers, data}) {
            for (OutputStream stream : streams) {
                stream.close();
            }
        }
    }
}

package facet.pool.link;

import java.nio.ByteBuffer;

/**
 * The last bytes of a stream, until the other side has them. Positions count from the beginning of
 * the stream. It grows as it is needed and never beyond its bound. Not thread-safe.
 *
 * <pre>
 *          start                     end
 *   -------|-------------------------|------&gt;
 *    gone   kept, at position % size    room
 * </pre>
 */
final class SendLog {
    private static final int FIRST = 16 << 10;

    private final int most;
    private byte[] bytes;
    private long start;
    private long end;

    SendLog(int most) {
        this.most = most;
        this.bytes = new byte[Math.min(FIRST, most)];
    }

    long start() {
        return start;
    }

    long end() {
        return end;
    }

    boolean hasRoom(int more) {
        return end - start <= most - more; // both are at most its size
    }

    /** Who appends has asked for room. */
    void append(ByteBuffer source) {
        int length = source.remaining();
        if (!hasRoom(length)) {
            throw new IllegalStateException("no room for " + length + " bytes");
        }
        grow(Math.toIntExact(end - start) + length);
        int at = at(end);
        int first = Math.min(length, bytes.length - at);
        source.get(bytes, at, first);
        source.get(bytes, 0, length - first);
        end += length;
    }

    /** Copies what follows a position. */
    int copy(long position, byte[] destination, int offset, int length) {
        int count = (int) Math.min(length, end - position);
        int at = at(position);
        int first = Math.min(count, bytes.length - at);
        System.arraycopy(bytes, at, destination, offset, first);
        System.arraycopy(bytes, 0, destination, offset + first, count - first);
        return count;
    }

    /** The other side has all before it. */
    void release(long position) {
        if (position < start || position > end) {
            throw new IllegalArgumentException(position + " is not in the log");
        }
        start = position;
    }

    private int at(long position) {
        return (int) (position % bytes.length);
    }

    private void grow(int wanted) {
        if (wanted <= bytes.length) {
            return;
        }
        int size = bytes.length;
        while (size < wanted) {
            size = Math.min(most, Math.multiplyExact(size, 2));
        }
        int kept = (int) (end - start);
        byte[] current = new byte[kept];
        copy(start, current, 0, kept);
        bytes = new byte[size];
        int at = at(start);
        int first = Math.min(kept, size - at);
        System.arraycopy(current, 0, bytes, at, first);
        System.arraycopy(current, first, bytes, 0, kept - first);
    }
}

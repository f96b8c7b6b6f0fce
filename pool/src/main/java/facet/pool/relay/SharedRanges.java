package facet.pool.relay;

import facet.os.SharedMemoryUnsafe;
import facet.pool.link.LinkViolation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Memory that is there twice, on two nodes, and that whoever runs there reads and writes by plain
 * pointers. Each side keeps what the other one has as far as it knows (the <i>shadow</i>), finds by
 * comparing which bytes have been written here since, and tells the other side those alone. So both
 * sides may write at once as long as they do not write the same bytes.
 *
 * <p>A patch is blocks of 512 bytes in which something has changed:
 *
 * <pre>
 *   offset:u64 | a bit for each byte: u64[8] | the bytes whose bits are set
 * </pre>
 *
 * Patches of one side are applied in the order in which they were made.
 */
final class SharedRanges implements AutoCloseable {
    private static final int BLOCK = 512;
    private static final int WORDS = BLOCK / Long.SIZE;
    private static final int PIECE = 64 << 10;
    private static final int BLOCK_HEAD = Long.BYTES + WORDS * Long.BYTES;

    /** To ask whether there are pages costs more than to look at so little. */
    private static final int LITTLE = 4 << 10;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final SharedMemoryUnsafe live;
    private final SharedMemoryUnsafe shadow;
    private final TreeMap<Long, Long> ranges = new TreeMap<>();
    private final byte[] now = new byte[PIECE];
    private final byte[] known = new byte[PIECE];
    private boolean closed;

    /** Sends a patch. */
    interface Patches {
        void send(ByteBuffer message) throws IOException;
    }

    /**
     * @param live what programs or kernels have mapped; closed at the end
     */
    SharedRanges(SharedMemoryUnsafe live, String name) throws IOException {
        this.live = live;
        this.shadow = SharedMemoryUnsafe.create(name, live.bytes());
    }

    MemorySegment segment() {
        return live.segment();
    }

    /**
     * A range is shared from now on, and the other side takes it for zeros.
     *
     * @param cleared whether it is to be zeros here, too
     */
    synchronized void add(long offset, long bytes, boolean cleared) {
        long start = offset & -Long.BYTES;
        long end = Math.addExact(Math.addExact(offset, bytes), Long.BYTES - 1) & -Long.BYTES;
        if (closed || bytes <= 0) {
            return;
        }
        if (cleared) {
            live.punch(start, end - start);
        }
        shadow.punch(start, end - start);
        ranges.put(start, end - start);
    }

    /** A range is shared that the other side has told all of. */
    synchronized void keep(long offset, long bytes) {
        long start = offset & -Long.BYTES;
        long end = Math.addExact(Math.addExact(offset, bytes), Long.BYTES - 1) & -Long.BYTES;
        if (!closed && bytes > 0) {
            ranges.put(start, end - start);
        }
    }

    synchronized boolean remove(long offset) {
        return ranges.remove(offset & -Long.BYTES) != null;
    }

    synchronized boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** Tells what was written here since the last time; says whether that was anything. */
    synchronized boolean tell(int context, Patches to) throws IOException {
        if (closed) {
            return false;
        }
        ByteBuffer message = empty(context);
        boolean any = false;
        for (Map.Entry<Long, Long> each : ranges.entrySet()) {
            long end = each.getKey() + each.getValue(); // bounded: a range lies in the memory
            for (long at = each.getKey(); at < end; at += PIECE) {
                int bytes = (int) Math.min(PIECE, end - at);
                if (!isChanged(at, bytes)) {
                    continue;
                }
                any = true;
                if (message.remaining() < worst(bytes)) {
                    to.send(message.flip());
                    message = empty(context);
                }
                put(at, bytes, message);
            }
        }
        if (message.position() > Messages.PATCH_HEAD) {
            to.send(message.flip());
        }
        return any;
    }

    private static ByteBuffer empty(int context) {
        return ByteBuffer.allocate(Messages.PIECE + Messages.PATCH_HEAD)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(0, Messages.PATCH)
                .putInt(4, context)
                .position(Messages.PATCH_HEAD);
    }

    private static int worst(int bytes) {
        return bytes + Math.ceilDiv(bytes, BLOCK) * BLOCK_HEAD;
    }

    private boolean isChanged(long at, int bytes) {
        if (bytes > LITTLE && !live.isUsed(at, bytes) && !shadow.isUsed(at, bytes)) {
            return false;
        }
        return live.segment().asSlice(at, bytes).mismatch(shadow.segment().asSlice(at, bytes)) >= 0;
    }

    /** Whoever writes meanwhile: what is told is what is kept. */
    private void put(long at, int bytes, ByteBuffer message) {
        MemorySegment.copy(live.segment(), ValueLayout.JAVA_BYTE, at, now, 0, bytes);
        MemorySegment.copy(shadow.segment(), ValueLayout.JAVA_BYTE, at, known, 0, bytes);
        for (int block = 0; block < bytes; block += BLOCK) {
            int end = Math.min(bytes, block + BLOCK);
            if (Arrays.mismatch(now, block, end, known, block, end) < 0) {
                continue;
            }
            message.putLong(at + block);
            int masks = message.position();
            message.position(masks + WORDS * Long.BYTES);
            for (int word = 0; word < WORDS; word++) {
                long mask = 0;
                int first = block + word * Long.SIZE;
                for (int i = 0; i < Long.SIZE && first + i < end; i++) {
                    if (now[first + i] != known[first + i]) {
                        mask |= 1L << i;
                        message.put(now[first + i]);
                    }
                }
                message.putLong(masks + word * Long.BYTES, mask);
            }
            MemorySegment.copy(
                    now, block, shadow.segment(), ValueLayout.JAVA_BYTE, at + block, end - block);
        }
    }

    /** Takes over what the other side has written, but where this side has written since. */
    synchronized void apply(ByteBuffer blocks) throws LinkViolation {
        long[] masks = new long[WORDS];
        byte[] bytes = new byte[BLOCK];
        while (blocks.hasRemaining()) {
            if (blocks.remaining() < BLOCK_HEAD) {
                throw new LinkViolation("a patch that is cut off");
            }
            long offset = blocks.getLong();
            int count = 0;
            for (int i = 0; i < WORDS; i++) {
                masks[i] = blocks.getLong();
                count += Long.bitCount(masks[i]);
            }
            if (offset < 0
                    || offset % Long.BYTES != 0
                    || offset > live.bytes() - BLOCK
                    || blocks.remaining() < count) {
                throw new LinkViolation("a patch at " + offset + " that is none");
            }
            blocks.get(bytes, 0, count);
            if (!closed) {
                apply(offset, masks, bytes);
            }
        }
    }

    private void apply(long offset, long[] masks, byte[] bytes) {
        int next = 0;
        for (int word = 0; word < BLOCK / Long.BYTES; word++) {
            int mask = (int) (masks[word / Long.BYTES] >>> word % Long.BYTES * Long.BYTES) & 0xff;
            if (mask == 0) {
                continue;
            }
            long value = 0;
            long which = 0;
            for (int i = 0; i < Long.BYTES; i++) {
                if ((mask >>> i & 1) != 0) {
                    value |= (bytes[next++] & 0xffL) << 8 * i;
                    which |= 0xffL << 8 * i;
                }
            }
            applyWord(offset + (long) word * Long.BYTES, value, which);
        }
    }

    private void applyWord(long at, long value, long which) {
        MemorySegment here = live.segment();
        long before = shadow.segment().get(ValueLayout.JAVA_LONG, at);
        while (true) {
            long seen = (long) LONG.getVolatile(here, at);
            long taken = which & ~Bytes.thatDiffer(seen, before);
            long merged = seen & ~taken | value & taken;
            if (merged == seen || LONG.compareAndSet(here, at, seen, merged)) {
                break;
            }
        }
        shadow.segment().set(ValueLayout.JAVA_LONG, at, before & ~which | value);
    }

    /** Bytes of pages that it has here. */
    synchronized long resident() {
        return closed ? 0 : live.resident();
    }

    /** The same of a range. */
    synchronized long resident(long offset, long bytes) {
        return closed ? 0 : live.resident(offset, bytes);
    }

    /** Nobody has a range any more: its pages go back to the system. */
    synchronized void clear(long offset, long bytes) {
        if (!closed) {
            live.punch(offset, bytes);
            shadow.punch(offset, bytes);
        }
    }

    /** Data that goes one way, in memory that is not shared. */
    synchronized void write(long offset, MemorySegment data) throws LinkViolation {
        if (offset < 0 || offset > live.bytes() - data.byteSize()) {
            throw new LinkViolation("data at " + offset + " that is not in the memory");
        }
        if (!closed) {
            MemorySegment.copy(data, 0, live.segment(), offset, data.byteSize());
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            ranges.clear();
            shadow.close();
            live.close();
        }
    }
}

package facet.host.mirror;

import facet.device.Memory;
import facet.os.SharedMemoryUnsafe;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The three copies of what is mirrored: the device's, the image that the program has mapped, and
 * the base, which is what both had when they were last alike. So what each side has written since
 * is known byte by byte, and both may write at once as long as they do not write the same bytes.
 * Not thread-safe; only the program and kernels write meanwhile.
 */
final class Copies implements AutoCloseable {
    /** Looked at in one go. */
    private static final long PIECE = 256 << 10;

    /** Looked at word by word when something in it differs. */
    private static final long BLOCK = 1 << 10;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final Memory device;
    private final SharedMemoryUnsafe image;
    private final SharedMemoryUnsafe base;
    private final MemorySegment buffer = Arena.ofAuto().allocate(PIECE, Long.BYTES);
    private final MemorySegment now = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);

    private Copies(Memory device, SharedMemoryUnsafe image, SharedMemoryUnsafe base) {
        this.device = device;
        this.image = image;
        this.base = base;
    }

    static Copies of(Memory device, String name) throws IOException {
        SharedMemoryUnsafe image = SharedMemoryUnsafe.create(name, device.bytes());
        try {
            return new Copies(
                    device, image, SharedMemoryUnsafe.create(name + "-base", device.bytes()));
        } catch (IOException e) {
            image.close();
            throw e;
        }
    }

    SharedMemoryUnsafe image() {
        return image;
    }

    /** The device has not seen the program's bytes yet; what it has there means nothing. */
    void begin(long offset, long bytes) {
        device.clear(offset, bytes);
        base.punch(offset, bytes);
    }

    /** The program has not seen the device's bytes yet; what nobody wrote takes no pages. */
    void show(long offset, long bytes) throws IOException {
        clear(offset, bytes);
        device.save(
                offset,
                bytes,
                (at, piece) -> {
                    image.write(at, piece);
                    base.write(at, piece);
                },
                () -> false);
    }

    /** Image and base read as zeros; the device's is cleared by whoever has it. */
    void clear(long offset, long bytes) {
        image.punch(offset, bytes);
        base.punch(offset, bytes);
    }

    // ---- making alike

    /**
     * Both sides get what the other one has written.
     *
     * @param from a multiple of 8, as is the end
     * @param both whether the device may have written
     * @param runs whether kernels or copies may write meanwhile
     */
    void exchange(long from, long end, boolean both, boolean runs) {
        for (long at = from; at < end; at += PIECE) {
            exchangePiece(at, Math.min(PIECE, end - at), both, runs);
        }
    }

    private void exchangePiece(long at, long bytes, boolean both, boolean runs) {
        // To ask costs more than to look at little.
        if (bytes > BLOCK && !isUsed(at, bytes)) {
            return;
        }
        MemorySegment there = buffer.asSlice(0, bytes);
        MemorySegment known = base.segment().asSlice(at, bytes);
        MemorySegment here = image.segment().asSlice(at, bytes);
        boolean hostWrote = here.mismatch(known) >= 0;
        if (both) {
            device.read(at, there);
            if (!hostWrote && there.mismatch(known) < 0) {
                return;
            }
        } else if (hostWrote) {
            there.copyFrom(known);
        } else {
            return;
        }
        for (long i = 0; i < bytes; i += BLOCK) {
            long block = Math.min(BLOCK, bytes - i);
            MemorySegment ours = here.asSlice(i, block);
            MemorySegment before = known.asSlice(i, block);
            MemorySegment theirs = there.asSlice(i, block);
            if (ours.mismatch(before) >= 0 || theirs.mismatch(before) >= 0) {
                merge(at + i, ours, before, theirs, runs);
            }
        }
    }

    /** What nobody ever wrote is alike. */
    private boolean isUsed(long at, long bytes) {
        return image.isUsed(at, bytes) || device.isUsed(at, bytes);
    }

    /** Word by word; words that the program has written go to the device in runs. */
    private void merge(
            long at, MemorySegment here, MemorySegment known, MemorySegment there, boolean runs) {
        long bytes = here.byteSize();
        long begin = -1;
        for (long i = 0; i < bytes; i += Long.BYTES) {
            long written = there.get(ValueLayout.JAVA_LONG, i);
            long before = known.get(ValueLayout.JAVA_LONG, i);
            long merged = merge(here, i, before, written);
            known.set(ValueLayout.JAVA_LONG, i, merged);
            there.set(ValueLayout.JAVA_LONG, i, merged);
            long missing = Merge.bytesThatDiffer(merged, written);
            boolean whole = missing == -1 || missing != 0 && !runs;
            if (whole && begin < 0) {
                begin = i;
            } else if (!whole && begin >= 0) {
                device.write(at + begin, there.asSlice(begin, i - begin));
                begin = -1;
            }
            if (!whole && missing != 0) {
                writePart(at + i, there.asSlice(i, Long.BYTES), missing, before);
            }
        }
        if (begin >= 0) {
            device.write(at + begin, there.asSlice(begin, bytes - begin));
        }
    }

    /**
     * Bytes beside them may be a kernel's, which writes them now.
     *
     * @param before what the device had when both were last alike
     */
    private void writePart(long at, MemorySegment word, long bytes, long before) {
        device.read(at, now);
        long theirs = Merge.bytesThatDiffer(before, now.get(ValueLayout.JAVA_LONG, 0));
        long which = Merge.inHalves(bytes, theirs);
        if (which == -1) {
            device.write(at, word);
            return;
        }
        for (int half = 0; half < Long.BYTES; half += Integer.BYTES) {
            int wanted = (int) (which >>> 8 * half);
            int step = wanted == -1 ? Integer.BYTES : 1;
            for (int i = 0; i < Integer.BYTES; i += step) {
                if ((wanted >>> 8 * i & 1) != 0) {
                    device.write(at + half + i, word.asSlice(half + i, step));
                }
            }
        }
    }

    /** The program may write at any time: what it writes meanwhile is seen, now or next time. */
    private static long merge(MemorySegment here, long at, long known, long written) {
        while (true) {
            long host = (long) LONG.getVolatile(here, at);
            long merged = Merge.of(known, host, written);
            if (merged == host || LONG.compareAndSet(here, at, host, merged)) {
                return merged;
            }
        }
    }

    // ---- looking on while both sides write

    /** Notes what the program has written. */
    void noteHost(long from, long end, Notes notes) {
        note(from, end, notes, false);
    }

    /** Notes what kernels have written. */
    void noteDevice(long from, long end, Notes notes) {
        note(from, end, notes, true);
    }

    private void note(long from, long end, Notes notes, boolean ofDevice) {
        for (long at = from; at < end && !notes.areTooMany(); at += PIECE) {
            long bytes = Math.min(PIECE, end - at);
            if (!isUsed(at, bytes)) {
                continue;
            }
            MemorySegment seen = image.segment().asSlice(at, bytes);
            if (ofDevice) {
                seen = buffer.asSlice(0, bytes);
                device.read(at, seen);
            }
            note(at, seen, base.segment().asSlice(at, bytes), notes);
        }
    }

    private static void note(long at, MemorySegment seen, MemorySegment known, Notes notes) {
        for (long i = wordOf(seen.mismatch(known));
                i >= 0 && i < seen.byteSize() && !notes.areTooMany();
                i += Long.BYTES) {
            long word = (long) LONG.getVolatile(seen, i);
            if (word != known.get(ValueLayout.JAVA_LONG, i)) {
                notes.add(at + i, word);
            }
        }
    }

    private static long wordOf(long offset) {
        return offset < 0 ? -1 : offset / Long.BYTES * Long.BYTES;
    }

    /** The device gets what the program has written. */
    void tellDevice(Notes notes) {
        MemorySegment word = buffer.asSlice(0, Long.BYTES);
        notes.forEach((at, value) -> {
            word.set(ValueLayout.JAVA_LONG, 0, value);
            long known = base.segment().get(ValueLayout.JAVA_LONG, at);
            writePart(at, word, Merge.bytesThatDiffer(known, value), known);
            base.segment().set(ValueLayout.JAVA_LONG, at, value);
        });
    }

    /** The program gets what kernels have written. */
    void tellHost(Notes notes) {
        notes.forEach((at, value) -> {
            long known = base.segment().get(ValueLayout.JAVA_LONG, at);
            // Where the program has written the same word, both are made alike another time.
            if (LONG.compareAndSet(image.segment(), at, known, value)) {
                base.segment().set(ValueLayout.JAVA_LONG, at, value);
            }
        });
    }

    @Override
    public void close() {
        image.discard();
        base.close();
    }
}

package facet.host.residency;

import facet.device.Memory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;

/** A context without a client: some memory, and what residency asks about it. */
final class FakeContext implements Occupant, AutoCloseable {
    final Memory memory;
    final ContextHolding holding;
    volatile boolean working;
    volatile boolean touched;
    volatile boolean moved;
    volatile boolean ending;
    volatile String logged = "";
    private final String slice;

    FakeContext(Residency residency, String slice, long bytes) throws IOException {
        this.slice = slice;
        memory = DeviceMemory.of(bytes);
        holding = residency.admit(this, memory);
    }

    private MemorySegment segment() {
        return memory.mapping().orElseThrow().segment();
    }

    /** Needs the memory to be there. */
    void write(long offset, long bytes, int pattern) {
        for (long at = offset; at < offset + bytes; at += 4096) {
            segment().set(ValueLayout.JAVA_INT, at, pattern + (int) (at >> 12));
        }
    }

    /** Where it is not what was written, or -1. */
    long wrong(long offset, long bytes, int pattern) {
        for (long at = offset; at < offset + bytes; at += 4096) {
            if (segment().get(ValueLayout.JAVA_INT, at) != pattern + (int) (at >> 12)) {
                return at;
            }
        }
        return -1;
    }

    @Override
    public String slice() {
        return slice;
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public boolean isWorking() {
        return working;
    }

    @Override
    public boolean hasWork() {
        return working;
    }

    /** Waits until all its memory is there; false when it will not be. */
    boolean fetch() {
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        holding.whenThere(told::complete);
        return told.join();
    }

    /** Waits until all its memory is there, and keeps it there until the holding is left. */
    boolean enter() {
        while (!holding.enter(Reach.EVERYTHING)) {
            if (!fetch()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void hold(boolean wanted) {
        // There are no kernels.
    }

    @Override
    public boolean isEnding() {
        return ending;
    }

    @Override
    public void moved(boolean isMoved) {
        moved = isMoved;
    }

    @Override
    public boolean isTouched() {
        return touched;
    }

    @Override
    public long published() {
        return 0;
    }

    @Override
    public long read() {
        return 1;
    }

    @Override
    public void log(String text) {
        logged = text;
    }

    @Override
    public void close() {
        ending = true;
        holding.end();
        memory.close();
    }
}

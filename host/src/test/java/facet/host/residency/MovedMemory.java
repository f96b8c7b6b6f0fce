package facet.host.residency;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import facet.device.Memory;
import facet.ring.ContextStatus;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/** Memory of a context that moves out and in as a holding moves it. One thread moves it. */
public final class MovedMemory implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Memory memory;
    private final Memory.Mapping mapping;
    private final HostStore store;
    private final Place place;
    private final ContextStatus status;
    private final Mover mover;

    public MovedMemory(long bytes, ContextStatus status) throws IOException {
        this.status = status;
        memory = DeviceMemory.of(bytes);
        mapping = memory.mapping().orElseThrow();
        store = new HostStore(memory);
        place = new Place(0, bytes, true, 0);
        mover = new Mover(new Client(status), store, () -> false);
    }

    public int descriptor() {
        return mapping.descriptor();
    }

    public void out() {
        if (!mover.keepClientAway(PATIENCE_NANOS)) {
            throw new AssertionError("the client does not let go of its memory");
        }
        if (!mover.out(place)) {
            throw new AssertionError("the memory was not moved");
        }
    }

    /** What is vacated reads as zeros, unless somebody writes to it meanwhile. */
    public void checkThatNobodyWrites(int step) {
        MemorySegment segment = mapping.segment();
        for (long at = 0; at < memory.bytes(); at += step) {
            long found = segment.get(JAVA_LONG, at);
            if (found != 0) {
                throw new AssertionError(
                        "memory that is moved was written to: " + found + " at " + at);
            }
        }
    }

    public void in() {
        if (!mover.in(place)) {
            throw new AssertionError("the memory does not come back");
        }
        status.moved(false);
    }

    @Override
    public void close() {
        store.close();
        memory.close();
    }

    private record Client(ContextStatus status) implements Occupant {
        @Override
        public String slice() {
            return "stress";
        }

        @Override
        public int priority() {
            return 0;
        }

        @Override
        public boolean isWorking() {
            return false;
        }

        @Override
        public boolean hasWork() {
            return false;
        }

        @Override
        public void hold(boolean wanted) {}

        @Override
        public boolean isEnding() {
            return false;
        }

        @Override
        public void moved(boolean moved) {
            status.moved(moved);
        }

        @Override
        public boolean isTouched() {
            return status.touching() != 0;
        }

        @Override
        public long published() {
            return 0;
        }

        @Override
        public long read() {
            return 0;
        }

        @Override
        public void log(String text) {
            throw new AssertionError(text);
        }
    }
}

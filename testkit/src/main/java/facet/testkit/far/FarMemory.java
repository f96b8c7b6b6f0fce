package facet.testkit.far;

import facet.device.Memory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Memory that says nobody where it is. */
record FarMemory(Memory near) implements Memory {
    @Override
    public Optional<Mapping> mapping() {
        return Optional.empty();
    }

    @Override
    public long bytes() {
        return near.bytes();
    }

    @Override
    public void write(long offset, MemorySegment source) {
        near.write(offset, source);
    }

    @Override
    public void read(long offset, MemorySegment destination) {
        near.read(offset, destination);
    }

    @Override
    public void clear(long offset, long bytes) {
        near.clear(offset, bytes);
    }

    @Override
    public long resident() {
        return near.resident();
    }

    @Override
    public boolean isUsed(long offset, long bytes) {
        return near.isUsed(offset, bytes);
    }

    @Override
    public long resident(long offset, long bytes) {
        return near.resident(offset, bytes);
    }

    @Override
    public void save(long offset, long bytes, Sink sink, BooleanSupplier stop) throws IOException {
        near.save(offset, bytes, sink, stop);
    }

    @Override
    public void restore(long offset, MemorySegment piece) throws IOException {
        near.restore(offset, piece);
    }

    @Override
    public void close() {
        near.close();
    }
}

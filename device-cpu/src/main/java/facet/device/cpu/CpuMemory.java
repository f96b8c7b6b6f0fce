package facet.device.cpu;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Memory;
import facet.os.SharedMemoryUnsafe;
import facet.os.SystemCallException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A sparse file: its pages are the device's memory, and programs may map the same. */
final class CpuMemory implements Memory {
    private final SharedMemoryUnsafe file;

    private CpuMemory(SharedMemoryUnsafe file) {
        this.file = file;
    }

    static CpuMemory create(String name, long bytes) {
        try {
            return new CpuMemory(SharedMemoryUnsafe.createGuarded(name, bytes));
        } catch (SystemCallException e) {
            throw new DeviceException(DeviceError.OUT_OF_MEMORY, String.valueOf(e.getMessage()), e);
        }
    }

    /** What kernels work on. */
    MemorySegment segment() {
        return file.segment();
    }

    @Override
    public long bytes() {
        return file.bytes();
    }

    @Override
    public void write(long offset, MemorySegment source) {
        MemorySegment.copy(source, 0, file.segment(), offset, source.byteSize());
    }

    @Override
    public void read(long offset, MemorySegment destination) {
        MemorySegment.copy(file.segment(), offset, destination, 0, destination.byteSize());
    }

    @Override
    public void clear(long offset, long bytes) {
        file.punch(offset, bytes);
    }

    @Override
    public long resident() {
        return file.resident();
    }

    @Override
    public boolean isUsed(long offset, long bytes) {
        return file.isUsed(offset, bytes);
    }

    @Override
    public long resident(long offset, long bytes) {
        return file.resident(offset, bytes);
    }

    @Override
    public void save(long offset, long bytes, Sink sink, BooleanSupplier stop) throws IOException {
        file.pieces(offset, bytes, stop, sink::put);
    }

    @Override
    public void restore(long offset, MemorySegment piece) throws IOException {
        file.write(offset, piece);
    }

    @Override
    public Optional<Mapping> mapping() {
        return Optional.of(new Mapping(file.descriptor(), file.segment()));
    }

    @Override
    public void close() {
        file.discard();
    }
}

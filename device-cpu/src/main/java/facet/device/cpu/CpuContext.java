package facet.device.cpu;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Event;
import facet.device.LoadedModule;
import facet.device.Stream;
import facet.os.MappingUnsafe;
import facet.jit.runtime.Services;
import facet.ptx.PtxException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** An address space on the software GPU. */
final class CpuContext implements Context, Services {
    /** Device addresses of every context start here; another context's memory has no address. */
    static final long BASE = 0x7000_0000_0000L;

    private final CpuDevice device;
    private final ContextOptions options;
    private final MappingUnsafe mapping;
    private final Arena arena;
    private final Control control;
    private final ArgumentPool arguments = new ArgumentPool();
    private final Set<CpuStream> streams = ConcurrentHashMap.newKeySet();
    private final AtomicLong deviceNanos = new AtomicLong();
    private volatile @org.jspecify.annotations.Nullable DeviceException fault;
    private boolean closed;
    private long heapUsed;

    CpuContext(CpuDevice device, ContextOptions options) {
        this.device = device;
        this.options = options;
        this.mapping = MappingUnsafe.huge(options.memory());
        this.arena = new Arena(options.memory());
        this.control = new Control(device.workers());
    }

    // ---- memory

    @Override
    public long allocate(long bytes) {
        check();
        if (bytes <= 0) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE, "an allocation of " + bytes + " bytes");
        }
        synchronized (arena) {
            return BASE
                    + arena.allocate(bytes)
                            .orElseThrow(() ->
                                    new DeviceException(
                                            DeviceError.OUT_OF_MEMORY,
                                            bytes
                                                    + " bytes asked for, "
                                                    + arena.used()
                                                    + " of "
                                                    + options.memory()
                                                    + " are in use"));
        }
    }

    @Override
    public void free(long address) {
        synchronized (arena) {
            if (!arena.isTaken(address - BASE)) {
                throw new DeviceException(
                        DeviceError.INVALID_VALUE,
                        "0x" + Long.toHexString(address) + " is not the start of an allocation");
            }
        }
        if (fault == null && !closed) {
            awaitStreams();
        }
        release(address);
    }

    /** Without waiting for what runs. */
    void release(long address) {
        synchronized (arena) {
            arena.release(address - BASE)
                    .ifPresent(length -> {
                        if (!closed) {
                            mapping.zero(address - BASE, length);
                        }
                    });
        }
    }

    @Override
    public long used() {
        synchronized (arena) {
            return arena.used();
        }
    }

    /** The bytes at a device address, for copies; throws when they are not all in the context. */
    MemorySegment memory(long address, long bytes) {
        long offset = address - BASE;
        if (bytes < 0 || offset < 0 || offset > options.memory() - bytes) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    bytes
                            + " bytes at 0x"
                            + Long.toHexString(address)
                            + " are not in this context's memory");
        }
        return mapping.segment().asSlice(offset, bytes);
    }

    long memoryDelta() {
        return mapping.address() - BASE;
    }

    /** Rounded down, so that an aligned access that starts inside ends inside. */
    long memorySize() {
        return options.memory() / 32 * 32;
    }

    // ---- what running kernels ask for

    @Override
    public void poll() {
        control.attend();
    }

    @Override
    public void print(String text) {
        options.output().accept(text);
    }

    @Override
    public long allocateFromHeap(long bytes) {
        synchronized (arena) {
            long before = arena.used();
            if (bytes <= 0 || bytes > options.heap() - heapUsed) {
                return 0;
            }
            long offset = arena.allocate(bytes).orElse(-1);
            heapUsed += arena.used() - before;
            return offset < 0 ? 0 : BASE + offset;
        }
    }

    @Override
    public void freeToHeap(long address) {
        if (address == 0) {
            return;
        }
        synchronized (arena) {
            long before = arena.used();
            release(address);
            heapUsed = Math.max(0, heapUsed - (before - arena.used()));
        }
    }

    // ---- modules, streams, events

    @Override
    public LoadedModule load(String ptx) {
        check();
        return translate(() -> new CpuModule(this, device.modules().get(ptx)));
    }

    /** Turns what the compiler refuses into errors of the device. */
    <T> T translate(Supplier<T> action) {
        try {
            return action.get();
        } catch (PtxException e) {
            DeviceError error =
                    e.kind() == PtxException.Kind.UNSUPPORTED
                            ? DeviceError.UNSUPPORTED_PTX
                            : DeviceError.INVALID_PTX;
            throw new DeviceException(error, String.valueOf(e.getMessage()), e);
        } catch (LinkageError e) {
            throw new DeviceException(
                    DeviceError.INVALID_PTX,
                    "the code made from it is refused by the JVM: " + e,
                    e);
        }
    }

    @Override
    public Stream createStream() {
        check();
        CpuStream stream = new CpuStream(this);
        streams.add(stream);
        return stream;
    }

    void forget(CpuStream stream) {
        streams.remove(stream);
    }

    @Override
    public Event createEvent() {
        check();
        return new CpuEvent();
    }

    // ---- life

    CpuDevice device() {
        return device;
    }

    ContextOptions options() {
        return options;
    }

    ArgumentPool arguments() {
        return arguments;
    }

    Control control() {
        return control;
    }

    void addDeviceNanos(long nanos) {
        deviceNanos.addAndGet(nanos);
    }

    @Override
    public long deviceNanos() {
        return deviceNanos.get();
    }

    /** The first fault stays; what is queued is dropped. */
    void fail(DeviceException exception, String line) {
        synchronized (this) {
            if (fault != null) {
                return;
            }
            fault = exception;
        }
        options.faults().accept(line);
    }

    @Override
    public Optional<DeviceException> fault() {
        return Optional.ofNullable(fault);
    }

    void check() {
        DeviceException current = fault;
        if (current != null) {
            throw new DeviceException(
                    current.error(), String.valueOf(current.getMessage()), current);
        }
        if (closed) {
            throw new DeviceException(DeviceError.DEINITIALIZED, "the context is closed");
        }
    }

    @Override
    public void synchronize() {
        awaitStreams();
        check();
    }

    private void awaitStreams() {
        List<CpuStream> all = new ArrayList<>(streams);
        all.forEach(CpuStream::await);
    }

    @Override
    public void pause() {
        control.pause();
    }

    @Override
    public void resume() {
        control.resume();
    }

    @Override
    public void stop() {
        fail(
                new DeviceException(DeviceError.LAUNCH_TIMEOUT, "the context was stopped"),
                "context " + options.name() + " was stopped");
        control.stop();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        control.stop();
        awaitStreams();
        control.awaitQuiet();
        device.forget(this);
        mapping.close();
        arguments.close();
    }
}

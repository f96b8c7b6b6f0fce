package facet.device.cpu;

import facet.device.AddressSpace;
import facet.device.Arbiter;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Event;
import facet.device.LoadedModule;
import facet.device.Stream;
import facet.device.TextureDescription;
import facet.device.Window;
import facet.jit.runtime.Block;
import facet.jit.runtime.KernelFault;
import facet.jit.runtime.PeerWindows;
import facet.jit.runtime.Services;
import facet.jit.texture.TextureTable;
import facet.ptx.Link;
import facet.ptx.PtxException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** An address space on the software GPU. */
final class CpuContext implements Context, Services {
    private final CpuDevice device;
    private final ContextOptions options;
    private final ContextMemory memory;
    private final Control control;
    private final ModuleCache modules;
    private final Compiles compiles;
    private final ArgumentPool arguments = new ArgumentPool();
    private final Set<CpuStream> streams = ConcurrentHashMap.newKeySet();
    private volatile @org.jspecify.annotations.Nullable DeviceException fault;
    private final Heap heap;
    private volatile Beside beside = Beside.NOTHING;
    private final BlockMemory blockMemory;
    private final ContextTextures textures = new ContextTextures();
    private final Assertions assertions = new Assertions();
    private final PendingLaunches pendingLaunches = new PendingLaunches();
    private final NestedObjects nestedObjects = new NestedObjects();
    private final EventWaits eventWaits = new EventWaits();
    private boolean closed;

    CpuContext(CpuDevice device, ContextOptions options) {
        this.device = device;
        this.options = options;
        this.memory = new ContextMemory(options);
        Arbiter.Share given = options.share();
        Arbiter.Share share = given == null ? device.arbiter().unnamed() : given;
        this.control = new Control(device.seats(), share);
        this.modules = device.modules().of(share);
        this.compiles =
                new Compiles(
                        device.seats(),
                        device.modules().room(share),
                        control,
                        device.arbiter() instanceof FirstCome);
        this.heap = new Heap(memory, options.space(), options.heap());
        AddressSpace space = options.space();
        this.blockMemory = new BlockMemory(space == null ? null : space.owner(), options.memory());
    }

    // ---- memory

    @Override
    public long allocate(long bytes) {
        check();
        return memory.allocate(bytes);
    }

    @Override
    public void allocateAt(long address, long bytes) {
        check();
        memory.allocateAt(address, bytes);
    }

    @Override
    public void free(long address) {
        if (!memory.isTaken(address)) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    "0x" + Long.toHexString(address) + " is not the start of an allocation");
        }
        if (fault == null && !closed) {
            awaitStreams();
        }
        memory.release(address);
    }

    @Override
    public void release(long address) {
        memory.release(address);
    }

    @Override
    public long used() {
        return memory.used();
    }

    ContextMemory memory() {
        return memory;
    }

    @Override
    public Window reachable() {
        return memory.reachable();
    }

    @Override
    public void reach(List<Window> readable, List<Window> writable) {
        beside = new Beside(List.copyOf(readable), List.copyOf(writable));
    }

    @Override
    public CpuAccess access() {
        return CpuAccess.of(this);
    }

    /** For launches from now on. */
    PeerWindows windows() {
        return beside.windows();
    }

    /** The bytes at a device address, for copies and fills. */
    MemorySegment bytes(long address, long bytes, boolean writes) {
        Beside known = beside;
        return known.equals(Beside.NOTHING) || memory.contains(address, bytes)
                ? memory.at(address, bytes)
                : known.bytes(address, bytes, writes);
    }

    @Override
    public void heap(long bytes) {
        check();
        heap.resize(bytes);
    }

    Heap heap() {
        return heap;
    }

    BlockMemory blockMemory() {
        return blockMemory;
    }

    @Override
    public void pendingLaunches(long most) {
        pendingLaunches.limit(most);
    }

    PendingLaunches pendingLaunches() {
        return pendingLaunches;
    }

    NestedObjects nestedObjects() {
        return nestedObjects;
    }

    EventWaits eventWaits() {
        return eventWaits;
    }

    // ---- textures

    @Override
    public void createTexture(long handle, TextureDescription description) {
        check();
        textures.create(handle, description);
    }

    @Override
    public void destroyTexture(long handle) {
        textures.destroy(handle);
    }

    /** For launches from now on. */
    TextureTable textures() {
        return textures.table();
    }

    // ---- what running kernels ask for

    @Override
    public void poll() {
        control.giveWay();
        control.attend();
        assertions.poll();
    }

    @Override
    public void assertFailed(Block block, KernelFault fault) {
        assertions.add(block, fault);
    }

    Assertions assertions() {
        return assertions;
    }

    /** Work of this context, for the next seat that is its share's. */
    Line.Piece submit(Runnable work) {
        return device.seats().submit(control, work);
    }

    @Override
    public void print(String text) {
        options.output().accept(text);
    }

    @Override
    public long allocateFromHeap(long bytes) {
        return heap.allocate(bytes);
    }

    @Override
    public void freeToHeap(long address) {
        heap.free(address);
    }

    // ---- modules, streams, events

    @Override
    public LoadedModule load(String ptx) {
        check();
        return translate(() -> {
            ModuleCache.Entry known = modules.known(ptx);
            return new CpuModule(
                    this, known != null ? known : compiles.await(() -> modules.get(ptx)));
        });
    }

    @Override
    public LoadedModule link(List<String> texts) {
        check();
        return translate(
                () -> new CpuModule(this, compiles.await(() -> modules.get(Link.link(texts)))));
    }

    /** Code for one of its kernels. */
    <T> T make(Supplier<T> action) {
        check();
        return translate(() -> compiles.await(action));
    }

    Compiles compiles() {
        return compiles;
    }

    /** Turns what the compiler refuses into errors of the device. */
    <T> T translate(Supplier<T> action) {
        try {
            return action.get();
        } catch (PtxException e) {
            String text = e.getMessage();
            if (e.lacking().isPresent()) {
                throw DeviceException.lacking(e.lacking().get(), text, e);
            }
            DeviceError error =
                    e.kind() == PtxException.Kind.UNSUPPORTED
                            ? DeviceError.UNSUPPORTED_PTX
                            : DeviceError.INVALID_PTX;
            throw new DeviceException(error, text, e);
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

    @Override
    public long deviceNanos() {
        return control.busyNanos();
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
        eventWaits.end();
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
        eventWaits.end();
        awaitStreams();
        control.awaitQuiet();
        device.forget(this);
        memory.close();
        arguments.close();
    }
}

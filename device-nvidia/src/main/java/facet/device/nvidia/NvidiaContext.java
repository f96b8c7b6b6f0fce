package facet.device.nvidia;

import facet.device.Access;
import facet.device.AddressSpace;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Event;
import facet.device.LoadedModule;
import facet.device.Stream;
import facet.device.TextureDescription;
import facet.device.Window;
import facet.device.nvidia.foreign.Driver;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A context of the vendor's driver. Its kernels reach all that the process has on the device: what
 * keeps slices apart is that each has a process.
 */
final class NvidiaContext implements Context {
    /** What was settled for a launch: all that is there. */
    private enum Everything implements Access {
        ALL
    }

    private final NvidiaDevice device;
    private final ContextOptions options;
    private final AddressSpace space;
    private final NvidiaMemory memory;
    private final long handle;
    private final long memoryStream;
    private final OwnPart own;
    private final Marks marks;
    private final Gate gate = new Gate();
    private final NvidiaTextures textures;
    private final Set<NvidiaStream> streams = ConcurrentHashMap.newKeySet();
    private final AtomicLong nanos = new AtomicLong();
    private volatile @Nullable DeviceException fault;
    private long heap;
    private boolean heapGiven;
    private boolean closed;

    private NvidiaContext(
            NvidiaDevice device,
            ContextOptions options,
            AddressSpace space,
            NvidiaMemory memory,
            long handle,
            long memoryStream) {
        this.device = device;
        this.options = options;
        this.space = space;
        this.memory = memory;
        this.handle = handle;
        this.memoryStream = memoryStream;
        heap = options.heap();
        own = new OwnPart(space.own());
        marks = new Marks(this);
        textures = new NvidiaTextures(this, space.base(), memory.bytes());
    }

    static NvidiaContext open(
            NvidiaDevice device, ContextOptions options, AddressSpace space, NvidiaMemory memory) {
        Driver driver = device.driver();
        memory.reserve(space.base());
        long handle = driver.createContext(device.handle());
        boolean opened = false;
        try {
            driver.use(handle);
            NvidiaContext made =
                    new NvidiaContext(
                            device, options, space, memory, handle, driver.createStream());
            memory.attach(made);
            opened = true;
            return made;
        } finally {
            if (!opened) {
                driver.destroyContext(handle);
            }
        }
    }

    NvidiaDevice device() {
        return device;
    }

    Driver driver() {
        return device.driver();
    }

    Marks marks() {
        return marks;
    }

    Gate gate() {
        return gate;
    }

    NvidiaTextures textures() {
        return textures;
    }

    /** For what its kernels print. */
    void print(String text) {
        options.output().accept(text);
    }

    /** Calls of this thread are about this context from now on. */
    void use() {
        driver().use(handle);
    }

    /** For what somebody waits for at once. */
    long memoryStream() {
        return memoryStream;
    }

    void settleMemory() {
        int result = driver().synchronize(memoryStream);
        if (result != Driver.SUCCESS) {
            throw failed("cuStreamSynchronize", result);
        }
    }

    /** Before work is given to a stream. */
    void check() {
        DeviceException broken = fault;
        if (broken != null) {
            throw broken;
        }
        memory.provide();
    }

    void spent(long more) {
        nanos.addAndGet(more);
    }

    // ---- what goes wrong

    /** What a call that waited has answered: a fault, which is everybody's in this process. */
    DeviceException failed(String call, int result) {
        DeviceException why = Driver.failure(call, result);
        if (why.error() == DeviceError.ASSERT) {
            // Which asserts failed is this program's alone.
            lost(Driver.failure(call, result, device.printing().assertions()));
        }
        failed(why);
        DeviceException known = fault;
        return known == null ? why : known;
    }

    /** The same for a call that has thrown. */
    void failed(DeviceException why) {
        if (why.error().isSticky()) {
            device.poisoned(why);
        } else {
            lost(why);
        }
    }

    /** Nothing of it can be used any more. */
    void lost(DeviceException why) {
        synchronized (this) {
            if (fault != null) {
                return;
            }
            fault = why;
        }
        options.faults().accept("context " + options.name() + ": " + why.getMessage());
    }

    @Override
    public Optional<DeviceException> fault() {
        return Optional.ofNullable(fault);
    }

    boolean isLost() {
        return fault != null;
    }

    // ---- memory

    @Override
    public long allocate(long bytes) {
        long offset = own.take(bytes);
        memory.take(offset, own.rounded(bytes));
        return space.base() + offset;
    }

    @Override
    public void allocateAt(long address, long bytes) {
        memory.take(address - space.base(), bytes);
    }

    @Override
    public void free(long address) {
        whenRested(() -> release(address));
    }

    /** Acts when all that was submitted so far has ended. */
    void whenRested(Runnable action) {
        Thread.ofVirtual()
                .name("facet-free")
                .start(() -> {
                    streams.forEach(NvidiaStream::rest);
                    action.run();
                });
    }

    /** Whether the slice has room for what the device needs besides what programs ask for. */
    boolean pay(long bytes) {
        return space.owner().mayHaveBlockMemory(bytes, false);
    }

    void repay(long bytes) {
        if (bytes > 0) {
            space.owner().giveBlockMemory(bytes);
        }
    }

    @Override
    public void release(long address) {
        long offset = address - space.base();
        memory.give(offset);
        own.give(offset);
    }

    @Override
    public Window reachable() {
        return new Window(space.base(), MemorySegment.NULL);
    }

    /** All of this process is in reach. */
    @Override
    public void reach(List<Window> readable, List<Window> writable) {}

    @Override
    public Access access() {
        return Everything.ALL;
    }

    @Override
    public long used() {
        return memory.used();
    }

    @Override
    public synchronized void heap(long bytes) {
        if (heapGiven) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE, "kernels that use the heap were launched before");
        }
        use();
        driver().heap(bytes);
        heap = bytes;
    }

    /** A kernel is to be launched that may use the heap. */
    synchronized void needHeap() {
        if (!heapGiven) {
            if (!space.owner().mayHaveHeap(heap)) {
                throw new DeviceException(
                        DeviceError.OUT_OF_MEMORY, "there is no room for the kernels' heap");
            }
            heapGiven = true;
        }
    }

    @Override
    public void pendingLaunches(long most) {
        use();
        driver().pendingLaunches(most);
    }

    // ---- code

    @Override
    public LoadedModule load(String ptx) {
        check();
        return NvidiaModule.load(this, ptx);
    }

    @Override
    public LoadedModule link(List<String> texts) {
        check();
        return NvidiaModule.link(this, texts);
    }

    @Override
    public void createTexture(long number, TextureDescription description) {
        textures.create(number, description);
    }

    @Override
    public void destroyTexture(long number) {
        textures.destroy(number);
    }

    // ---- work

    @Override
    public Stream createStream() {
        use();
        NvidiaStream made = new NvidiaStream(this, driver().createStream());
        streams.add(made);
        return made;
    }

    void forget(NvidiaStream stream) {
        streams.remove(stream);
    }

    @Override
    public Event createEvent() {
        return new NvidiaEvent(this);
    }

    @Override
    public void synchronize() {
        for (NvidiaStream each : streams) {
            each.synchronize();
        }
    }

    @Override
    public void pause() {
        gate.close();
    }

    @Override
    public void resume() {
        gate.open();
    }

    @Override
    public void stop() {
        synchronized (this) {
            if (fault == null) {
                fault = new DeviceException(DeviceError.LAUNCH_TIMEOUT, "it was stopped");
            }
        }
        gate.open();
        streams.forEach(NvidiaStream::wake);
    }

    @Override
    public long deviceNanos() {
        return nanos.get();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        stop();
        streams.forEach(NvidiaStream::rest);
        textures.close();
        memory.detach();
        // What a broken driver answers here changes nothing: it goes with its process.
        int _ = driver().destroyContext(handle);
        device.forget(this);
    }
}

package facet.host.session;

import facet.device.Access;
import facet.device.AddressSpace;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceException;
import facet.device.DeviceProfile;
import facet.device.Event;
import facet.device.Kernel;
import facet.device.KernelInfo;
import facet.device.LoadedModule;
import facet.device.Memory;
import facet.device.Stream;
import facet.device.TextureDescription;
import facet.device.Window;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A device on which compiling, loading and bringing memory back are held at gates. */
final class GatedDevice implements Device {
    private final Device near;
    private final Map<String, Gate> kernels = new ConcurrentHashMap<>();
    private final Map<String, Gate> texts = new ConcurrentHashMap<>();
    private volatile @Nullable Gate returns;
    private volatile @Nullable Gate copies;

    GatedDevice(Device near) {
        this.near = near;
    }

    /** Before the kernel of this name is compiled. */
    Gate beforeKernel(String name) {
        return kernels.computeIfAbsent(name, _ -> new Gate());
    }

    /** Before this text is loaded. */
    Gate beforeText(String text) {
        return texts.computeIfAbsent(text, _ -> new Gate());
    }

    /** Before bytes that were moved out come back. */
    Gate beforeReturn() {
        Gate gate = new Gate();
        returns = gate;
        return gate;
    }

    /** Before copies inside the device, in the order of their stream. */
    Gate beforeCopies() {
        Gate gate = new Gate();
        copies = gate;
        return gate;
    }

    private Stream gated(Stream stream) {
        return (Stream)
                Proxy.newProxyInstance(
                        Stream.class.getClassLoader(),
                        new Class<?>[] {Stream.class},
                        (_, method, arguments) -> {
                            Gate gate = copies;
                            if (gate != null && method.getName().equals("copy")) {
                                stream.suspend(resume -> pass(gate, resume));
                            }
                            try {
                                return method.invoke(stream, arguments);
                            } catch (InvocationTargetException e) {
                                throw Objects.requireNonNull(e.getCause());
                            }
                        });
    }

    private static void pass(Gate gate, Runnable resume) {
        Thread.ofVirtual()
                .start(() -> {
                    gate.pass(() -> false);
                    resume.run();
                });
    }

    @Override
    public Context createContext(ContextOptions options) {
        AddressSpace space = Objects.requireNonNull(options.space());
        Memory memory = ((GatedMemory) space.memory()).near;
        return new GatedContext(
                near.createContext(
                        options.withSpace(
                                new AddressSpace(
                                        space.base(), space.own(), memory, space.owner()))));
    }

    @Override
    public DeviceProfile profile() {
        return near.profile();
    }

    @Override
    public boolean sharesMemory() {
        return near.sharesMemory();
    }

    @Override
    public Memory createMemory(String name, long bytes) {
        return new GatedMemory(near.createMemory(name, bytes));
    }

    @Override
    public int[] attributes(DeviceProfile seen, int ordinal, int count) {
        return near.attributes(seen, ordinal, count);
    }

    @Override
    public void close() {
        near.close();
    }

    private final class GatedMemory implements Memory {
        private final Memory near;

        GatedMemory(Memory near) {
            this.near = near;
        }

        @Override
        public void restore(long offset, MemorySegment piece) throws IOException {
            Gate gate = returns;
            if (gate != null) {
                gate.pass(() -> false);
            }
            near.restore(offset, piece);
        }

        @Override
        public Optional<Mapping> mapping() {
            return near.mapping();
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
        public void save(long offset, long bytes, Sink sink, BooleanSupplier stop)
                throws IOException {
            near.save(offset, bytes, sink, stop);
        }

        @Override
        public void close() {
            near.close();
        }
    }

    private final class GatedModule implements LoadedModule {
        private final Context context;
        private final LoadedModule module;

        GatedModule(Context context, LoadedModule module) {
            this.context = context;
            this.module = module;
        }

        @Override
        public Kernel kernel(String name) {
            Gate gate = kernels.get(name);
            if (gate != null) {
                gate.pass(() -> context.fault().isPresent());
            }
            return module.kernel(name);
        }

        @Override
        public Variable variable(String name) {
            return module.variable(name);
        }

        @Override
        public List<KernelInfo> kernels() {
            return module.kernels();
        }

        @Override
        public Map<String, Variable> variables() {
            return module.variables();
        }

        @Override
        public void close() {
            module.close();
        }
    }

    private final class GatedContext implements Context {
        private final Context context;

        GatedContext(Context context) {
            this.context = context;
        }

        @Override
        public LoadedModule load(String ptx) {
            Gate gate = texts.get(ptx);
            if (gate != null) {
                gate.pass(() -> context.fault().isPresent());
            }
            return new GatedModule(context, context.load(ptx));
        }

        @Override
        public LoadedModule link(List<String> all) {
            return new GatedModule(context, context.link(all));
        }

        // ---- as the device has it

        @Override
        public void createTexture(long handle, TextureDescription description) {
            context.createTexture(handle, description);
        }

        @Override
        public void destroyTexture(long handle) {
            context.destroyTexture(handle);
        }

        @Override
        public long allocate(long bytes) {
            return context.allocate(bytes);
        }

        @Override
        public void allocateAt(long address, long bytes) {
            context.allocateAt(address, bytes);
        }

        @Override
        public void free(long address) {
            context.free(address);
        }

        @Override
        public void release(long address) {
            context.release(address);
        }

        @Override
        public Window reachable() {
            return context.reachable();
        }

        @Override
        public void reach(List<Window> readable, List<Window> writable) {
            context.reach(readable, writable);
        }

        @Override
        public Access access() {
            return context.access();
        }

        @Override
        public long used() {
            return context.used();
        }

        @Override
        public void heap(long bytes) {
            context.heap(bytes);
        }

        @Override
        public void pendingLaunches(long most) {
            context.pendingLaunches(most);
        }

        @Override
        public Stream createStream() {
            return gated(context.createStream());
        }

        @Override
        public Event createEvent() {
            return context.createEvent();
        }

        @Override
        public void synchronize() {
            context.synchronize();
        }

        @Override
        public Optional<DeviceException> fault() {
            return context.fault();
        }

        @Override
        public void pause() {
            context.pause();
        }

        @Override
        public void resume() {
            context.resume();
        }

        @Override
        public void stop() {
            context.stop();
        }

        @Override
        public long deviceNanos() {
            return context.deviceNanos();
        }

        @Override
        public void close() {
            context.close();
        }
    }
}

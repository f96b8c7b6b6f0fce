package facet.testkit.filetest;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import facet.device.Stream;
import facet.device.TextureDescription;
import facet.testkit.filetest.Filetest.Argument;
import facet.testkit.filetest.Filetest.Expectation;
import facet.testkit.filetest.Filetest.Global;
import facet.testkit.filetest.Filetest.Step;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A context with one module and the memory that the file has named so far. */
final class Session implements AutoCloseable {
    static final long MEMORY = 64L << 20;

    /** A kernel that runs longer is stopped. */
    private static final long SECONDS = 20;

    private record Region(long address, ElementType type, int count) {}

    private final Context context;
    private final Stream stream;
    private final LoadedModule module;
    private final Map<String, Region> regions = new HashMap<>();
    private long textures;
    private final StringBuilder printed = new StringBuilder();

    Session(Device device, String ptx) {
        context =
                device.createContext(
                        ContextOptions.of("filetest", MEMORY)
                                .withOutput(this::print)
                                .withFaults(line -> {}));
        try {
            module = context.load(ptx);
            stream = context.createStream();
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    void launch(Step step) {
        for (Global global : step.globals()) {
            declare(global);
        }
        byte[][] arguments = new byte[step.arguments().size()][];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = argument(step.arguments().get(i));
        }
        Kernel kernel = module.kernel(step.kernel());
        Launch launch =
                Launch.of(kernel, step.grid(), step.block(), (Object[]) arguments)
                        .withShared(step.shared());
        if (step.cooperative()) {
            launch = launch.asCooperative();
        }
        Dim cluster = step.cluster();
        stream.launch(cluster == null ? launch : launch.inClustersOf(cluster));
        await();
    }

    private void await() {
        CompletableFuture<Void> watchdog =
                CompletableFuture.runAsync(
                        context::stop,
                        CompletableFuture.delayedExecutor(SECONDS, TimeUnit.SECONDS));
        try {
            stream.synchronize();
        } finally {
            watchdog.cancel(false);
        }
    }

    private void declare(Global global) {
        LoadedModule.Variable variable = module.variable(global.name());
        long bytes = (long) global.count() * global.type().bytes();
        if (bytes > variable.bytes()) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    global.name() + " has " + variable.bytes() + " bytes, not " + bytes);
        }
        regions.put(global.name(), new Region(variable.address(), global.type(), global.count()));
        global.values().ifPresent(values -> write(variable.address(), global.type(), values));
    }

    private byte[] argument(Argument argument) {
        return switch (argument) {
            case Argument.Scalar scalar -> scalar.bytes();
            case Argument.Use use -> pointer(region(use.name()).address() + use.offset());
            case Argument.Buffer buffer -> {
                int count = buffer.values().length;
                long address = context.allocate(Math.max(1L, (long) count * buffer.type().bytes()));
                regions.put(buffer.name(), new Region(address, buffer.type(), count));
                write(address, buffer.type(), buffer.values());
                yield pointer(address);
            }
            case Argument.Texture texture -> {
                context.createTexture(++textures, placed(texture));
                yield pointer(textures);
            }
        };
    }

    private TextureDescription placed(Argument.Texture texture) {
        TextureDescription given = texture.description();
        long start = region(texture.name()).address();
        return new TextureDescription(
                given.shape(),
                given.format(),
                given.channels(),
                given.levels().stream().map(each -> placed(each, start)).toList(),
                given.sampling());
    }

    private static TextureDescription.Level placed(TextureDescription.Level level, long start) {
        return new TextureDescription.Level(
                start + level.address(),
                level.pitch(),
                level.slice(),
                level.width(),
                level.height(),
                level.depth());
    }

    private static byte[] pointer(long address) {
        return Values.pack(ElementType.U64, new long[] {address});
    }

    private void write(long address, ElementType type, long[] values) {
        if (values.length > 0) {
            stream.copyToDevice(address, MemorySegment.ofArray(Values.pack(type, values)));
        }
    }

    private Region region(String name) {
        Region region = regions.get(name);
        if (region == null) {
            throw new IllegalArgumentException("nothing is called " + name);
        }
        return region;
    }

    ElementType type(Expectation expectation) {
        return region(expectation.name()).type();
    }

    long[] read(Expectation expectation) {
        Region region = region(expectation.name());
        byte[] bytes = new byte[region.count() * region.type().bytes()];
        stream.copyFromDevice(MemorySegment.ofArray(bytes), region.address());
        stream.synchronize();
        return Values.unpack(region.type(), bytes);
    }

    /** On a device thread. */
    private void print(String text) {
        synchronized (printed) {
            printed.append(text);
        }
    }

    /** What kernels printed since the last call. */
    String printed() {
        synchronized (printed) {
            String text = printed.toString();
            printed.setLength(0);
            return text;
        }
    }

    @Override
    public void close() {
        context.close();
    }
}

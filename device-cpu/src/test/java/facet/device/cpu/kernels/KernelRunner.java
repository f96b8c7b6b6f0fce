package facet.device.cpu.kernels;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import facet.device.Stream;
import facet.device.cpu.CpuDevice;
import facet.device.cpu.parts.PartedDevice;
import facet.device.cpu.parts.Parts;
import facet.ptx.rewrite.BlockForm;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * A context for the tests of a class: loads PTX from the resources, moves arrays, launches. Memory
 * is freed after each test; after a failure the context is replaced, so that it brings no others. A
 * failing test names the seed of its {@link #inputs}.
 */
final class KernelRunner
        implements BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                TestExecutionExceptionHandler {

    private static final long MEMORY = 256L << 20;
    private static final String UNTYPED = ".untyped";
    private static final String PARTS = "facet.parts";

    private final List<Long> allocations = new ArrayList<>();
    private final Map<String, LoadedModule> modules = new HashMap<>();
    private final StringBuilder printed = new StringBuilder();
    private @Nullable Context context;
    private @Nullable Stream stream;
    private boolean failed;
    private Inputs inputs = Inputs.fresh();

    /** With {@code -Dfacet.parts=ranges} or {@code persistent} launches are in parts. */
    private static Device parted(Device device) {
        String form = System.getProperty(PARTS, "");
        return form.isEmpty()
                ? device
                : new PartedDevice(
                        device, Parts.random(BlockForm.valueOf(form.toUpperCase(Locale.ROOT)), 3));
    }

    /** One for all tests of the JVM. */
    static Device device() {
        return Shared.DEVICE;
    }

    private static final class Shared {
        static final Device DEVICE = parted(CpuDevice.create());

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(DEVICE::close));
        }
    }

    /**
     * The text of a file in resources/cuda, without the suffix. With {@code .untyped} behind the
     * name all registers are declared as bits, as newer compilers write them.
     */
    static String ptx(String name) {
        if (name.endsWith(UNTYPED)) {
            return ptx(name.substring(0, name.length() - UNTYPED.length()))
                    .replaceAll("\\.reg \\.f(32|64)", ".reg .b$1");
        }
        try (InputStream in = KernelRunner.class.getResourceAsStream("/cuda/" + name + ".ptx")) {
            if (in == null) {
                throw new IllegalArgumentException(
                        "no cuda/" + name + ".ptx: run device-cpu/src/test/cuda/compile");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Inputs inputs() {
        return inputs;
    }

    Context context() {
        Context current = context;
        if (current == null) {
            current =
                    device().createContext(
                                    ContextOptions.of("kernels", MEMORY).withOutput(this::print));
            context = current;
        }
        return current;
    }

    Stream stream() {
        Stream current = stream;
        if (current == null) {
            current = context().createStream();
            stream = current;
        }
        return current;
    }

    LoadedModule module(String ptx) {
        return modules.computeIfAbsent(ptx, name -> context().load(ptx(name)));
    }

    /** Loads again, with the variables as the PTX initialises them. */
    LoadedModule reload(String ptx) {
        LoadedModule old = modules.remove(ptx);
        if (old != null) {
            old.close();
        }
        return module(ptx);
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

    Call kernel(String ptx, String name) {
        return new Call(ptx, name);
    }

    /** A launch being described; {@link #run} waits for its end. */
    final class Call {
        private final String ptx;
        private final String name;
        private Dim grid = Dim.of(1);
        private Dim block = Dim.of(1);
        private int shared;
        private boolean cooperative;
        private @Nullable Dim cluster;

        private Call(String ptx, String name) {
            this.ptx = ptx;
            this.name = name;
        }

        Call grid(int... sizes) {
            grid = dim(sizes);
            return this;
        }

        Call block(int... sizes) {
            block = dim(sizes);
            return this;
        }

        Call shape(Shapes.Shape shape) {
            return grid(shape.grid()).block(shape.block());
        }

        Call shared(int bytes) {
            shared = bytes;
            return this;
        }

        Call cluster(int... sizes) {
            cluster = dim(sizes);
            return this;
        }

        Call cooperative() {
            cooperative = true;
            return this;
        }

        void run(Object... arguments) {
            Launch launch =
                    Launch.of(module(ptx).kernel(name), grid, block, arguments).withShared(shared);
            if (cooperative) {
                launch = launch.asCooperative();
            }
            stream().launch(cluster == null ? launch : launch.inClustersOf(cluster));
            stream().synchronize();
        }

        private static Dim dim(int... sizes) {
            return new Dim(
                    sizes[0], sizes.length > 1 ? sizes[1] : 1, sizes.length > 2 ? sizes[2] : 1);
        }
    }

    long allocate(long bytes) {
        long address = context().allocate(Math.max(bytes, 1));
        allocations.add(address);
        return address;
    }

    long upload(int... values) {
        return upload(MemorySegment.ofArray(values));
    }

    long upload(long... values) {
        return upload(MemorySegment.ofArray(values));
    }

    long upload(float... values) {
        return upload(MemorySegment.ofArray(values));
    }

    long upload(double... values) {
        return upload(MemorySegment.ofArray(values));
    }

    long upload(short... values) {
        return upload(MemorySegment.ofArray(values));
    }

    long upload(byte... values) {
        return upload(MemorySegment.ofArray(values));
    }

    private long upload(MemorySegment values) {
        long address = allocate(values.byteSize());
        write(address, values);
        return address;
    }

    void write(long address, MemorySegment values) {
        stream().copyToDevice(address, values);
        stream().synchronize();
    }

    int[] ints(long address, int count) {
        int[] values = new int[count];
        read(MemorySegment.ofArray(values), address);
        return values;
    }

    long[] longs(long address, int count) {
        long[] values = new long[count];
        read(MemorySegment.ofArray(values), address);
        return values;
    }

    float[] floats(long address, int count) {
        float[] values = new float[count];
        read(MemorySegment.ofArray(values), address);
        return values;
    }

    double[] doubles(long address, int count) {
        double[] values = new double[count];
        read(MemorySegment.ofArray(values), address);
        return values;
    }

    short[] shorts(long address, int count) {
        short[] values = new short[count];
        read(MemorySegment.ofArray(values), address);
        return values;
    }

    byte[] bytes(long address, int count) {
        byte[] values = new byte[count];
        read(MemorySegment.ofArray(values), address);
        return values;
    }

    private void read(MemorySegment values, long address) {
        stream().copyFromDevice(values, address);
        stream().synchronize();
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        inputs = Inputs.fresh();
        failed = false;
    }

    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable failure)
            throws Throwable {
        failed = true;
        failure.addSuppressed(new AssertionError("repeat with -Dfacet.seed=" + inputs.seed()));
        throw failure;
    }

    @Override
    public void afterEach(ExtensionContext test) {
        Context current = context;
        if (current != null && (failed || current.fault().isPresent())) {
            if (current.fault().isEmpty()) {
                current.stop(); // a kernel may still run
            }
            afterAll(test);
        } else if (current != null) {
            allocations.forEach(current::free);
        }
        allocations.clear();
        printed(); // forgets it
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        Context current = context;
        if (current != null) {
            current.close();
        }
        context = null;
        stream = null;
        modules.clear();
    }
}

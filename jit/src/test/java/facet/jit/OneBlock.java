package facet.jit;

import facet.jit.emit.Emitter;
import facet.jit.runtime.Block;
import facet.jit.runtime.BlockRunner;
import facet.jit.runtime.ClusterShape;
import facet.jit.runtime.Grid;
import facet.jit.runtime.KernelFault;
import facet.jit.runtime.NoServices;
import facet.jit.runtime.PeerWindows;
import facet.jit.runtime.Services;
import facet.jit.runtime.Shape;
import facet.jit.runtime.Site;
import facet.jit.texture.TextureTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Runs one block of 64 threads without a device and tells what it left in memory. */
final class OneBlock {
    private static final long BASE = 0x7000_0000L;
    private static final int MEMORY = 64 << 10;
    private static final int SHARED = 8 << 10;
    private static final int LOCAL = 1 << 10;
    private static final Shape SHAPE = new Shape(64, 1, 1);

    private OneBlock() {}

    /** A digest of memory; the same inputs each time. */
    static String run(CompiledKernel kernel, Emitter.Emitted emitted) {
        return run(kernel, emitted, runner -> {});
    }

    /** How often it asks whether to pause. */
    static int polls(CompiledKernel kernel, Emitter.Emitted emitted) {
        AtomicInteger polls = new AtomicInteger();
        Services counting =
                (Services)
                        Proxy.newProxyInstance(
                                OneBlock.class.getClassLoader(),
                                new Class<?>[] {Services.class},
                                (proxy, method, arguments) -> {
                                    if (method.getName().equals("poll")) {
                                        polls.incrementAndGet();
                                    }
                                    return method.invoke(NoServices.NONE, arguments);
                                });
        String end = run(kernel, emitted, runner -> {}, counting);
        if (!end.startsWith("ended")) {
            throw new IllegalStateException(end);
        }
        return polls.get();
    }

    /**
     * @param prepare is given what runs the block before it does
     */
    static String run(
            CompiledKernel kernel, Emitter.Emitted emitted, Consumer<BlockRunner> prepare) {
        return run(kernel, emitted, prepare, NoServices.NONE);
    }

    private static String run(
            CompiledKernel kernel,
            Emitter.Emitted emitted,
            Consumer<BlockRunner> prepare,
            Services services) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(MEMORY, 64);
            MemorySegment shared = arena.allocate(SHARED, 64);
            MemorySegment local = arena.allocate((long) LOCAL * SHAPE.threads, 64);
            MemorySegment parameters = arena.allocate(128, 64);
            byte[] noise = new byte[4096];
            new Random(1).nextBytes(noise);
            MemorySegment.copy(noise, 0, memory, ValueLayout.JAVA_BYTE, 0, noise.length);
            MemorySegment.copy(noise, 0, shared, ValueLayout.JAVA_BYTE, 0, noise.length);
            parameters.set(ValueLayout.JAVA_LONG, 0, BASE);
            long[] symbols = new long[kernel.symbols().size()];
            for (int i = 0; i < symbols.length; i++) {
                symbols[i] = BASE + MEMORY - 4096 + 256L * i;
            }
            Grid grid =
                    new Grid(
                            BASE,
                            MEMORY,
                            memory.address() - BASE,
                            PeerWindows.NONE,
                            TextureTable.EMPTY,
                            parameters.address(),
                            128,
                            symbols,
                            0,
                            1,
                            1,
                            1,
                            SHAPE,
                            SHARED,
                            SHARED - kernel.sharedBytes(),
                            LOCAL,
                            1,
                            1,
                            ClusterShape.NONE,
                            services);
            Block block =
                    new Block(
                            grid,
                            emitted.intSlots(),
                            emitted.longSlots(),
                            shared.address(),
                            local.address());
            block.begin(0);
            String end = "ended";
            try {
                BlockRunner runner =
                        new BlockRunner(
                                emitted.code(),
                                emitted.sites().toArray(Site[]::new),
                                emitted.regions(),
                                emitted.spins(),
                                emitted.inStep(),
                                emitted.storing(),
                                emitted.lanes());
                prepare.accept(runner);
                runner.run(block);
            } catch (KernelFault fault) {
                return "thread " + fault.thread() + ": " + fault.getMessage();
            }
            return end + " " + digest(memory) + " " + digest(shared) + " " + digest(local);
        }
    }

    /** Where the words are that are not zero, summed up by blocks of 256 bytes. */
    private static String digest(MemorySegment memory) {
        StringBuilder text = new StringBuilder();
        for (long at = 0; at < memory.byteSize(); at += 256) {
            text.append(
                    Integer.toHexString(
                            java.util.Arrays.hashCode(
                                    memory.asSlice(at, 256).toArray(ValueLayout.JAVA_BYTE))));
            text.append(' ');
        }
        return text.toString();
    }
}

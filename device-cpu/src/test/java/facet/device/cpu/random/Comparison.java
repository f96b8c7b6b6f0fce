package facet.device.cpu.random;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceException;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import facet.ptx.Module;
import facet.ptx.Parser;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Runs a kernel of parameters {@code (.u64 memory, .u32 number)} on both sides. */
final class Comparison {
    private static final int MEMORY = 16 << 20;

    private final Device device;
    private final long patienceNanos;

    /**
     * @param patienceNanos how long the device may take
     */
    Comparison(Device device, long patienceNanos) {
        this.device = device;
        this.patienceNanos = patienceNanos;
    }

    /** What to run. */
    record Case(String ptx, Dim grid, Dim block, byte[] memory, int number, boolean cooperative) {
        static Case of(GeneratedKernel kernel) {
            return new Case(
                    kernel.text(),
                    kernel.grid(),
                    kernel.block(),
                    kernel.memory(),
                    kernel.argument(),
                    false);
        }
    }

    /** The first difference, in words; empty when there is none. */
    Optional<String> difference(Case run, long schedule) {
        Module module = Parser.parse(run.ptx());
        Context context =
                device.createContext(ContextOptions.of("random", MEMORY).withFaults(line -> {}));
        long address = context.allocate(run.memory().length);
        byte[] expected = run.memory().clone();
        interpret(module, run, address, expected, schedule);
        byte[] got = run.memory().clone();
        try {
            if (!execute(context, run, address, got)) {
                // Not closed: that would wait for a kernel that may never end.
                return Optional.of("the device does not come to an end");
            }
        } catch (DeviceException e) {
            context.close();
            return Optional.of("the device says: " + e.getMessage());
        } catch (RuntimeException | LinkageError e) {
            context.close();
            return Optional.of("the device fails: " + firstLine(e));
        }
        context.close();
        return compare(expected, got);
    }

    private static String firstLine(Throwable e) {
        return e.toString().lines().findFirst().orElse("");
    }

    static void interpret(Module module, Case run, long address, byte[] memory, long schedule) {
        Interpreter.run(
                module,
                "kernel",
                run.grid(),
                run.block(),
                List.of(address, (long) run.number()),
                new Memory(address, memory),
                schedule);
    }

    private boolean execute(Context context, Case run, long address, byte[] memory) {
        Stream stream = context.createStream();
        MemorySegment host = MemorySegment.ofArray(memory);
        stream.copyToDevice(address, host);
        stream.synchronize();
        Launch launch =
                Launch.of(
                        context.load(run.ptx()).kernel("kernel"),
                        run.grid(),
                        run.block(),
                        address,
                        run.number());
        stream.launch(run.cooperative() ? launch.asCooperative() : launch);
        long deadline = System.nanoTime() + patienceNanos;
        while (!stream.isIdle()) {
            if (System.nanoTime() > deadline) {
                context.stop();
                return false;
            }
            LockSupport.parkNanos(20_000);
        }
        stream.synchronize();
        stream.copyFromDevice(host, address);
        stream.synchronize();
        stream.close();
        return true;
    }

    private static Optional<String> compare(byte[] expected, byte[] got) {
        int wrong = 0;
        int first = -1;
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != got[i]) {
                wrong++;
                first = first < 0 ? i : first;
            }
        }
        if (wrong == 0) {
            return Optional.empty();
        }
        int word = first / 4 * 4;
        return Optional.of(
                "%d bytes differ, the first at %d: the word there is 0x%x, not 0x%x"
                        .formatted(wrong, first, word(got, word), word(expected, word)));
    }

    private static long word(byte[] bytes, int at) {
        return new Memory(0, bytes).read(at, 4);
    }
}

package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.DeviceException;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import facet.device.Stream;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kernels that end in an error. Each runs in its own context; the context of the runner, on the
 * same device, goes on and computes what it should.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FaultsTest {
    private static final long FAR_AWAY = 1L << 40;

    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Context victim =
            KernelRunner.device()
                    .createContext(ContextOptions.of("victim", 64L << 20).withFaults(lines::add));
    private final LoadedModule module = victim.load(KernelRunner.ptx("faults"));
    private final Stream stream = victim.createStream();

    @AfterEach
    void close() {
        victim.close();
    }

    /** Launches what must fail; gives the line of the fault. */
    private String fails(int code, String kernel, int grid, int block, Object... arguments) {
        othersGoOn();
        stream.launch(Launch.of(module.kernel(kernel), Dim.of(grid), Dim.of(block), arguments));
        DeviceException thrown = assertThrows(DeviceException.class, stream::synchronize);
        assertEquals(code, thrown.error().code(), thrown.getMessage());
        assertEquals(code, victim.fault().orElseThrow().error().code());
        DeviceException again = assertThrows(DeviceException.class, victim::synchronize);
        assertEquals(code, again.error().code(), "the error is sticky");
        othersGoOn();
        assertEquals(1, lines.size(), () -> "one line for one kernel: " + lines);
        String line = lines.getFirst();
        assertTrue(line.contains(kernel), () -> "names the kernel: " + line);
        return line;
    }

    private static void othersGoOn() {
        int[] in = gpu.inputs().ints(100);
        long out = gpu.allocate(400);
        gpu.kernel("faults", "good").grid(4).block(32).run(gpu.upload(in), out, 100);
        int[] expected = new int[100];
        for (int i = 0; i < 100; i++) {
            expected[i] = in[i] * 2 + 1;
        }
        assertArrayEquals(expected, gpu.ints(out, 100));
    }

    private static void names(String line, int block, int thread) {
        assertTrue(line.matches("(?is).*block\\W+" + block + "\\b.*"), () -> "block: " + line);
        assertTrue(line.matches("(?is).*thread\\W+" + thread + "\\b.*"), () -> "thread: " + line);
    }

    private static void names(String line, int block, int thread, long address) {
        names(line, block, thread);
        String hex = Long.toHexString(address);
        assertTrue(
                line.matches("(?is).*0x0*" + hex + "\\b.*"), () -> "address " + hex + ": " + line);
    }

    private long upload(int... values) {
        long address = victim.allocate(4L * values.length);
        stream.copyToDevice(address, MemorySegment.ofArray(values));
        stream.synchronize();
        return address;
    }

    @ParameterizedTest
    @ValueSource(longs = {FAR_AWAY, -FAR_AWAY, 1L << 58})
    void storeOutOfBounds(long index) {
        long base = victim.allocate(1024);
        String line = fails(700, "store_at", 3, 64, base, index, 64 + 37);
        names(line, 1, 37, base + 4 * index);
    }

    @Test
    void loadFromNull() {
        names(fails(700, "load_at", 1, 1, 0L, victim.allocate(4)), 0, 0, 0);
    }

    @Test
    void atomicOutOfBounds() {
        long base = victim.allocate(4);
        names(fails(700, "atomic_at", 1, 1, base, FAR_AWAY), 0, 0, base + 4 * FAR_AWAY);
    }

    @Test
    void memoryOfAnotherContext() {
        long theirs = gpu.upload(1, 2, 3, 4);
        long mine = victim.allocate(1024);
        if (theirs < mine - (64L << 20) || theirs > mine + (64L << 20)) {
            fails(700, "store_at", 1, 32, theirs, 0L, 0);
        } else { // both contexts may use the same numbers for their own memory
            stream.launch(
                    Launch.of(module.kernel("store_at"), Dim.of(1), Dim.of(32), theirs, 0L, 0));
            try {
                stream.synchronize();
            } catch (DeviceException expected) {
                assertEquals(700, expected.error().code());
            }
        }
        assertArrayEquals(new int[] {1, 2, 3, 4}, gpu.ints(theirs, 4));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 101})
    void misaligned(int offset) {
        long base = victim.allocate(1024);
        String line = fails(716, "misaligned", 2, 33, base, offset, 40);
        names(line, 1, 7, base + offset);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 20})
    void misalignedVector(int offset) {
        long base = victim.allocate(1024);
        String line = fails(716, "misaligned_vector", 1, 1, base, offset, victim.allocate(4));
        names(line, 0, 0, base + offset);
    }

    @Test
    void failingAssert() {
        int[] in = new int[96];
        in[70] = 42;
        String line = fails(710, "bad_assert", 3, 32, upload(in), in.length);
        names(line, 2, 6);
        assertTrue(line.contains("in[i] != 42"), line);
        assertTrue(line.contains("faults.cu"), line);
    }

    @Test
    void trap() {
        int[] in = new int[128];
        in[65] = 9;
        names(fails(719, "trap_at", 2, 64, upload(in), 9), 1, 1);
    }

    @Test
    void sharedMemoryOutOfBounds() {
        fails(700, "shared_out_of_bounds", 1, 1, 1 << 20, victim.allocate(128));
    }

    @Test
    void stoppedFromOutside() {
        long flag = victim.allocate(4);
        stream.launch(Launch.of(module.kernel("endless"), Dim.of(1), Dim.of(32), flag));
        victim.stop();
        DeviceException thrown = assertThrows(DeviceException.class, stream::synchronize);
        assertEquals(702, thrown.error().code());
        othersGoOn();
    }

    /** What was queued behind a fault ends with its error, and with no line of its own. */
    @Test
    void workBehindAFault() {
        int[] in = new int[32];
        in[3] = 9;
        long source = upload(in);
        long cell = upload(5);
        stream.launch(Launch.of(module.kernel("trap_at"), Dim.of(1), Dim.of(32), source, 9));
        try {
            stream.launch(Launch.of(module.kernel("store_at"), Dim.of(1), Dim.of(1), cell, 0L, 0));
        } catch (DeviceException tooLate) {
            assertEquals(719, tooLate.error().code());
        }
        DeviceException thrown = assertThrows(DeviceException.class, stream::synchronize);
        assertEquals(719, thrown.error().code());
        assertEquals(1, lines.size(), () -> "one line: " + lines);
    }
}

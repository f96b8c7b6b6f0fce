package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class PauseTest {
    private final Device device = CpuDevice.create();
    private final List<String> faults = new ArrayList<>();

    @AfterEach
    void close() {
        device.close();
    }

    private Context context(String name) {
        return device.createContext(ContextOptions.of(name, 16 << 20).withFaults(faults::add));
    }

    private static int read(Stream stream, long address) {
        int[] value = new int[1];
        stream.copyFromDevice(MemorySegment.ofArray(value), address);
        stream.synchronize();
        return value[0];
    }

    /** Past the device: what a paused context cannot tell by itself. */
    private static int peek(Context context, long address) {
        return ((CpuContext) context)
                .memory()
                .at(address, Integer.BYTES)
                .get(ValueLayout.JAVA_INT, 0);
    }

    @Test
    void pausedKernelStandsStillAndGoesOn() {
        Context context = context("paused");
        long flag = context.allocate(4);
        long count = context.allocate(4);
        Kernel spin = context.load(Kernels.SPIN).kernel("spin");
        Stream work = context.createStream();
        Stream look = context.createStream();
        work.launch(Launch.of(spin, Dim.of(1), Dim.of(1), flag, count));
        int before = read(look, count);
        while (read(look, count) == before) {
            Thread.onSpinWait();
        }
        context.pause();
        int stopped = peek(context, count);
        int[] copied = {-1};
        look.copyFromDevice(MemorySegment.ofArray(copied), count);
        for (long end = System.nanoTime() + 20_000_000; System.nanoTime() < end; ) {
            assertEquals(stopped, peek(context, count));
            assertEquals(-1, copied[0], "a copy of a paused context waits too");
        }
        context.resume();
        while (read(look, count) == stopped) {
            Thread.onSpinWait();
        }
        look.fill(flag, 1, 4, 1);
        work.synchronize();
        assertTrue(context.fault().isEmpty());
    }

    @Test
    void resultsAreTheSameWithManyPauses() {
        Context context = context("often");
        long rounds = 40_000_000;
        int blocks = 6;
        long out = context.allocate(8L * blocks);
        Kernel loop = context.load(Kernels.LOOP).kernel("loop");
        Stream stream = context.createStream();
        stream.launch(Launch.of(loop, Dim.of(blocks), Dim.of(1), out, rounds));
        while (!stream.isIdle()) {
            context.pause();
            context.resume();
        }
        long[] results = new long[blocks];
        stream.copyFromDevice(MemorySegment.ofArray(results), out);
        stream.synchronize();
        long expected = Kernels.loopResult(rounds);
        for (long each : results) {
            assertEquals(expected, each);
        }
    }

    @Test
    void othersRunWhileOneIsPaused() {
        Context paused = context("paused");
        long flag = paused.allocate(4);
        long count = paused.allocate(4);
        Stream held = paused.createStream();
        Kernel spin = paused.load(Kernels.SPIN).kernel("spin");
        held.launch(Launch.of(spin, Dim.of(8), Dim.of(32), flag, count));
        paused.pause();
        held.launch(Launch.of(spin, Dim.of(8), Dim.of(32), flag, count));

        Context other = context("other");
        int n = 100_000;
        long cells = other.allocate(4L * n);
        Kernel add = other.load(Kernels.ADD).kernel("add");
        Stream stream = other.createStream();
        for (int i = 0; i < 50; i++) {
            stream.launch(Launch.of(add, Dim.of((n + 255) / 256), Dim.of(256), cells, n, 1));
        }
        stream.synchronize();
        int[] values = new int[n];
        stream.copyFromDevice(MemorySegment.ofArray(values), cells);
        stream.synchronize();
        for (int value : values) {
            assertEquals(50, value);
        }
        assertFalse(held.isIdle());
        paused.stop();
    }

    @Test
    void endlessKernelCanBeStopped() {
        Context endless = context("endless");
        long flag = endless.allocate(4);
        long count = endless.allocate(4);
        Stream stream = endless.createStream();
        Kernel spin = endless.load(Kernels.SPIN).kernel("spin");
        stream.launch(Launch.of(spin, Dim.of(4), Dim.of(64), flag, count));
        endless.stop();
        DeviceException error = assertThrows(DeviceException.class, stream::synchronize);
        assertEquals(DeviceError.LAUNCH_TIMEOUT, error.error());
        assertEquals(1, faults.size());
        assertTrue(faults.getFirst().contains("endless"), faults.getFirst());
        endless.close();
    }

    @Test
    void closingStopsWhatRuns() {
        Context endless = context("closing");
        Kernel spin = endless.load(Kernels.SPIN).kernel("spin");
        Stream stream = endless.createStream();
        stream.launch(
                Launch.of(spin, Dim.of(4), Dim.of(64), endless.allocate(4), endless.allocate(4)));
        endless.close();
        DeviceException error = assertThrows(DeviceException.class, () -> endless.allocate(4));
        assertTrue(
                error.error() == DeviceError.DEINITIALIZED
                        || error.error() == DeviceError.LAUNCH_TIMEOUT,
                error::getMessage);
    }
}

package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class ContextTest {
    private static final long MEMORY = 8 << 20;

    private final Device device = CpuDevice.create(CpuDevice.profile("small", 64 << 20, 2), 2);
    private final Context context = device.createContext(ContextOptions.of("memory", MEMORY));

    @AfterEach
    void close() {
        device.close();
    }

    private static DeviceError errorOf(org.junit.jupiter.api.function.Executable action) {
        return assertThrows(DeviceException.class, action).error();
    }

    @Test
    void memoryIsBounded() {
        long all = context.allocate(MEMORY);
        assertEquals(MEMORY, context.used());
        assertEquals(DeviceError.OUT_OF_MEMORY, errorOf(() -> context.allocate(1)));
        context.free(all);
        assertEquals(0, context.used());
        assertEquals(DeviceError.OUT_OF_MEMORY, errorOf(() -> context.allocate(MEMORY + 1)));
        assertEquals(DeviceError.INVALID_VALUE, errorOf(() -> context.allocate(0)));
        assertEquals(DeviceError.INVALID_VALUE, errorOf(() -> context.allocate(-1)));
        assertEquals(
                DeviceError.OUT_OF_MEMORY,
                errorOf(() -> device.createContext(ContextOptions.of("big", 65L << 20))));
    }

    @Test
    void freedMemoryComesBackEmpty() {
        Stream stream = context.createStream();
        for (int size : new int[] {100, 5000, 1 << 20}) {
            long first = context.allocate(size);
            stream.fill(first, 0xff, 1, size);
            stream.synchronize();
            context.free(first);
            long second = context.allocate(size);
            assertEquals(first, second);
            byte[] seen = new byte[size];
            stream.copyFromDevice(MemorySegment.ofArray(seen), second);
            stream.synchronize();
            for (byte each : seen) {
                assertEquals(0, each);
            }
            context.free(second);
        }
    }

    @Test
    void onlyAllocationsCanBeFreed() {
        long address = context.allocate(1000);
        assertEquals(DeviceError.INVALID_VALUE, errorOf(() -> context.free(address + 256)));
        assertEquals(DeviceError.INVALID_VALUE, errorOf(() -> context.free(0)));
        context.free(address);
        assertEquals(DeviceError.INVALID_VALUE, errorOf(() -> context.free(address)));
    }

    @Test
    void modulesAreRefusedWithLineAndColumn() {
        DeviceException error =
                assertThrows(
                        DeviceException.class,
                        () -> context.load(".version 8.0\n.target sm_75\nfoo"));
        assertEquals(DeviceError.INVALID_PTX, error.error());
        assertTrue(String.valueOf(error.getMessage()).contains("line 3"), error.getMessage());
        assertEquals(
                DeviceError.NOT_FOUND, errorOf(() -> context.load(Kernels.ADD).kernel("nothing")));
        assertEquals(
                DeviceError.NOT_FOUND,
                errorOf(() -> context.load(Kernels.ADD).variable("nothing")));
    }

    @Test
    void launchesAreChecked() {
        Kernel add = context.load(Kernels.ADD).kernel("add");
        Stream stream = context.createStream();
        long cells = context.allocate(4);
        assertEquals(
                DeviceError.INVALID_VALUE,
                errorOf(() -> Launch.of(add, Dim.of(1), Dim.of(1), cells, 1)));
        assertEquals(
                DeviceError.INVALID_VALUE,
                errorOf(() -> Launch.of(add, Dim.of(1), Dim.of(1), cells, 1L, 1)));
        for (Dim block : new Dim[] {Dim.of(1025), Dim.of(0), Dim.of(64, 32), new Dim(1, 1, 65)}) {
            Launch launch = Launch.of(add, Dim.of(1), block, cells, 1, 1);
            assertEquals(DeviceError.INVALID_VALUE, errorOf(() -> stream.launch(launch)));
        }
        Launch shared = Launch.of(add, Dim.of(1), Dim.of(1), cells, 1, 1).withShared(1 << 20);
        assertEquals(DeviceError.INVALID_VALUE, errorOf(() -> stream.launch(shared)));
        Launch cooperative =
                Launch.of(add, Dim.of(100_000), Dim.of(32), cells, 1, 1).asCooperative();
        assertEquals(
                DeviceError.COOPERATIVE_LAUNCH_TOO_LARGE,
                errorOf(() -> stream.launch(cooperative)));
        Context other = device.createContext(ContextOptions.of("other", MEMORY));
        Launch good = Launch.of(add, Dim.of(1), Dim.of(1), cells, 1, 1);
        assertEquals(DeviceError.INVALID_VALUE, errorOf(() -> other.createStream().launch(good)));
        stream.launch(good);
        stream.synchronize();
    }

    @Test
    void contextsDoNotSeeEachOther() {
        Context other = device.createContext(ContextOptions.of("other", MEMORY));
        long mine = context.allocate(4);
        long its = other.allocate(4);
        Stream stream = context.createStream();
        Stream otherStream = other.createStream();
        stream.fill(mine, 42, 4, 1);
        stream.synchronize();
        int[] seen = {-1};
        otherStream.copyFromDevice(MemorySegment.ofArray(seen), its);
        otherStream.synchronize();
        assertEquals(mine, its);
        assertEquals(0, seen[0]);
        assertNotEquals(0, context.used());
        other.close();
        stream.copyFromDevice(MemorySegment.ofArray(seen), mine);
        stream.synchronize();
        assertEquals(42, seen[0]);
    }

    @Test
    void deviceTimeIsCounted() {
        Kernel loop = context.load(Kernels.LOOP).kernel("loop");
        long out = context.allocate(8);
        Stream stream = context.createStream();
        long before = context.deviceNanos();
        stream.launch(Launch.of(loop, Dim.of(1), Dim.of(1), out, 20_000_000L));
        stream.synchronize();
        assertTrue(context.deviceNanos() - before > 1_000_000);
    }
}

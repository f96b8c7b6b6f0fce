package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Access;
import facet.device.Box;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.DeviceError;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import facet.device.Stream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A context whose memory somebody else owns and gives out. */
@Timeout(300)
final class AddressSpaceTest extends OwnedSpace {
    @Test
    void kernelsWorkOnMemoryThatTheOwnerSees() {
        context.allocateAt(BASE + 4096, 400);
        clients().set(ValueLayout.JAVA_INT, 4096 + 36, 5);
        Kernel add = context.load(Kernels.ADD).kernel("add");
        Stream stream = context.createStream();
        stream.launch(Launch.of(add, Dim.of(1), Dim.of(128), BASE + 4096, 100, 7));
        stream.synchronize();
        assertEquals(7, clients().get(ValueLayout.JAVA_INT, 4096));
        assertEquals(12, clients().get(ValueLayout.JAVA_INT, 4096 + 36));
        assertEquals(0, clients().get(ValueLayout.JAVA_INT, 4096 + 400));
    }

    @Test
    void chosenAddressesMustBeFreeAndInTheArena() {
        context.allocateAt(BASE + 4096, 4096);
        for (long[] wrong :
                new long[][] {
                    {BASE + 4096, 1},
                    {BASE + 8192 - 256, 256},
                    {BASE, 4097},
                    {BASE + 1, 16},
                    {BASE - 256, 16},
                    {BASE + ARENA, 16},
                    {BASE + ARENA - 256, 257},
                    {BASE, 0},
                    {BASE, -1},
                    {BASE + 256, Long.MAX_VALUE}
                }) {
            assertEquals(
                    DeviceError.INVALID_VALUE,
                    errorOf(() -> context.allocateAt(wrong[0], wrong[1])));
        }
        context.allocateAt(BASE, 4096);
        context.allocateAt(BASE + 8192, ARENA - 8192);
        assertEquals(ARENA, context.used());
        context.release(BASE + 4096);
        context.allocateAt(BASE + 4096, 4096);
    }

    @Test
    void theDevicesOwnMemoryLiesBelowTheBorder() {
        long address = context.allocate(1 << 20);
        assertEquals(BASE - (1 << 20), address);
        assertEquals(BASE - (1 << 20) - 256, context.allocate(1));
        assertEquals(DeviceError.OUT_OF_MEMORY, errorOf(() -> context.allocate(4 << 20)));
        segment().asSlice(3 << 20, 1 << 20).fill((byte) 7);
        assertEquals(1 << 20, memory.resident(3 << 20, 1 << 20));
        context.free(address);
        assertEquals(0, memory.resident(3 << 20, 1 << 20));
        context.allocate(2 << 20);
    }

    @Test
    void kernelsReachWhatIsTakenWhenTheyAreLaunched() {
        Kernel add = context.load(Kernels.ADD).kernel("add");
        context.allocateAt(BASE + 8192, 256);
        assertEquals(Optional.empty(), touch(add, BASE + 8192 + 252));
        context.allocateAt(BASE + 65536, 256);
        assertEquals(Optional.empty(), touch(add, BASE + 65536 + 252));
        context.release(BASE + 65536);
        assertEquals(Optional.empty(), touch(add, BASE + 8192));
        assertEquals(Optional.of(DeviceError.ILLEGAL_ADDRESS), touch(add, BASE + 8192 + 256));
        assertEquals(0, clients().get(ValueLayout.JAVA_INT, 8192 + 256));
    }

    @Test
    void aLaunchThatWasAskedForBeforeReachesWhatWasTakenThen() {
        Kernel add = context.load(Kernels.ADD).kernel("add");
        context.allocateAt(BASE, 256);
        context.allocateAt(BASE + 8192, 256);
        Access before = context.access();
        context.release(BASE + 8192);
        assertEquals(Optional.empty(), touch(add, BASE + 8192, before));
        context.allocateAt(BASE + 65536, 256);
        assertEquals(Optional.empty(), touch(add, BASE, before));
        assertEquals(
                Optional.of(DeviceError.ILLEGAL_ADDRESS), touch(add, BASE + 8192 + 256, before));
    }

    @Test
    void whatAnotherContextMayAccessIsRefused() {
        Kernel add = context.load(Kernels.ADD).kernel("add");
        context.allocateAt(BASE, 256);
        try (Context other = device.createContext(ContextOptions.of("other", 1 << 20))) {
            Access theirs = other.access();
            assertEquals(DeviceError.INVALID_VALUE, errorOf(() -> touch(add, BASE, theirs)));
        }
        assertEquals(Optional.empty(), touch(add, BASE));
    }

    @Test
    void kernelsDoNotReachWhatTheDeviceHasNotTakenOfItsOwn() {
        Kernel add = context.load(Kernels.ADD).kernel("add");
        long own = context.allocate(4096);
        assertEquals(Optional.empty(), touch(add, own));
        assertEquals(Optional.of(DeviceError.ILLEGAL_ADDRESS), touch(add, own - 4));
    }

    @Test
    void endIsToldAlsoAfterAFault() throws InterruptedException {
        Kernel add = context.load(Kernels.ADD).kernel("add");
        Stream stream = context.createStream();
        stream.launch(Launch.of(add, Dim.of(1), Dim.of(32), 16L, 32, 1));
        CountDownLatch told = new CountDownLatch(1);
        stream.whenEnded(told::countDown);
        told.await();
        assertEquals(DeviceError.ILLEGAL_ADDRESS, context.fault().orElseThrow().error());
    }

    @Test
    void aSuspendedStreamGoesOnWhenResumed() throws InterruptedException {
        Stream stream = context.createStream();
        AtomicReference<Runnable> resume = new AtomicReference<>();
        CountDownLatch reached = new CountDownLatch(1);
        context.allocateAt(BASE, 64);
        stream.suspend(each -> {
            resume.set(each);
            reached.countDown();
        });
        stream.fill(BASE, 9, 1, 64);
        reached.await();
        assertFalse(stream.isIdle());
        assertEquals(0, clients().get(ValueLayout.JAVA_BYTE, 0));
        Objects.requireNonNull(resume.get()).run();
        stream.synchronize();
        assertEquals(9, clients().get(ValueLayout.JAVA_BYTE, 63));
    }

    @Test
    void boxesAreCopiedRowByRow() {
        context.allocateAt(BASE, 4096);
        MemorySegment memory = clients();
        for (int i = 0; i < 64; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) i);
        }
        Stream stream = context.createStream();
        stream.copy(BASE + 1024, BASE, new Box(3, 2, 2, 16, 64, 8, 32));
        stream.synchronize();
        for (int z = 0; z < 2; z++) {
            for (int y = 0; y < 2; y++) {
                for (int x = 0; x < 3; x++) {
                    assertEquals(
                            32 * z + 8 * y + x,
                            memory.get(ValueLayout.JAVA_BYTE, 1024 + 64 * z + 16 * y + x));
                }
                assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, 1024 + 64 * z + 16 * y + 3));
            }
        }
        assertEquals(
                DeviceError.INVALID_VALUE,
                errorOf(() ->
                        stream.copy(
                                BASE, BASE, new Box(8, 1L << 40, 1L << 40, 1L << 40, 8, 8, 8))));
    }

    @Test
    void kernelsAreDescribedWithoutCompilingThem() {
        LoadedModule module =
                context.load(
                        """
                        .version 8.0
                        .target sm_75
                        .address_size 64
                        .shared .align 8 .b8 table[24];
                        .const .align 4 .u32 values[7];
                        .const .align 4 .u32 unused[100];
                        .visible .global .attribute(.managed) .align 4 .u32 seen;
                        .func helper()
                        {
                            .local .b8 own[40];
                            .reg .b64 %a;
                            .reg .u32 %v;
                            mov.u64 %a, table;
                            ld.const.u32 %v, [values+4];
                            ret;
                        }
                        .visible .entry first(.param .u8 a, .param .align 16 .b8 b[20], .param .u64 c)
                        .maxntid 128, 1, 1
                        {
                            .shared .align 4 .b8 mine[10];
                            call helper;
                            ret;
                        }
                        .visible .entry second() { ret; }
                        """);
        assertEquals(
                List.of("first", "second"),
                module.kernels().stream().map(each -> each.name()).toList());
        var first = module.kernels().getFirst();
        assertEquals(
                List.of(
                        new Kernel.Parameter(0, 1, 1),
                        new Kernel.Parameter(16, 20, 16),
                        new Kernel.Parameter(40, 8, 8)),
                first.parameters());
        assertEquals(48, first.parameterBytes());
        assertTrue(first.staticShared() >= 34 && first.staticShared() <= 40);
        assertEquals(28, first.constant());
        assertEquals(40, first.local());
        assertEquals(128, first.maxThreads());
        assertEquals(0, module.kernels().get(1).staticShared());
        assertEquals(0, module.kernels().get(1).constant());
        assertTrue(Objects.requireNonNull(module.variables().get("seen")).managed());
    }
}

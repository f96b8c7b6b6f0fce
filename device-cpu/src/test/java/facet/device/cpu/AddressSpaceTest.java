package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Access;
import facet.device.AddressSpace;
import facet.device.Box;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import facet.device.Memory;
import facet.device.Stream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A context whose memory somebody else owns and gives out. */
@Timeout(300)
final class AddressSpaceTest {
    /** Where the client's part begins; the device's own lies below. */
    private static final long BASE = 0x1234_0000_0000L;

    private static final long OWN = 4 << 20;
    private static final long ARENA = 4 << 20;

    private final Device device = CpuDevice.create();
    private final Memory memory = device.createMemory("test", 8 << 20);
    private long heap;
    private long blockMemory;
    private long blockLimit = 64 << 20;
    private boolean hasRoom = true;
    private boolean roomIsComing;
    private final Context context =
            device.createContext(
                    ContextOptions.of("given", 8 << 20)
                            .withFaults(line -> {})
                            .withSpace(new AddressSpace(BASE - OWN, OWN, memory, new Owner())));

    private final class Owner implements AddressSpace.Owner {
        @Override
        public boolean mayHaveHeap(long bytes) {
            if (roomIsComing) {
                throw new DeviceException(DeviceError.OUT_OF_MEMORY, "not yet");
            }
            if (hasRoom) {
                heap += bytes;
            }
            return hasRoom;
        }

        @Override
        public boolean mayHaveBlockMemory(long bytes, boolean needed) {
            synchronized (AddressSpaceTest.this) {
                boolean granted = bytes <= blockLimit - blockMemory;
                blockMemory += granted ? bytes : 0;
                return granted;
            }
        }

        @Override
        public void giveBlockMemory(long bytes) {
            synchronized (AddressSpaceTest.this) {
                blockMemory -= bytes;
            }
        }
    }

    private MemorySegment segment() {
        return memory.mapping().orElseThrow().segment();
    }

    private MemorySegment clients() {
        return segment().asSlice(OWN);
    }

    @AfterEach
    void close() {
        device.close();
        memory.close();
    }

    private static DeviceError errorOf(org.junit.jupiter.api.function.Executable action) {
        return assertThrows(DeviceException.class, action).error();
    }

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

    /** One word at an address; its fault, if it has one. */
    private Optional<DeviceError> touch(Kernel add, long address) {
        Stream stream = context.createStream();
        stream.launch(Launch.of(add, Dim.of(1), Dim.of(1), address, 1, 1));
        try {
            stream.synchronize();
        } catch (DeviceException e) {
            return Optional.of(e.error());
        }
        return Optional.empty();
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

    private Optional<DeviceError> touch(Kernel add, long address, Access access) {
        Stream stream = context.createStream();
        stream.launch(Launch.of(add, Dim.of(1), Dim.of(1), address, 1, 1), access);
        try {
            stream.synchronize();
        } catch (DeviceException e) {
            return Optional.of(e.error());
        }
        return Optional.empty();
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

    /** What the device takes for the launch itself, or took for its module, is in its reach. */
    @Test
    void aLaunchThatWasAskedForBeforeHasItsHeap() {
        context.allocateAt(BASE, 256);
        context.heap(1 << 20);
        Access before = context.access();
        Kernel take = context.load(HEAP).kernel("take");
        Stream stream = context.createStream();
        stream.launch(Launch.of(take, Dim.of(1), Dim.of(1), BASE, 64L), before);
        stream.synchronize();
        long given = clients().get(ValueLayout.JAVA_LONG, 0);
        assertTrue(given >= BASE - OWN && given < BASE, Long.toHexString(given));
        stream.launch(Launch.of(take, Dim.of(1), Dim.of(1), BASE, 64L).asCooperative(), before);
        stream.synchronize();
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

    private static final String HEAP =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .extern .func (.param .b64 result) malloc (.param .b64 bytes);
            .visible .entry take(.param .u64 out, .param .u64 bytes)
            {
                .reg .b64 %a, %o, %n;
                .reg .pred %p;
                ld.param.u64 %o, [out];
                ld.param.u64 %n, [bytes];
                {
                    .param .b64 given;
                    .param .b64 back;
                    st.param.b64 [given], %n;
                    call.uni (back), malloc, (given);
                    ld.param.b64 %a, [back];
                }
                st.global.u64 [%o], %a;
                setp.eq.u64 %p, %a, 0;
                @%p bra done;
                st.global.u64 [%a], %a;
            done:
                ret;
            }
            """;

    private long takeFromHeap(Kernel take, long bytes) {
        Stream stream = context.createStream();
        stream.launch(Launch.of(take, Dim.of(1), Dim.of(1), BASE, bytes));
        stream.synchronize();
        return clients().get(ValueLayout.JAVA_LONG, 0);
    }

    @Test
    void theHeapIsTakenWhenAKernelMayUseItAndItsSizeIsSettledThen() {
        context.allocateAt(BASE, 256);
        Kernel add = context.load(Kernels.ADD).kernel("add");
        Kernel take = context.load(HEAP).kernel("take");
        context.heap(1 << 20);
        touch(add, BASE);
        assertEquals(0, heap);
        long first = takeFromHeap(take, 1 << 19);
        assertEquals(1 << 20, heap);
        assertTrue(first >= BASE - OWN && first < BASE, Long.toHexString(first));
        assertTrue(takeFromHeap(take, 1 << 18) != 0);
        assertEquals(0, takeFromHeap(take, 1 << 19), "more than is left");
        assertEquals(1 << 20, heap, "taken once");
        assertEquals(DeviceError.INVALID_VALUE, errorOf(() -> context.heap(2 << 20)));
        context.heap(1 << 20);
    }

    @Test
    void withoutRoomThereIsNoHeapUntilThereIs() {
        context.allocateAt(BASE, 256);
        Kernel take = context.load(HEAP).kernel("take");
        context.heap(1 << 20);
        hasRoom = false;
        assertEquals(0, takeFromHeap(take, 8));
        hasRoom = true;
        assertTrue(takeFromHeap(take, 8) != 0);
    }

    @Test
    void whereRoomForTheHeapIsComingTheLaunchIsTriedAgain() {
        context.allocateAt(BASE, 256);
        Kernel take = context.load(HEAP).kernel("take");
        context.heap(1 << 20);
        long used = context.used();
        roomIsComing = true;
        for (int i = 0; i < 100; i++) {
            assertEquals(DeviceError.OUT_OF_MEMORY, errorOf(() -> takeFromHeap(take, 8)));
        }
        assertEquals(used, context.used());
        assertEquals(0, blockMemory);
        roomIsComing = false;
        assertTrue(takeFromHeap(take, 8) != 0);
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

    // ---- memory of blocks

    private static String local(long bytes) {
        return ".version 8.0\n.target sm_75\n.address_size 64\n"
                + """
                .visible .entry fill(.param .u64 out)
                {
                    .local .align 8 .b8 own[%d];
                    .reg .b32 %%r<4>; .reg .b64 %%rd<4>;
                    ld.param.u64 %%rd0, [out];
                    mov.u32 %%r0, 7;
                    st.local.u32 [own+%d], %%r0;
                    ld.local.u32 %%r1, [own+%d];
                    st.global.u32 [%%rd0], %%r1;
                    ret;
                }
                """
                        .formatted(bytes, bytes - 4, bytes - 4);
    }

    private synchronized long blockMemoryNow() {
        return blockMemory;
    }

    @Test
    void localMemoryIsTheOwners() {
        context.allocateAt(BASE, 4096);
        Stream stream = context.createStream();
        Kernel little = context.load(local(60 << 10)).kernel("fill");
        // Of 60 MiB four are the device's.
        blockLimit = 56L << 20;
        stream.launch(Launch.of(little, Dim.of(1), Dim.of(1024), BASE));
        stream.synchronize();
        assertEquals(7, clients().get(ValueLayout.JAVA_INT, 0));
        assertEquals(0, blockMemoryNow(), "what it had is given back");
        blockLimit = (56L << 20) - 1;
        assertEquals(
                DeviceError.OUT_OF_MEMORY,
                errorOf(() -> stream.launch(Launch.of(little, Dim.of(1), Dim.of(1024), BASE))));
        Kernel much = context.load(local(512 << 10)).kernel("fill");
        assertEquals(
                DeviceError.OUT_OF_MEMORY,
                errorOf(() -> stream.launch(Launch.of(much, Dim.of(2), Dim.of(512), BASE))));
        // Neither is a fault, and both leave nothing behind.
        stream.launch(Launch.of(little, Dim.of(1), Dim.of(64), BASE));
        stream.synchronize();
        assertEquals(0, blockMemoryNow());
    }

    /** Each has room alone; all queues come to an end. */
    @Test
    void launchesThatDoNotFitTogetherWaitForEachOther() {
        context.allocateAt(BASE, 4096);
        Kernel kernel = context.load(local(40 << 10)).kernel("fill");
        blockLimit = 50L << 20;
        List<Stream> streams = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            streams.add(context.createStream());
        }
        for (int round = 0; round < 20; round++) {
            for (Stream each : streams) {
                each.launch(Launch.of(kernel, Dim.of(1), Dim.of(1024), BASE));
            }
        }
        streams.forEach(Stream::synchronize);
        assertEquals(0, blockMemoryNow());
    }

    @Test
    void aStackIsAsDeepAsThereIsRoomFor() {
        String recursive =
                """
                .version 8.0
                .target sm_75
                .address_size 64
                .func (.param .b32 sum) down(.param .b32 n)
                {
                    .reg .pred %p; .reg .b32 %r<4>;
                    ld.param.u32 %r0, [n];
                    mov.u32 %r2, 0;
                    setp.eq.u32 %p, %r0, 0;
                    @%p bra OUT;
                    sub.u32 %r1, %r0, 1;
                    {
                        .param .b32 given; .param .b32 got;
                        st.param.b32 [given], %r1;
                        call (got), down, (given);
                        ld.param.b32 %r2, [got];
                    }
                    add.u32 %r2, %r2, %r0;
                OUT:
                    st.param.b32 [sum], %r2;
                    ret;
                }
                .visible .entry start(.param .u64 out)
                {
                    .reg .b32 %r<2>; .reg .b64 %rd<1>;
                    ld.param.u64 %rd0, [out];
                    {
                        .param .b32 given; .param .b32 got;
                        st.param.b32 [given], 10;
                        call (got), down, (given);
                        ld.param.b32 %r0, [got];
                    }
                    st.global.u32 [%rd0], %r0;
                    ret;
                }
                """;
        context.allocateAt(BASE, 4096);
        Kernel kernel = context.load(recursive).kernel("start");
        Stream stream = context.createStream();
        for (long room : new long[] {100L << 20, 20L << 20, 0}) {
            blockLimit = room;
            clients().set(ValueLayout.JAVA_INT, 0, 0);
            stream.launch(Launch.of(kernel, Dim.of(1), Dim.of(1024), BASE));
            stream.synchronize();
            assertEquals(55, clients().get(ValueLayout.JAVA_INT, 0), room + " bytes");
            assertEquals(0, blockMemoryNow());
        }
    }
}

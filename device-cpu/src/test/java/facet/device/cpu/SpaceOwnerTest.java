package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Access;
import facet.device.DeviceError;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the owner of a context's memory grants its device: the heap, and memory of blocks. */
@Timeout(300)
final class SpaceOwnerTest extends OwnedSpace {
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

package facet.host.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Device;
import facet.device.Memory;
import facet.device.cpu.CpuDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class MirrorTest {
    private static final long BYTES = 4 << 20;
    private static final long PLACE = 1 << 20;

    private final Device device = CpuDevice.create();
    private final Memory memory = device.createMemory("device", BYTES);
    private final MemorySegment there = memory.mapping().orElseThrow().segment();
    private final Mirror mirror;

    MirrorTest() throws Exception {
        mirror = Mirror.of(memory, "image", nanos -> {});
    }

    private MemorySegment here() {
        return mirror.segment();
    }

    @BeforeEach
    void rubbish() {
        there.asSlice(PLACE, 4096).fill((byte) 0x55);
    }

    @AfterEach
    void close() {
        mirror.close();
        memory.close();
        device.close();
    }

    @Test
    void whatTheProgramWritesIsThereWhenAKernelBegins() {
        mirror.share(PLACE, 1024);
        here().set(ValueLayout.JAVA_INT, PLACE + 12, 7);
        mirror.before();
        assertEquals(7, there.get(ValueLayout.JAVA_INT, PLACE + 12));
        assertEquals(0, there.get(ValueLayout.JAVA_INT, PLACE + 16), "of another time");
        assertEquals(0x55, there.get(ValueLayout.JAVA_BYTE, PLACE + 1024), "not shared");
        there.set(ValueLayout.JAVA_INT, PLACE + 16, 8);
        assertEquals(0, here().get(ValueLayout.JAVA_INT, PLACE + 1020));
        mirror.after();
        assertEquals(8, here().get(ValueLayout.JAVA_INT, PLACE + 16));
        assertEquals(7, here().get(ValueLayout.JAVA_INT, PLACE + 12));
    }

    /** A kernel of one stream runs while the program launches another one. */
    @Test
    void neitherSideLosesWhatItWroteMeanwhile() {
        mirror.share(PLACE, 1024);
        mirror.before();
        there.set(ValueLayout.JAVA_BYTE, PLACE + 1, (byte) 1);
        here().set(ValueLayout.JAVA_BYTE, PLACE + 2, (byte) 2);
        mirror.before();
        assertEquals(1, there.get(ValueLayout.JAVA_BYTE, PLACE + 1));
        assertEquals(2, there.get(ValueLayout.JAVA_BYTE, PLACE + 2));
        assertEquals(1, here().get(ValueLayout.JAVA_BYTE, PLACE + 1));
        mirror.after();
        mirror.after();
        assertEquals(-1, here().asSlice(PLACE, 1024).mismatch(there.asSlice(PLACE, 1024)));
    }

    @Test
    void aVariableOfTheDeviceIsShownWithItsValue() throws Exception {
        mirror.show(PLACE, 13);
        assertEquals(0x55, here().get(ValueLayout.JAVA_BYTE, PLACE + 12));
        assertTrue(mirror.isShared(PLACE + 12));
        mirror.forget(PLACE);
        assertFalse(mirror.isShared(PLACE + 12));
    }

    @Test
    void aVariableTakesNoPagesThatNobodyWroteAndKeepsNone() throws Exception {
        mirror.show(PLACE, 1 << 20);
        assertEquals(0x55, here().get(ValueLayout.JAVA_BYTE, PLACE + 4095));
        assertEquals(4096, mirror.resident());
        mirror.hide(PLACE, 1 << 20);
        assertFalse(mirror.isShared(PLACE));
        assertEquals(0, mirror.resident());
    }

    /** A copy has written one half of a word, the program the other one; a kernel begins. */
    @Test
    void whatACopyHasJustWrittenStays() {
        mirror.share(PLACE, 1024);
        mirror.beforeWrite(PLACE, 4);
        there.set(ValueLayout.JAVA_INT, PLACE, 5);
        here().set(ValueLayout.JAVA_INT, PLACE + 4, 6);
        mirror.before();
        assertEquals(5, there.get(ValueLayout.JAVA_INT, PLACE));
        assertEquals(6, there.get(ValueLayout.JAVA_INT, PLACE + 4));
        mirror.after();
        mirror.afterWrite(PLACE, 4);
        assertEquals(5, here().get(ValueLayout.JAVA_INT, PLACE));
    }

    /** Of these numbers only some bytes differ, and a kernel looks at them all the time. */
    @Test
    void aNumberIsNeverSeenInParts() throws Exception {
        try (Mirror other = Mirror.of(watched(), "other", nanos -> {})) {
            other.share(PLACE, 1024);
            other.before();
            for (int number : new int[] {0xff, 0x1_0000, 0x1_00ff}) {
                other.segment().set(ValueLayout.JAVA_INT, PLACE + 4, number);
                await(there, PLACE + 4, number);
            }
            there.set(ValueLayout.JAVA_BYTE, PLACE + 9, (byte) 1);
            other.segment().set(ValueLayout.JAVA_BYTE, PLACE + 8, (byte) 2);
            other.after();
            assertEquals(0x102, there.get(ValueLayout.JAVA_SHORT, PLACE + 8));
        }
        assertEquals(List.of(4L, 4L, 4L), writes.subList(0, 3));
    }

    private final List<Long> writes = new CopyOnWriteArrayList<>();

    /** The device's memory; how long its writes are is noted. */
    private Memory watched() {
        return (Memory)
                Proxy.newProxyInstance(
                        Memory.class.getClassLoader(),
                        new Class<?>[] {Memory.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("write")) {
                                writes.add(((MemorySegment) arguments[1]).byteSize());
                            }
                            return method.invoke(memory, arguments);
                        });
    }

    /** As much as a program hands over while a kernel waits for it. */
    @Test
    void aLongMessageComesBeforeItsFlag() {
        mirror.share(PLACE, 1 << 20);
        mirror.before();
        here().asSlice(PLACE, 512 << 10).fill((byte) 7);
        set(here(), PLACE + (1 << 20) - 8, 1);
        await(there, PLACE + (1 << 20) - 8, 1);
        assertEquals(7, there.get(ValueLayout.JAVA_BYTE, PLACE + (512 << 10) - 1));
        mirror.after();
    }

    @Test
    void copiesReachWhatTheyTouchAndNoMore() {
        mirror.share(PLACE, 4096);
        mirror.exchange(PLACE, 1);
        there.asSlice(PLACE, 4096).fill((byte) 3);
        mirror.exchange(PLACE + 9, 6);
        assertEquals(0, here().get(ValueLayout.JAVA_BYTE, PLACE + 7));
        assertEquals(3, here().get(ValueLayout.JAVA_BYTE, PLACE + 9));
        assertEquals(3, here().get(ValueLayout.JAVA_BYTE, PLACE + 14));
        assertEquals(0, here().get(ValueLayout.JAVA_BYTE, PLACE + 16));
        mirror.exchange(PLACE + 4096, 1 << 20);
        mirror.exchange(PLACE - 1, 1 << 20);
        assertEquals(0, here().get(ValueLayout.JAVA_BYTE, PLACE + 16));
    }

    /** Each side counts up its own words and waits for the other; both run all the time. */
    @Test
    void flagsAndWhatCameBeforeThemComeAcross() throws Exception {
        mirror.share(PLACE, 1 << 20);
        mirror.before();
        Thread kernel =
                Thread.ofPlatform()
                        .start(() -> {
                            for (int i = 1; i <= 20; i++) {
                                await(there, PLACE + (1 << 20) - 8, i);
                                // What the program wrote before its flag is there.
                                int data = there.get(ValueLayout.JAVA_INT, PLACE + 4096);
                                there.set(ValueLayout.JAVA_INT, PLACE + 8192, data == i ? i : -1);
                                set(there, PLACE + (1 << 20) - 16, i);
                            }
                        });
        for (int i = 1; i <= 20; i++) {
            here().set(ValueLayout.JAVA_INT, PLACE + 4096, i);
            set(here(), PLACE + (1 << 20) - 8, i);
            await(here(), PLACE + (1 << 20) - 16, i);
            assertEquals(i, here().get(ValueLayout.JAVA_INT, PLACE + 8192));
        }
        kernel.join();
        mirror.after();
    }

    private static void set(MemorySegment memory, long at, int value) {
        ValueLayout.JAVA_INT.varHandle().setVolatile(memory, at, value);
    }

    private static void await(MemorySegment memory, long at, int value) {
        while ((int) ValueLayout.JAVA_INT.varHandle().getVolatile(memory, at) < value) {
            Thread.onSpinWait();
        }
    }

    /** Both sides write what the other one does not, and both end with all of it. */
    @Test
    void randomWritesOfBothSidesMeet() {
        Random random = new Random(Long.getLong("facet.seed", 11));
        mirror.share(PLACE, 64 << 10);
        byte[] expected = new byte[64 << 10];
        Notes first = new Notes();
        Notes second = new Notes();
        int inFlight = 0;
        for (int step = 0; step < 20_000; step++) {
            int at = random.nextInt(expected.length);
            byte value = (byte) random.nextInt();
            switch (random.nextInt(8)) {
                case 0 -> {
                    mirror.before();
                    inFlight++;
                }
                case 1 -> {
                    if (inFlight > 0) {
                        mirror.after();
                        inFlight--;
                    }
                }
                case 2 -> mirror.exchange(PLACE + at, 1 + random.nextInt(300));
                case 3 -> mirror.lookOn(first, second);
                case 4, 5 -> {
                    // Odd bytes are the device's, and only kernels write there.
                    if (inFlight > 0) {
                        there.set(ValueLayout.JAVA_BYTE, PLACE + (at | 1), value);
                        expected[at | 1] = value;
                    }
                }
                default -> {
                    here().set(ValueLayout.JAVA_BYTE, PLACE + (at & ~1), value);
                    expected[at & ~1] = value;
                }
            }
        }
        mirror.before();
        for (; inFlight >= 0; inFlight--) {
            mirror.after();
        }
        MemorySegment all = MemorySegment.ofArray(expected);
        assertEquals(-1, here().asSlice(PLACE, expected.length).mismatch(all));
        assertEquals(-1, there.asSlice(PLACE, expected.length).mismatch(all));
    }
}

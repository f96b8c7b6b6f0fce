package facet.ring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Claim;
import facet.abi.Constants;
import facet.abi.Envelope;
import facet.abi.Free;
import facet.abi.RecordHeaderLayout;
import facet.abi.SessionHeaderLayout;
import facet.os.Descriptors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SessionMemoryTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private SessionMemory host;
    private ClientSide client;

    @BeforeEach
    void open() throws Exception {
        DeviceSnapshot device =
                new DeviceSnapshot("Facet Software GPU", new byte[16], 3L << 30, new int[] {7, 8});
        device.uuid()[15] = 9;
        host = SessionMemory.create("red", List.of(device, device));
        client = ClientSide.attach(Descriptors.duplicate(host.descriptor()));
    }

    @AfterEach
    void close() {
        client.close();
        host.close();
    }

    @Test
    void devicesAreThere() {
        assertEquals(2, host.deviceCount());
        DeviceSnapshot device = client.device(1);
        assertEquals("Facet Software GPU", device.name());
        assertEquals(9, device.uuid()[15]);
        assertEquals(3L << 30, device.memory());
        assertEquals(256, device.attributes().length);
        assertArrayEquals(new int[] {7, 8, 0}, Arrays.copyOf(device.attributes(), 3));
    }

    @Test
    void headerIsForC() {
        MemorySegment header = client.segment();
        assertEquals(Constants.MAGIC, header.get(JAVA_INT, SessionHeaderLayout.MAGIC_OFFSET));
        assertEquals("red", header.getString(SessionHeaderLayout.SLICE_OFFSET));
        assertEquals(header.byteSize(), header.get(JAVA_INT, SessionHeaderLayout.BYTES_OFFSET));
        int commands = header.get(JAVA_INT, SessionHeaderLayout.COMMAND_OFFSET_OFFSET);
        assertEquals(0, commands % 64);
        assertEquals(Constants.COMMAND_BYTES, header.get(JAVA_INT, commands + 196L));
    }

    @Test
    void statusesAreSeen() {
        host.contextStatus(63).fault(700);
        host.contextStatus(63).retired(5);
        host.contextStatus(63).used(6);
        assertEquals(700, client.contextStatus(63).fault());
        assertEquals(5, client.contextStatus(63).retired());
        assertEquals(6, client.contextStatus(63).used());
        host.contextStatus(63).clear();
        assertEquals(0, client.contextStatus(63).fault());
        assertThrows(IndexOutOfBoundsException.class, () -> host.contextStatus(64));
    }

    /** Answers every command that waits with twice the bytes that it claims. */
    private Thread answering() {
        return Thread.ofPlatform()
                .start(() -> {
                    try {
                        for (MemorySegment record = host.commands().take();
                                record != null;
                                record = host.commands().take()) {
                            int slot =
                                    record.get(
                                            ValueLayout.JAVA_SHORT, RecordHeaderLayout.SLOT_OFFSET);
                            long sequence =
                                    record.get(
                                            ValueLayout.JAVA_LONG,
                                            RecordHeaderLayout.SEQUENCE_OFFSET);
                            if (slot != 0) {
                                long bytes = Claim.decode(record).bytes();
                                host.replies().reply(slot - 1, sequence, 2, 2 * bytes);
                            }
                        }
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
    }

    @Test
    void callsFromManyThreadsGetTheirOwnAnswers() throws Exception {
        Thread thread = answering();
        try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
            List<Future<?>> done = new ArrayList<>();
            for (int caller = 0; caller < 8; caller++) {
                long base = caller * 1_000_000L;
                done.add(
                        callers.submit(() -> {
                            for (int i = 0; i < 2000; i++) {
                                client.post(0, new Free(i), LIMIT);
                                Reply reply = client.call(1, new Claim(base + i), LIMIT);
                                assertEquals(2 * (base + i), reply.payload()[0]);
                                assertEquals(2, reply.result());
                            }
                            return null;
                        }));
            }
            for (Future<?> each : done) {
                each.get(50, TimeUnit.SECONDS);
            }
        }
        host.stop();
        thread.join();
    }

    @Test
    void callWithoutAnswerEnds() {
        assertThrows(
                TimeoutException.class, () -> client.call(0, new Claim(1), Duration.ofMillis(20)));
    }

    @Test
    void slotsWithAnyStateAreAnswered() {
        MemorySegment slots = client.segment();
        int offset = slots.get(JAVA_INT, SessionHeaderLayout.REPLY_OFFSET_OFFSET);
        for (int state : new int[] {0, 1, 2, 3, 4, -1, Integer.MIN_VALUE}) {
            slots.set(JAVA_INT, offset + 63 * 64, state);
            host.replies().reply(63, 5, 6, 1, 2, 3, 4, 5, 6);
            assertEquals(Constants.REPLY_DONE, slots.get(JAVA_INT, offset + 63 * 64));
            assertEquals(6, slots.get(JAVA_INT, offset + 63 * 64 + 4));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> host.replies().reply(64, 1, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> host.replies().reply(-1, 1, 0));
        assertThrows(
                IndexOutOfBoundsException.class, () -> host.replies().reply(0, 1, 0, new long[7]));
    }

    @Test
    void callbacksArrive() throws MalformedRecord {
        assertNull(client.callbacks().poll());
        assertTrue(host.callbacks().offer(Rings.record(4, 32)));
        MemorySegment record = client.callbacks().poll();
        assertNotNull(record);
        Rings.assertRecord(4, 32, record);
    }

    @Test
    void anotherProcessCanBeTheHost() throws Exception {
        client.post(3, new Free(77), LIMIT);
        try (SessionMemory worker =
                SessionMemory.attach(Descriptors.duplicate(host.descriptor()))) {
            MemorySegment record = worker.commands().take();
            assertNotNull(record);
            assertEquals(Free.TYPE, Envelope.type(record));
            assertEquals(77, Free.decode(record).address());
            assertEquals(2, worker.deviceCount());
        }
    }

    @Test
    void brokenHeadersAreRefused() throws IOException {
        int[][] changes = {
            {SessionHeaderLayout.MAGIC_OFFSET, 1},
            {SessionHeaderLayout.PROTOCOL_OFFSET, 99},
            {SessionHeaderLayout.DEVICE_COUNT_OFFSET, 9},
            {SessionHeaderLayout.DEVICE_COUNT_OFFSET, -1},
            {SessionHeaderLayout.DEVICE_COUNT_OFFSET, Integer.MAX_VALUE},
        };
        for (int[] change : changes) {
            int before = client.segment().get(JAVA_INT, change[0]);
            client.segment().set(JAVA_INT, change[0], change[1]);
            int descriptor = Descriptors.duplicate(host.descriptor());
            assertThrows(MalformedRecord.class, () -> SessionMemory.attach(descriptor));
            assertFalse(Descriptors.isOpen(descriptor));
            client.segment().set(JAVA_INT, change[0], before);
        }
    }
}

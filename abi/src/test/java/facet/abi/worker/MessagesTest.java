package facet.abi.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Every message is heard as it was said, and nothing else is. */
final class MessagesTest {
    private static final long SEED = Long.getLong("facet.seed", 20261117L);

    private final RandomMessages random = new RandomMessages(new Random(SEED));

    private static List<Class<?>> kinds() {
        List<Class<?>> kinds = new ArrayList<>();
        kinds.addAll(List.of(ToDaemon.class.getPermittedSubclasses()));
        kinds.addAll(List.of(ToWorker.class.getPermittedSubclasses()));
        return kinds;
    }

    private static WorkerMessage decode(Class<?> kind, byte[] packet) throws MalformedMessage {
        return ToDaemon.class.isAssignableFrom(kind)
                ? ToDaemon.decode(packet)
                : ToWorker.decode(packet);
    }

    @Test
    void everyMessageIsHeardAsItWasSaid() throws MalformedMessage, ReflectiveOperationException {
        for (Class<?> kind : kinds()) {
            for (int round = 0; round < 100; round++) {
                WorkerMessage message = random.message(kind);
                byte[] packet = message.encode();
                WorkerMessage heard = decode(kind, packet);
                assertEquals(kind, heard.getClass(), this::repeat);
                // Records with arrays are not equal; what they are sent as is.
                assertArrayEquals(packet, heard.encode(), this::repeat);
            }
        }
    }

    /** Nothing is left out: two messages that differ are sent as different packets. */
    @Test
    void fieldsAreWhereTheyBelong() throws MalformedMessage {
        Room room =
                new Room(1, 2, 3, 4, 5, List.of(new RoomPart(6, true, Long.MAX_VALUE, 8, false)));
        assertEquals(room, ToDaemon.decode(room.encode()));
        Begin begin = new Begin("s", 1, 3, 4, 5, "gerät", "8.9", new long[] {6, 9}, "GPU-1", 7, 8);
        Begin heard = (Begin) ToWorker.decode(begin.encode());
        assertArrayEquals(new long[] {6, 9}, heard.deviceMemory());
        assertEquals(
                List.of("s", 1L, 3L, 4L, 5L, "gerät", "8.9", 7, 8),
                List.of(
                        heard.slice(),
                        heard.memory(),
                        heard.leastStay(),
                        heard.stayPerMove(),
                        heard.idleAfter(),
                        heard.deviceName(),
                        heard.capability(),
                        heard.seats(),
                        heard.multiprocessors()));
        Warm warm = new Warm(-1, "");
        assertEquals(warm, ToDaemon.decode(warm.encode()));
    }

    @Test
    void whatIsCutOffOrHasSomethingBehindItIsRefused() throws ReflectiveOperationException {
        for (Class<?> kind : kinds()) {
            byte[] packet = random.message(kind).encode();
            for (int length = 0; length < packet.length; length++) {
                byte[] part = Arrays.copyOf(packet, length);
                assertThrows(MalformedMessage.class, () -> decode(kind, part), kind::getName);
            }
            byte[] more = Arrays.copyOf(packet, packet.length + 1);
            assertThrows(MalformedMessage.class, () -> decode(kind, more), kind::getName);
        }
    }

    @Test
    void nobodyHearsWhatIsForTheOther() throws ReflectiveOperationException {
        for (Class<?> kind : kinds()) {
            byte[] packet = random.message(kind).encode();
            Class<?> other = ToDaemon.class.isAssignableFrom(kind) ? Close.class : Room.class;
            assertThrows(MalformedMessage.class, () -> decode(other, packet), kind::getName);
        }
    }

    private static byte[] packet(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN).array();
    }

    private static void assertRefused(String expected, byte[] packet) {
        MalformedMessage refusal =
                assertThrows(MalformedMessage.class, () -> ToDaemon.decode(packet));
        assertTrue(String.valueOf(refusal.getMessage()).contains(expected), refusal.getMessage());
    }

    private static byte[] changed(WorkerMessage message, int offset, int... bytes) {
        byte[] packet = message.encode();
        for (int i = 0; i < bytes.length; i++) {
            packet[offset + i] = (byte) bytes[i];
        }
        return packet;
    }

    @Test
    void numbersAreInTheirRange() {
        assertRefused("session is -", changed(new Stopped(1), 5, 0x80));
        Room room = new Room(0, 1, 2, 3, 4, List.of());
        assertRefused("number is -", changed(room, 2 + 4 + 7, 0xff));
        assertRefused("last is 2", changed(new Usage(true, List.of()), 2, 2));
        assertRefused("the number 0", packet(2));
        assertRefused("the number 65535", new byte[] {-1, -1});
        assertRefused("before the end of number", packet(1));
    }

    @Test
    void lengthsAreInTheirRange() {
        Room room = new Room(0, 1, 2, 3, 4, List.of());
        int parts = room.encode().length - 2;
        assertRefused("parts has a length of 65", changed(room, parts, Room.MOST_PARTS + 1, 0));
        assertRefused("parts has a length of 65535", changed(room, parts, 0xff, 0xff));
        assertRefused("it ends before the end of bytes", changed(room, parts, 64, 0));
        Fault fault = new Fault(1, "ab");
        assertRefused("text has a length of 1025", changed(fault, 6, 0x01, 0x04));
        assertRefused("it ends before the end of text", changed(fault, 6, 3, 0));
        assertRefused("1 bytes are behind its end", changed(fault, 6, 1, 0));
        assertRefused("text is no text", changed(fault, 8, 0xc0, 0xaf));
        assertRefused("text is no text", changed(fault, 8, 0xc3));
        Ended ended = new Ended(new SessionUse(1, 2, new long[0], new long[0]));
        assertRefused("nanos has a length of 65", changed(ended, 14, 65, 0));
    }

    @Test
    void ourOwnMistakesAreFoundBeforeTheyAreSent() {
        for (WorkerMessage wrong :
                List.of(
                        new Change(-1),
                        new Stopped(-1),
                        new Begin("s".repeat(65), 1, 1, 1, 1, "", "", new long[1], "GPU-1", 1, 1),
                        new Ended(new SessionUse(1, 1, new long[65], new long[0])),
                        new Ended(new SessionUse(1, 1, new long[] {-1}, new long[1])),
                        new Room(
                                0,
                                0,
                                0,
                                0,
                                0,
                                Collections.nCopies(65, new RoomPart(0, true, 0, 0, true))),
                        new Usage(
                                true,
                                Collections.nCopies(
                                        1024, new SessionUse(1, 1, new long[64], new long[64]))))) {
            assertThrows(IllegalArgumentException.class, wrong::encode, wrong::toString);
        }
    }

    @Test
    void notesLoseTheirEnd() throws MalformedMessage {
        Fault fault = new Fault(1, "x" + "ü".repeat(5000));
        Fault heard = (Fault) ToDaemon.decode(fault.encode());
        assertEquals("x" + "ü".repeat(511), heard.text(), "1023 bytes: half a character is none");
        Fault emoji = (Fault) ToDaemon.decode(new Fault(1, "😀".repeat(257)).encode());
        assertEquals("😀".repeat(256), emoji.text());
        Fault whole = (Fault) ToDaemon.decode(new Fault(1, "y".repeat(1024)).encode());
        assertEquals("y".repeat(1024), whole.text());
    }

    @Test
    void descriptorsAreCounted() {
        assertTrue(new Open(1, "p", 2, 3).takes(2));
        assertFalse(new Open(1, "p", 2, 3).takes(1));
        Begin begin = new Begin("s", 1, 1, 1, 1, "", "", new long[1], "GPU-1", 1, 1);
        assertTrue(begin.takes(1) && begin.takes(3));
        assertFalse(begin.takes(0) || begin.takes(2));
        assertTrue(new Ready().takes(0));
        assertFalse(new Ready().takes(1));
    }

    /** Whatever comes, it is a message or {@link MalformedMessage}. */
    @Test
    void randomBytes() throws ReflectiveOperationException {
        Random bytes = new Random(SEED);
        int heard = 0;
        for (int round = 0; round < 200_000; round++) {
            byte[] packet = random.packet(kinds().get(bytes.nextInt(kinds().size())));
            heard += isHeard(packet) ? 1 : 0;
        }
        assertTrue(heard > 1000, "mutations are small enough to be heard now and then");
        assertTrue(heard < 190_000, "and large enough to be refused");
    }

    private boolean isHeard(byte[] packet) {
        boolean heard = false;
        try {
            assertArrayEquals(packet, ToDaemon.decode(packet).encode(), this::repeat);
            heard = true;
        } catch (MalformedMessage expected) {
            assertFalse(String.valueOf(expected.getMessage()).isEmpty());
        }
        try {
            assertArrayEquals(packet, ToWorker.decode(packet).encode(), this::repeat);
            heard = true;
        } catch (MalformedMessage expected) {
            assertFalse(String.valueOf(expected.getMessage()).isEmpty());
        }
        return heard;
    }

    private String repeat() {
        return "repeat with -Dfacet.seed=" + SEED;
    }
}

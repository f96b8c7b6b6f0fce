package facet.abi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Every command comes out of the dispatcher as it was encoded; broken ones do not. */
final class RoundTripTest {
    private static final long SEED = Long.getLong("facet.seed", 20251116L);

    private final Random random = new Random(SEED);

    private record Received(Envelope envelope, Command command) {}

    @Test
    void everyCommand() throws ReflectiveOperationException, MalformedCommand {
        for (Class<?> type : CudaCommand.class.getPermittedSubclasses()) {
            for (int round = 0; round < 50; round++) {
                Command command = randomCommand(type);
                int slot = waits(type) ? 1 + random.nextInt(Constants.REPLY_SLOTS) : 0;
                Envelope envelope =
                        new Envelope(slot, random.nextLong(), random.nextInt(Constants.CONTEXTS));
                byte[] bytes =
                        command.encode(envelope.slot(), envelope.sequence(), envelope.context());
                Received received = dispatch(bytes);
                assertEquals(0, bytes.length % 8, this::repeat);
                assertEquals(envelope, received.envelope(), this::repeat);
                assertSame(command, received.command());
            }
        }
    }

    @Test
    void wrongLengths() throws ReflectiveOperationException {
        for (Class<?> type : CudaCommand.class.getPermittedSubclasses()) {
            byte[] bytes = randomCommand(type).encode(waits(type) ? 1 : 0, 1, 0);
            for (int length = 0; length < bytes.length + 24; length += 4) {
                if (length != bytes.length) {
                    byte[] wrong = Arrays.copyOf(bytes, length);
                    assertThrows(MalformedCommand.class, () -> dispatch(wrong), type::getName);
                    if (length >= RecordHeaderLayout.BYTES) {
                        setInt(wrong, RecordHeaderLayout.LENGTH_OFFSET, length);
                        assertThrows(MalformedCommand.class, () -> dispatch(wrong), type::getName);
                    }
                }
            }
        }
    }

    @Test
    void dataThatClaimsTooMuch() {
        for (int claimed :
                new int[] {9, 17, 1 << 20, Integer.MAX_VALUE, -1, -8, Integer.MIN_VALUE}) {
            byte[] bytes = new Write(1, 2, new byte[8]).encode(0, 1, 0);
            setInt(bytes, Write.DATA_BYTES_OFFSET, claimed);
            assertThrows(MalformedCommand.class, () -> dispatch(bytes), () -> "claims " + claimed);
        }
    }

    @Test
    void wrongHeaders() {
        int last = CudaCommand.class.getPermittedSubclasses().length;
        for (int type : new int[] {0, last + 1, 0xffff}) {
            byte[] bytes = new ContextDestroy().encode(1, 1, 0);
            setInt(bytes, RecordHeaderLayout.TYPE_OFFSET, type | 1 << 16);
            assertThrows(MalformedCommand.class, () -> dispatch(bytes), () -> "type " + type);
        }
        Command waiting = new ContextDestroy();
        Command posted = new Free(1);
        assertThrows(MalformedCommand.class, () -> dispatch(waiting.encode(0, 1, 0)));
        assertThrows(MalformedCommand.class, () -> dispatch(waiting.encode(65, 1, 0)));
        assertThrows(MalformedCommand.class, () -> dispatch(posted.encode(1, 1, 0)));
        assertThrows(MalformedCommand.class, () -> dispatch(posted.encode(0, 1, 64)));
        assertThrows(MalformedCommand.class, () -> dispatch(posted.encode(0, 1, -1)));
    }

    private static void setInt(byte[] bytes, int offset, int value) {
        MemorySegment.ofArray(bytes).set(ValueLayout.JAVA_INT_UNALIGNED, offset, value);
    }

    /** A command waits when the dispatcher takes it with a reply slot. */
    private boolean waits(Class<?> type) throws ReflectiveOperationException {
        try {
            dispatch(randomCommand(type).encode(1, 1, 0));
            return true;
        } catch (MalformedCommand posted) {
            return false;
        }
    }

    private static Received dispatch(byte[] bytes) throws MalformedCommand {
        Received[] received = new Received[1];
        HandlersOfAll.dispatcher(
                        (envelope, command) -> received[0] = new Received(envelope, command))
                .dispatch(MemorySegment.ofArray(bytes));
        return received[0];
    }

    private Command randomCommand(Class<?> type) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = randomValue(types[i]);
        }
        return (Command) type.getDeclaredConstructor(types).newInstance(values);
    }

    private Object randomValue(Class<?> type) {
        if (type == int.class) {
            return random.nextInt();
        }
        if (type == long.class) {
            return random.nextLong();
        }
        if (type == float.class) {
            return random.nextFloat();
        }
        assertEquals(byte[].class, type);
        byte[] bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        return bytes;
    }

    private void assertSame(Command expected, Command actual)
            throws IllegalAccessException, InvocationTargetException {
        assertEquals(expected.getClass(), actual.getClass());
        for (RecordComponent component : expected.getClass().getRecordComponents()) {
            Object one = component.getAccessor().invoke(expected);
            Object other = component.getAccessor().invoke(actual);
            if (one instanceof byte[] bytes) {
                assertArrayEquals(bytes, (byte[]) other, this::repeat);
            } else {
                assertEquals(one, other, () -> component + ", " + repeat());
            }
        }
        assertTrue(expected.getClass().isRecord());
    }

    private String repeat() {
        return "repeat with -Dfacet.seed=" + SEED;
    }
}

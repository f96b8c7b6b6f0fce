package facet.abi.worker;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Messages with values that nobody chose, and packets that are almost messages. */
final class RandomMessages {
    private static final int[] EDGES = {0, 1, 0x7f, 0x80, 0xff, 0x3f, 0x40, 0x41};

    private final Random random;

    RandomMessages(Random random) {
        this.random = random;
    }

    WorkerMessage message(Class<?> kind) throws ReflectiveOperationException {
        return (WorkerMessage) record(kind);
    }

    private Object record(Class<?> kind) throws ReflectiveOperationException {
        RecordComponent[] components = kind.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = value(components[i]);
        }
        Constructor<?> constructor = kind.getDeclaredConstructor(types);
        return constructor.newInstance(values);
    }

    private Object value(RecordComponent component) throws ReflectiveOperationException {
        Class<?> type = component.getType();
        if (type == boolean.class) {
            return random.nextBoolean();
        }
        if (type == int.class) {
            return random.nextInt() & Integer.MAX_VALUE;
        }
        if (type == long.class) {
            return random.nextLong() & Long.MAX_VALUE;
        }
        if (type == long[].class) {
            return random.longs(random.nextInt(8), 0, Long.MAX_VALUE).toArray();
        }
        if (type == String.class) {
            return random.ints(random.nextInt(20), 1, 0xd800)
                    .collect(
                            StringBuilder::new,
                            StringBuilder::appendCodePoint,
                            StringBuilder::append)
                    .toString();
        }
        if (type == List.class) {
            ParameterizedType list = (ParameterizedType) component.getGenericType();
            List<Object> elements = new ArrayList<>();
            for (int i = random.nextInt(6); i > 0; i--) {
                elements.add(record((Class<?>) list.getActualTypeArguments()[0]));
            }
            return elements;
        }
        return record(type);
    }

    /** Of a message of that kind, with some bytes changed, cut off or added; or of nothing. */
    byte[] packet(Class<?> kind) throws ReflectiveOperationException {
        byte[] packet = message(kind).encode();
        switch (random.nextInt(5)) {
            case 0 -> {
                packet = new byte[random.nextInt(100)];
                random.nextBytes(packet);
                if (packet.length > 1) {
                    packet[0] = (byte) random.nextInt(18);
                    packet[1] = 0;
                }
            }
            case 1 -> packet = Arrays.copyOf(packet, random.nextInt(packet.length + 9));
            default -> {
                for (int i = random.nextInt(4); i > 0; i--) {
                    packet[random.nextInt(packet.length)] =
                            (byte) EDGES[random.nextInt(EDGES.length)];
                }
            }
        }
        return packet;
    }
}

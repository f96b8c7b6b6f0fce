package facet.abi.worker;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/** Writes the fields of a packet. What the other side would refuse is a mistake of this one. */
final class MessageWriter {
    private static final int START = 64;

    private ByteBuffer out = ByteBuffer.allocate(START).order(ByteOrder.LITTLE_ENDIAN);

    /**
     * @param number of the message
     */
    MessageWriter(int number) {
        u16(number);
    }

    void flag(boolean value) {
        room(Byte.BYTES).put((byte) (value ? 1 : 0));
    }

    void u31(String field, int value) {
        check(value >= 0, field, value);
        room(Integer.BYTES).putInt(value);
    }

    void u63(String field, long value) {
        check(value >= 0, field, value);
        u64(value);
    }

    void u64(long value) {
        room(Long.BYTES).putLong(value);
    }

    void text(String field, int most, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        check(bytes.length <= most, field, bytes.length);
        bytes(bytes, bytes.length);
    }

    /** What is too long loses its end; no character is cut in two. */
    void note(int most, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, most);
        while (length < bytes.length && length > 0 && (bytes[length] & 0xc0) == 0x80) {
            length--;
        }
        bytes(bytes, length);
    }

    private void bytes(byte[] bytes, int length) {
        u16(length);
        room(length).put(bytes, 0, length);
    }

    void u63s(String field, int most, long[] values) {
        check(values.length <= most, field, values.length);
        u16(values.length);
        for (long each : values) {
            u63(field, each);
        }
    }

    <T> void list(String field, int most, List<T> values, BiConsumer<T, MessageWriter> write) {
        check(values.size() <= most, field, values.size());
        u16(values.size());
        values.forEach(each -> write.accept(each, this));
    }

    byte[] bytes() {
        check(out.position() <= WorkerMessage.LONGEST, "the packet", out.position());
        return Arrays.copyOf(out.array(), out.position());
    }

    private void u16(int value) {
        room(Short.BYTES).putShort((short) value);
    }

    private ByteBuffer room(int bytes) {
        if (out.remaining() < bytes) {
            int length = Math.max(out.capacity() * 2, out.position() + bytes);
            ByteBuffer longer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
            out = longer.put(out.flip());
        }
        return out;
    }

    private static void check(boolean isRight, String field, long value) {
        if (!isRight) {
            throw new IllegalArgumentException(field + " is " + value);
        }
    }
}

package facet.abi.worker;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the fields of a packet. Whoever sent it may hate us: every length is compared with what is
 * there and with what the table allows before anything is made of it.
 */
final class MessageReader {
    private final ByteBuffer in;

    MessageReader(byte[] packet) {
        in = ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** How an element of a list is read. */
    interface Element<T> {
        T read(MessageReader in) throws MalformedMessage;
    }

    /** Of the message. */
    int number() throws MalformedMessage {
        return u16("number");
    }

    boolean flag(String field) throws MalformedMessage {
        need(field, Byte.BYTES);
        byte value = in.get();
        if (value != 0 && value != 1) {
            throw new MalformedMessage(field + " is " + value + ", neither yes nor no");
        }
        return value == 1;
    }

    int u31(String field) throws MalformedMessage {
        need(field, Integer.BYTES);
        return (int) notBelowZero(field, in.getInt());
    }

    long u63(String field) throws MalformedMessage {
        return notBelowZero(field, u64(field));
    }

    long u64(String field) throws MalformedMessage {
        need(field, Long.BYTES);
        return in.getLong();
    }

    String text(String field, int most) throws MalformedMessage {
        int bytes = count(field, most);
        need(field, bytes);
        ByteBuffer text = in.slice(in.position(), bytes);
        in.position(in.position() + bytes);
        try {
            // A new decoder refuses what is no UTF-8.
            return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedMessage(field + " is no text");
        }
    }

    long[] u63s(String field, int most) throws MalformedMessage {
        int count = count(field, most);
        need(field, count * Long.BYTES);
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = u63(field);
        }
        return numbers;
    }

    <T> List<T> list(String field, int most, Element<T> element) throws MalformedMessage {
        int count = count(field, most);
        List<T> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            elements.add(element.read(this));
        }
        return elements;
    }

    /** There is no more. */
    void end() throws MalformedMessage {
        if (in.hasRemaining()) {
            throw new MalformedMessage(in.remaining() + " bytes are behind its end");
        }
    }

    private int count(String field, int most) throws MalformedMessage {
        int count = u16(field);
        if (count > most) {
            throw new MalformedMessage(field + " has a length of " + count + ", not up to " + most);
        }
        return count;
    }

    private int u16(String field) throws MalformedMessage {
        need(field, Short.BYTES);
        return Short.toUnsignedInt(in.getShort());
    }

    private void need(String field, int bytes) throws MalformedMessage {
        if (in.remaining() < bytes) {
            throw new MalformedMessage("it ends before the end of " + field);
        }
    }

    private static long notBelowZero(String field, long value) throws MalformedMessage {
        if (value < 0) {
            throw new MalformedMessage(field + " is " + value);
        }
        return value;
    }
}

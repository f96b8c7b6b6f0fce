package facet.testkit.filetest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Lists of values: {@code 1 2 0x10}, {@code 7*32} for 32 sevens, {@code 0..31} for a sequence,
 * {@code 0..62/2} for every second; {@code iota} and {@code fill 7} go as far as the buffer does.
 */
final class Values {
    /** Shorter runs are written out. */
    private static final int RUN = 4;

    private Values() {}

    static long[] parse(ElementType type, String text, int count) {
        return literals(text, count).stream().mapToLong(type::parse).toArray();
    }

    /** One literal for each element; a count of -1 takes what is there. */
    static List<String> literals(String text, int count) {
        String[] words = text.strip().split("\\s+", -1);
        List<String> literals = new ArrayList<>();
        if (words[0].equals("iota")) {
            range("0.." + (need(count, text) - 1), literals);
        } else if (words[0].equals("fill") && words.length == 2) {
            literals.addAll(Collections.nCopies(need(count, text), words[1]));
        } else {
            for (String word : words) {
                word(word, literals);
            }
        }
        if (count >= 0 && literals.size() != count) {
            throw new IllegalArgumentException(
                    literals.size() + " values where " + count + " are wanted");
        }
        return literals;
    }

    private static int need(int count, String text) {
        if (count < 0) {
            throw new IllegalArgumentException("'" + text + "' needs a count: name[count]");
        }
        return count;
    }

    private static void word(String word, List<String> literals) {
        int star = word.lastIndexOf('*');
        if (star > 0) {
            int times = Integer.parseInt(word.substring(star + 1));
            literals.addAll(Collections.nCopies(times, word.substring(0, star)));
        } else if (word.contains("..")) {
            range(word, literals);
        } else if (!word.isEmpty()) {
            literals.add(word);
        }
    }

    private static void range(String word, List<String> literals) {
        int dots = word.indexOf("..");
        int slash = word.indexOf('/');
        long step = slash < 0 ? 1 : Long.decode(word.substring(slash + 1));
        long first = Long.decode(word.substring(0, dots));
        long last = Long.decode(word.substring(dots + 2, slash < 0 ? word.length() : slash));
        for (long i = first; step > 0 ? i <= last : i >= last; i += step) {
            literals.add(Long.toString(i));
        }
    }

    /** Whether the literal stands for the bits; {@code nan} stands for any NaN. */
    static boolean matches(ElementType type, String literal, long bits, Tolerance tolerance) {
        if (type.isFloat() && literal.equals("nan")) {
            return type.isNan(bits);
        }
        return tolerance.accepts(type, type.parse(literal), bits);
    }

    /** Text that {@link #parse} reads as the same bits. */
    static String format(ElementType type, long[] values) {
        List<String> words = new ArrayList<>();
        int at = 0;
        while (at < values.length) {
            int equal = run(values, at, 0);
            int rising = type.isFloat() ? 1 : run(values, at, 1);
            if (equal >= RUN) {
                words.add(type.format(values[at]) + "*" + equal);
                at += equal;
            } else if (rising >= RUN && values[at] >= 0 && values[at] < 1L << 31) {
                long last = values[at + rising - 1];
                words.add(values[at] + ".." + last);
                at += rising;
            } else {
                words.add(type.format(values[at++]));
            }
        }
        return String.join(" ", words);
    }

    private static int run(long[] values, int from, long step) {
        int end = from + 1;
        while (end < values.length && values[end] == values[end - 1] + step) {
            end++;
        }
        return end - from;
    }

    static byte[] pack(ElementType type, long[] values) {
        ByteBuffer buffer =
                ByteBuffer.allocate(values.length * type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            switch (type.bytes()) {
                case 1 -> buffer.put((byte) value);
                case 2 -> buffer.putShort((short) value);
                case 4 -> buffer.putInt((int) value);
                default -> buffer.putLong(value);
            }
        }
        return buffer.array();
    }

    static long[] unpack(ElementType type, byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long[] values = new long[bytes.length / type.bytes()];
        for (int i = 0; i < values.length; i++) {
            long value =
                    switch (type.bytes()) {
                        case 1 -> buffer.get();
                        case 2 -> buffer.getShort();
                        case 4 -> buffer.getInt();
                        default -> buffer.getLong();
                    };
            values[i] = value & type.mask();
        }
        return values;
    }
}

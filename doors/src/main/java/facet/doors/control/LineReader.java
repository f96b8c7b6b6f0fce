package facet.doors.control;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Lines of bounded length from a channel. */
final class LineReader {
    /** A document of slices, percent-encoded, is the longest that is asked. */
    static final int LONGEST = 1 << 20;

    private static final int USUAL = 4 << 10;

    private final ReadableByteChannel channel;

    /** Always ready to be read from. */
    private ByteBuffer buffer = ByteBuffer.allocate(USUAL).flip();

    LineReader(ReadableByteChannel channel) {
        this.channel = channel;
    }

    /** The next line without its end, null when there is none. What was not finished is no line. */
    @Nullable String next() throws IOException, ControlException {
        int looked = buffer.position();
        while (true) {
            for (int i = looked; i < buffer.limit(); i++) {
                if (buffer.get(i) == '\n') {
                    byte[] line = new byte[i - buffer.position()];
                    buffer.get(line).get();
                    return new String(line, StandardCharsets.UTF_8).stripTrailing();
                }
            }
            looked = buffer.remaining();
            buffer.compact();
            if (buffer.capacity() >= LONGEST && !buffer.hasRemaining()) {
                throw new ControlException("a line of more than " + LONGEST + " bytes");
            }
            if (!buffer.hasRemaining()) {
                buffer = ByteBuffer.allocate(buffer.capacity() * 2).put(buffer.flip());
            }
            int got = channel.read(buffer);
            buffer.flip();
            if (got < 0) {
                return null;
            }
        }
    }
}

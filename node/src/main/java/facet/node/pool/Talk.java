package facet.node.pool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import facet.pool.link.LaneKind;
import facet.pool.link.Link;
import facet.pool.link.LinkException;
import facet.pool.link.LinkViolation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * What two nodes say to each other about themselves and about slices: a byte that says what it is,
 * seven of nothing, JSON. It goes over the commands' lane of a link that carries no session.
 *
 * <pre>
 *   NEWS     both ways   how the node is; the caller's comes first
 *   ASK      caller      a slice is to be made, changed or removed
 *   ANSWER   called      what became of it
 * </pre>
 */
final class Talk {
    static final byte NEWS = 64;
    static final byte ASK = 65;
    static final byte ANSWER = 66;

    private static final int HEAD = 8;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** What is to be done with a slice. */
    enum Deed {
        MAKE,
        CHANGE,
        REMOVE
    }

    /**
     * @param number by which the answer names it
     * @param name of the slice; when it is made as the caller would like it to be
     * @param settings keys and values, as in files
     */
    record Ask(long number, Deed deed, String name, Map<String, String> settings) {
        Ask {
            settings = Map.copyOf(settings);
            if (deed == null || name.length() > 256) {
                throw new IllegalArgumentException("a question without sense");
            }
        }
    }

    /**
     * @param name that the slice has there
     * @param error why not; empty: it is done
     */
    record Answer(long number, String name, String error) {
        Answer {
            if (name == null || error == null) {
                throw new IllegalArgumentException("an answer without sense");
            }
        }
    }

    private Talk() {}

    static byte kind(ByteBuffer message) throws LinkViolation {
        if (message.remaining() < HEAD) {
            throw new LinkViolation("a message of " + message.remaining() + " bytes");
        }
        return message.get(message.position());
    }

    static void send(Link link, byte kind, Object what) throws IOException {
        byte[] text = MAPPER.writeValueAsBytes(what);
        ByteBuffer message =
                ByteBuffer.allocate(HEAD + text.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(0, kind)
                        .put(HEAD, text);
        try {
            link.send(LaneKind.COMMANDS, message);
        } catch (LinkException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while sending");
        }
    }

    static <T> T read(ByteBuffer message, Class<T> what) throws LinkViolation {
        byte[] text = new byte[message.remaining() - HEAD];
        message.position(message.position() + HEAD).get(text);
        try {
            T read = MAPPER.readValue(text, what);
            if (read == null) {
                throw new LinkViolation("a message that says nothing");
            }
            return read;
        } catch (JsonProcessingException e) {
            throw new LinkViolation("a message that cannot be read: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new LinkViolation("a message that cannot be read: " + e.getMessage());
        }
    }
}

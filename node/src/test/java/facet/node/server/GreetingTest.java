package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Constants;
import facet.abi.CudaWire;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class GreetingTest {
    private static String name(String said) {
        return Greeting.read(TestClient.hello(said)).name();
    }

    /** It is seen in terminals and in the log. */
    @Test
    void aProgramsNameIsOneLineOfText() {
        assertEquals("train", name("train"));
        assertEquals("a  [2J b", name("a\n\u001b[2J\u202eb"));
        assertEquals("x 31m", name("x\u009b31m"));
        assertEquals("日本", name("日本"));
    }

    @Test
    void whatIsTooShortIsNotOurs() {
        assertFalse(Greeting.read(new byte[3]).isOurs());
    }

    private static Optional<String> difference(int protocol, int commands, long digest) {
        return Greeting.read(TestClient.hello(protocol, commands, digest, "test")).difference();
    }

    @Test
    void librariesOfLastMonthAreWelcome() {
        int known = CudaWire.COMMANDS - 3;
        assertEquals(
                Optional.empty(), difference(Constants.PROTOCOL, known, CudaWire.digest(known)));
    }

    /** They compare themselves, with what they are answered. */
    @Test
    void librariesOfNextMonthAreWelcome() {
        assertEquals(Optional.empty(), difference(Constants.PROTOCOL, CudaWire.COMMANDS + 9, 4711));
    }

    @Test
    void whoMeansSomethingElseIsTold() {
        assertTrue(difference(Constants.PROTOCOL, CudaWire.COMMANDS, 4711).isPresent());
        assertTrue(
                difference(99, CudaWire.COMMANDS, CudaWire.digest(CudaWire.COMMANDS)).isPresent());
    }

    /** The first protocols had a shorter greeting. */
    @Test
    void olderProtocolsAreTold() {
        byte[] old = Arrays.copyOf(TestClient.hello(3, "old"), 80);
        assertTrue(Greeting.read(old).isOurs());
        assertTrue(Greeting.read(old).difference().orElseThrow().contains("libraries 3"));
    }
}

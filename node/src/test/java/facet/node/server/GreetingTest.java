package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

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
}

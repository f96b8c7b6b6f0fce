package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.doors.control.ControlException;
import facet.slices.Settings;
import java.nio.file.Files;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A name is one node's. */
@Timeout(300)
class PoolNamesTest extends PoolDaemons {
    private void assertNotJoined(TestDaemon second, String name, TestDaemon seed, String listen) {
        ControlException why =
                assertThrows(ControlException.class, () -> join(second, name, seed, listen));
        assertTrue(
                String.valueOf(why.getMessage()).contains("'facet join --name' gives"),
                why.getMessage());
        assertEquals(false, second.daemon().pool().get("joined"));
        assertTrue(
                Files.notExists(folder.resolve("second/state/pool.json")), "nothing is left of it");
    }

    @Test
    void aNameThatAnotherHasIsRefused() throws Exception {
        TestDaemon far = far();
        TestDaemon near = near(far);
        TestDaemon second = daemon("second", "--devices", "0");
        assertNotJoined(second, "far", far, OFF); // the one that is asked
        assertNotJoined(second, "near", far, OFF); // one that does not listen
        TestDaemon third = join(daemon("third"), "third", far, "127.0.0.1:0");
        await(() -> nodes(far).size() == 2, "it is known");
        assertNotJoined(second, "third", far, "127.0.0.1:0"); // one that is called
        // Who had the name has it still, and everything else.
        near.daemon().keep("train", Settings.NONE);
        runProgram(socket(near, "train"));
        assertTrue(
                nodes(far).stream().allMatch(each -> Objects.equals(each.get("connected"), true)));
        // Another name is welcome.
        join(second, "second", far, OFF);
        await(() -> !second.daemon().elsewhere().isEmpty(), "it is in the pool");
        assertEquals("third", third.daemon().pool().get("node"));
    }

    /** A daemon that is started again is another one of the same name. */
    @Test
    void aNodeThatComesAgainKeepsItsName() throws Exception {
        TestDaemon far = far();
        TestDaemon near = near(far);
        near.close();
        daemons.remove(near);
        TestDaemon again = join(daemon("again", "--devices", "0"), "near", far, OFF);
        await(() -> again.daemon().elsewhere().size() == 1, "the other's device is known");
    }
}

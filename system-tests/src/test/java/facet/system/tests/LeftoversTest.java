package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a slice leaves in memory nobody else sees: device, managed and pinned memory, pools, module
 * variables, the heap of kernels, shared and local memory, arguments, rings.
 */
@SuppressWarnings("NullAway.Init") // JUnit fills in the parameter, and begins before all tests
@ParameterizedClass(name = "isolation {0}")
@ValueSource(strings = {"shared", "process"})
class LeftoversTest {
    private static final Builder BUILDER = new Builder();
    private static final String NONE = "0 0";
    private static Daemon daemon;
    private static String pattern;

    @Parameter String isolation;

    @BeforeParameterizedClassInvocation
    static void start(String isolation) throws IOException, InterruptedException {
        daemon = Daemon.start("2G", "--isolation", isolation);
        long seed = Long.getLong("facet.seed", 20261117);
        // No small number, and no address: nothing else has it by chance.
        pattern = Long.toString(0xa000_0000L | new Random(seed).nextInt(1 << 28) | 1);
        System.out.println("pattern " + pattern + ", -Dfacet.seed=" + seed);
    }

    @AfterParameterizedClassInvocation
    static void stop() throws IOException {
        daemon.close();
    }

    private static Trouble slice(Control control, String name) throws IOException {
        return new Trouble(BUILDER, control.slice(name, "64M"));
    }

    @Test
    void ofAProgramThatHasEnded() throws IOException {
        try (Control control = daemon.control()) {
            slice(control, "one").expect("written", "leftovers", "leave", pattern);
            slice(control, "other").expect(NONE, "leftovers", "look", pattern);
        }
    }

    @Test
    void ofAProgramThatWasKilled() throws IOException, InterruptedException {
        try (Control control = daemon.control()) {
            Trouble one = slice(control, "one");
            Trouble other = slice(control, "other");
            for (int i = 0; i < 3; i++) {
                Trouble.kill(one.beginAndWait("written", 0, "leftovers", "wait", pattern));
                other.expect(NONE, "leftovers", "look", pattern);
                one.expect(NONE, "leftovers", "look", pattern);
            }
        }
    }

    @Test
    void ofAContextThatWasGivenBack() throws IOException {
        try (Control control = daemon.control()) {
            slice(control, "one").expect(NONE, "leftovers", "reset", pattern);
        }
    }

    /** The same workers run blocks of both in turn. */
    @Test
    void ofAProgramThatRunsBeside() throws IOException, InterruptedException {
        try (Control control = daemon.control()) {
            Process beside =
                    slice(control, "one").beginAndWait("written", 0, "leftovers", "again", pattern);
            Trouble other = slice(control, "other");
            for (int i = 0; i < 3; i++) {
                other.expect(NONE, "leftovers", "look", pattern);
            }
            beside.getOutputStream().close();
            assertTrue(beside.waitFor(60, TimeUnit.SECONDS), "it does not end");
        }
    }
}

package facet.node.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.doors.control.ControlException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ContainerConfigTest {
    private static final Path RUN = Path.of("/run/facet");

    @Test
    void theLastOfTwoVariablesCounts() throws ControlException {
        ContainerConfig config =
                ContainerConfig.parse(
                        """
                        {"process": {"env": ["A", "FACET_MEMORY=1G", "FACET_MEMORY=2G", "X==y"]},
                         "annotations": {"dev.facet.compute": "30"}}
                        """);
        Wish wish = config.wish(1).orElseThrow();
        assertEquals("{MEMORY=2GiB, COMPUTE=30%}", wish.settings().values().toString());
    }

    @Test
    void aConfigMayLackEverything() throws ControlException {
        assertTrue(ContainerConfig.parse("{}").wish(1).isEmpty());
        assertTrue(ContainerConfig.parse("{\"process\":{\"env\":null}}").wish(1).isEmpty());
    }

    @Test
    void theHookIsAddedOnceAndTheRestStays() throws ControlException {
        String text =
                "{\"ociVersion\":\"1.2.0\",\"big\":18446744073709551615,\"part\":0.1234567890123456789,\"text\":\"a\\n\\\"é\","
                        + "\"hooks\":{\"createRuntime\":[{\"path\":\"/bin/other\"}]}}";
        ContainerConfig config = ContainerConfig.parse(text);
        config.addHook("/usr/lib/facet/bin/facet-hook", RUN);
        String once = config.text();
        assertEquals(
                "{\"ociVersion\":\"1.2.0\",\"big\":18446744073709551615,\"part\":0.1234567890123456789,\"text\":\"a\\n\\\"é\","
                        + "\"hooks\":{\"createRuntime\":[{\"path\":\"/bin/other\"},"
                        + "{\"path\":\"/usr/lib/facet/bin/facet-hook\","
                        + "\"args\":[\"facet-hook\",\"create\","
                        + "\"--runtime-dir=/run/facet\"]}],"
                        + "\"poststop\":[{\"path\":\"/usr/lib/facet/bin/facet-hook\","
                        + "\"args\":[\"facet-hook\",\"delete\","
                        + "\"--runtime-dir=/run/facet\"]}]}}",
                once);
        ContainerConfig again = ContainerConfig.parse(once);
        again.addHook("/usr/lib/facet/bin/facet-hook", RUN);
        assertEquals(once, again.text());
    }

    private static void assertRefused(String text, String why) {
        ControlException refused =
                assertThrows(
                        ControlException.class,
                        () -> ContainerConfig.parse(text).addHook("/hook", RUN));
        assertTrue(String.valueOf(refused.getMessage()).contains(why), refused.getMessage());
    }

    @Test
    void whatIsNoConfigIsRefused() {
        assertRefused("{\"process\"", "config.json is not JSON: ");
        assertRefused("[]", "config.json is not a JSON object");
        assertRefused("", "config.json is not a JSON object");
        assertRefused("{\"a\":1,\"a\":2}", "config.json is not JSON: Duplicate");
        assertRefused("{\"hooks\":[]}", "'hooks' in config.json is not an object");
        assertRefused("{\"hooks\":{\"poststop\":{}}}", "'hooks.poststop' in config.json is not");
        ControlException refused =
                assertThrows(
                        ControlException.class,
                        () -> ContainerConfig.parse("{}").addHook("hook", RUN));
        assertTrue(String.valueOf(refused.getMessage()).contains("must be absolute"));
    }
}

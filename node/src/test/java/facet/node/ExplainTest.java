package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.doors.control.ControlException;
import facet.slices.Setting;
import facet.slices.Settings;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the daemon says about where slices go. */
@Timeout(300)
@SuppressWarnings("try") // closing may be interrupted
class ExplainTest {
    @TempDir Path folder;

    private static Settings settings(String memory, String compute) {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        values.put(Setting.MEMORY, memory);
        values.put(Setting.COMPUTE, compute);
        return new Settings(values);
    }

    @Test
    void saysWhyASliceIsWhereItIsAndAnotherNowhere() throws Exception {
        try (TestDaemon test = new TestDaemon(folder, "--devices", "256M,128M")) {
            Daemon daemon = test.daemon();
            daemon.keep("a", settings("64M", "80"));
            daemon.keep("b", settings("64M", "75"));
            Map<String, Object> there = daemon.explainPlace("b", Settings.NONE);
            assertEquals(List.of(1), there.get("onDevices"));
            assertTrue(
                    String.valueOf(there.get("placed")).startsWith("least promised: device 1"),
                    there::toString);
            assertEquals(List.of(1), there.get("chosen"));

            Map<String, Object> wanted = daemon.explainPlace("", settings("64M", "30"));
            assertEquals(0, wanted.get("fits"));
            assertEquals(
                    List.of(
                            "2 devices have the memory, but no 300/1000 of compute: the largest"
                                    + " rest is 250"),
                    wanted.get("summary"));
            assertEquals(
                    List.of(
                            "1 device has less than 200 MiB of device memory free: the most is"
                                    + " 128 MiB",
                            "1 device has the memory, but no 300/1000 of compute: the largest rest"
                                    + " is 200"),
                    daemon.explainPlace("c", settings("200M", "30")).get("summary"));
            // Nothing was made of what was asked.
            assertEquals(3, daemon.slices().size());

            assertEquals(
                    "there is no slice 'aa'; did you mean 'a'? Say what it would have, such as"
                            + " memory and compute",
                    assertThrows(
                                    ControlException.class,
                                    () -> daemon.explainPlace("aa", Settings.NONE))
                            .getMessage());
            assertThrows(
                    ControlException.class, () -> daemon.explainPlace("a", settings("1M", "1")));
            assertThrows(
                    ControlException.class,
                    () -> daemon.explainPlace("no name", settings("1M", "1")));
        }
    }
}

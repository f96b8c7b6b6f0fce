package facet.kube.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written on pods is read exactly, or not at all. */
class PlacementTest {
    private static final Map<String, Integer> DEVICES = Map.of("GPU-a", 0, "GPU-b", 1);

    private static Map<String, String> settings(String container) throws Exception {
        return Objects.requireNonNull(
                        Placement.parse(
                                        "{\"by\":\"x\",\"containers\":{\"main\":"
                                                + container
                                                + "}}")
                                .get("main"))
                .settings(DEVICES);
    }

    @Test
    void becomesSettingsOfASlice() throws Exception {
        assertEquals(
                Map.of(
                        "memory", "1073741824",
                        "device", "1,0",
                        "compute", "25",
                        "policy", "burst",
                        "priority", "7"),
                settings(
                        "{\"devices\":[\"GPU-b\",\"GPU-a\"],\"memory\":1073741824,"
                                + "\"thousandths\":255,\"policy\":\"burst\",\"priority\":7}"));
        assertEquals(
                Map.of("memory", "5", "device", "0"),
                settings(
                        "{\"devices\":[\"GPU-a\"],\"memory\":5,\"thousandths\":9,"
                                + "\"policy\":\"fixed\"}"),
                "less than a percent is no promise");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"memory\":5}",
                "{\"devices\":[\"GPU-a\"]}",
                "{\"devices\":[\"GPU-c\"],\"memory\":5}",
                "{\"devices\":[\"GPU-a\"],\"memory\":-5}",
                "{\"devices\":[\"GPU-a\"],\"memory\":18446744073709551621}",
                "{\"devices\":[\"GPU-a\"],\"memory\":5.5}",
                "{\"devices\":[\"GPU-a\"],\"memory\":\"5\"}",
                "{\"devices\":[\"GPU-a\"],\"memory\":5,\"thousandths\":4294967297}",
                "{\"devices\":[\"GPU-a\"],\"memory\":5,\"thousandths\":1001}",
                "{\"devices\":[\"GPU-a\"],\"memory\":5,\"priority\":-1}",
                "{"
            })
    void nonsenseIsRefused(String container) {
        assertThrows(Placement.WrongPlacement.class, () -> settings(container));
    }
}

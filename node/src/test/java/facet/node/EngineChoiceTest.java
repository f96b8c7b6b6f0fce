package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.slices.Engine;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Slice;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which engine a slice has, and why. */
class EngineChoiceTest {
    private static Slice slice(String engine) {
        return new Settings(Map.of(Setting.ENGINE, engine))
                .slice("one", new Settings.Whole(1 << 20, 1));
    }

    private static void assertChoice(Engine wanted, String reason, EngineChoice choice) {
        assertEquals(wanted, choice.engine());
        assertTrue(choice.reason().contains(reason), choice.reason());
    }

    @Test
    void whatTheSliceSaysCounts() {
        assertChoice(Engine.DIRECT, "no boundary", EngineChoice.of(slice("direct"), true, false));
        assertChoice(
                Engine.FORWARDED, "says so", EngineChoice.of(slice("forwarded"), false, false));
    }

    @Test
    void automatic() {
        assertChoice(Engine.FORWARDED, "software GPU", EngineChoice.of(slice("auto"), true, false));
        assertChoice(Engine.FORWARDED, "strangers", EngineChoice.of(slice("auto"), false, true));
        assertChoice(Engine.DIRECT, "lowest latency", EngineChoice.of(slice("auto"), false, false));
    }
}

package facet.slices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.sched.Policy;
import facet.sched.Terms;
import java.time.Duration;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
    private static final Settings.Whole WHOLE = new Settings.Whole(1L << 30, 1);

    /** From words such as {@code compute=30 policy=burst}. */
    private static Settings settings(String words) {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        for (String word : words.isBlank() ? new String[0] : words.strip().split(" ", -1)) {
            String[] parts = word.split("=", 2);
            values.put(Setting.of(parts[0]).orElseThrow(), parts[1].replace('_', ' '));
        }
        return new Settings(values);
    }

    private static Terms terms(String words) {
        return settings(words).slice("a", WHOLE).terms();
    }

    @Test
    void engines() {
        Slice slice = settings("engine=direct strict=yes").slice("a", WHOLE);
        assertEquals(new Driving(Engine.DIRECT, true), slice.driving());
        assertEquals(Driving.USUAL, settings("").slice("a", WHOLE).driving());
        assertEquals(Driving.USUAL, settings("engine=auto strict=no").slice("a", WHOLE).driving());
        // What is usual is not written down.
        assertEquals("direct", Settings.describe(slice, 1).get(Setting.ENGINE));
        assertTrue(
                !Settings.describe(settings("").slice("a", WHOLE), 1).containsKey(Setting.STRICT));
        assertEquals(slice.driving(), slice.withMemory(5).withName("b").driving());
        assertThrows(IllegalArgumentException.class, () -> settings("engine=fast"));
        assertThrows(IllegalArgumentException.class, () -> settings("strict=maybe"));
    }

    @Test
    void whatIsNotSaidIsLeftToTheNode() {
        assertEquals(new Slice("a", 1L << 30, 1, Terms.REST), Settings.NONE.slice("a", WHOLE));
        assertEquals(Terms.fixed(30), terms("compute=30"));
        assertEquals(Terms.burst(30), terms("compute=30% policy=burst"));
        assertEquals(Terms.priority(9), terms("priority=9"));
        assertEquals(Terms.turns(Duration.ofMillis(50)), terms("turn=50ms"));
        Terms tidal = terms("calendar=daily_8:00-9:00_50 compute=5");
        assertEquals(Policy.TIDAL, tidal.policy());
        assertEquals(ZoneId.systemDefault(), tidal.calendar().zone());
        assertEquals(
                ZoneId.of("Asia/Tokyo"),
                terms("calendar=daily_8:00-9:00_50 timeZone=Asia/Tokyo").calendar().zone());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "policy=fixed|needs compute",
                "compute=0|needs compute",
                "policy=burst turn=5ms|for the policy time-slice, not for burst",
                "turn=20s|1 ms to 10 s",
                "timeZone=UTC|for the calendar of the policy tidal",
                "policy=burst calendar=daily_8:00-9:00_50|a calendar is for the policy tidal",
                "priority=101|0 to 100",
                "memory=0|0 bytes",
                "devices=0|0 devices"
            })
    void whatDoesNotFitTogetherIsRefused(String words, String error) {
        IllegalArgumentException thrown =
                assertThrows(
                        IllegalArgumentException.class, () -> settings(words).slice("a", WHOLE));
        String message = String.valueOf(thrown.getMessage());
        assertTrue(message.contains(error), message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // what was said | what is said now | what holds
                "compute=30|compute=50|compute=50 policy=fixed",
                "''|compute=50|compute=50",
                "priority=9|compute=50|compute=50 policy=priority priority=9",
                "compute=30|priority=5|compute=30 policy=fixed priority=5",
                "compute=30 policy=burst|policy=fixed|compute=30 policy=fixed",
                "calendar=daily_8:00-9:00_5 timeZone=UTC compute=3|policy=burst|compute=3 policy=burst",
                "turn=50ms|policy=burst|policy=burst",
                "turn=50ms|memory=1G|memory=1G policy=time-slice turn=50ms",
                "memory=1G|memory=2G|memory=2G"
            })
    void aChangeKeepsWhatItDoesNotName(String before, String change, String after) {
        assertEquals(settings(after), settings(before).changed(settings(change)));
    }

    @Test
    void amountsHaveOneForm() {
        assertEquals(settings("memory=1024M"), settings("memory=1GiB"));
        assertEquals(settings("compute=30"), settings("compute=30_%"));
        assertEquals(settings("turn=0.02s"), settings("turn=20_ms"));
        assertEquals("1500us", Span.text(Span.parse("1.5ms")));
        assertEquals("3s", Span.text(Span.parse("3000ms")));
        assertEquals("1536MiB", Size.exact(Size.parse("1.5G")));
        assertEquals("1001", Size.exact(1001));
        assertEquals("0", Size.exact(0));
        assertEquals("5TiB", Size.exact(5L << 40));
        assertEquals("5120TiB", Size.exact(5L << 50));
    }
}

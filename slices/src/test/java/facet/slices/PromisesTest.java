package facet.slices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.sched.Calendar;
import facet.sched.Policy;
import facet.sched.Terms;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PromisesTest {
    /** A Wednesday, noon in Berlin. */
    private static final Instant NOW = Instant.parse("2026-11-18T11:00:00Z");

    private static Optional<String> broken(List<Slice> slices, Instant now) {
        return Promises.broken(slices, now, "the device");
    }

    private static Slice slice(String name, Terms terms) {
        return new Slice(name, 1, 1, terms);
    }

    private static Slice tidal(String name, String calendar, String zone, int otherwise) {
        return slice(
                name,
                new Terms(
                        Policy.TIDAL,
                        otherwise,
                        0,
                        Terms.DEFAULT_TURN,
                        Calendar.parse(calendar, ZoneId.of(zone)),
                        0));
    }

    @Test
    void allOfTheDeviceCanBePromised() {
        List<Slice> slices =
                List.of(
                        slice("a", Terms.fixed(60)),
                        slice("b", Terms.burst(40)),
                        slice("c", Terms.priority(90)),
                        slice("d", Terms.REST));
        assertEquals(Optional.empty(), broken(slices, NOW));
        assertEquals(Optional.empty(), broken(List.of(), NOW));
    }

    @Test
    void moreThanThatIsRefusedWithNames() {
        String error =
                broken(
                                List.of(
                                        slice("a", Terms.fixed(60)),
                                        slice("b", Terms.burst(41)),
                                        slice("c", Terms.REST)),
                                NOW)
                        .orElseThrow();
        assertTrue(error.startsWith("101% of the device would be promised: a 60%, b 41%;"), error);
        assertTrue(!error.contains(" c "), error);
    }

    @Test
    void everyMomentOfTheWeekCounts() {
        Slice day = tidal("day", "mon-fri 08:00-20:00 80", "Europe/Berlin", 10);
        Slice night = tidal("night", "daily 20:00-08:00 80", "Europe/Berlin", 20);
        assertEquals(Optional.empty(), broken(List.of(day, night), NOW));
        Slice tokyo = tidal("tokyo", "tue 03:00-04:00 30", "Asia/Tokyo", 0);
        String error = broken(List.of(day, night, tokyo), NOW).orElseThrow();
        assertTrue(
                error.contains("130% of the device would be promised on Tue 03:00 Asia/Tokyo"),
                error);
        assertTrue(error.contains("day 80%, tokyo 30%, night 20%"), error);
    }

    @Test
    void ofManyTheLargestAreNamed() {
        List<Slice> many = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            many.add(slice("slice-" + i, Terms.burst(i < 8 ? 12 : 1)));
        }
        String error = broken(many, NOW).orElseThrow();
        assertTrue(error.contains("slice-7 12%, 52 more;"), error);
        assertTrue(error.length() < 600, error);
    }
}

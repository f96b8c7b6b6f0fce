package facet.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CalendarTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private final Calendar calendar =
            Calendar.parse(
                    "mon-fri 08:00-20:00 80; sat,sun 22:00-02:00 50; daily 02:00-04:00=10%",
                    BERLIN);

    @ParameterizedTest
    @CsvSource({
        "2026-11-16T07:00:00Z, 80", // Monday 08:00 in Berlin
        "2026-11-16T06:59:59Z, -1",
        "2026-11-16T18:59:59Z, 80",
        "2026-11-16T19:00:00Z, -1",
        "2026-11-14T21:00:00Z, 50", // Saturday 22:00
        "2026-11-16T00:30:00Z, 50", // Monday 01:30: since Sunday
        "2026-11-16T01:00:00Z, 10", // Monday 02:00
        "2026-07-13T06:00:00Z, 80", // in summer 08:00 is two hours earlier
        "2026-07-13T05:59:00Z, -1"
    })
    void theFirstEntryThatFitsHolds(Instant moment, int percent) {
        assertEquals(
                percent < 0 ? OptionalInt.empty() : OptionalInt.of(percent), calendar.at(moment));
    }

    @Test
    void nextChangeIsWhereSomethingChanges() {
        Instant moment = Instant.parse("2026-11-13T12:00:00Z");
        for (int i = 0; i < 40; i++) {
            Instant next = calendar.nextChange(moment);
            assertEquals(calendar.at(moment), calendar.at(next.minusSeconds(1)), "until " + next);
            moment = next;
        }
    }

    @Test
    void whatIsPrintedIsRead() {
        assertEquals(calendar, Calendar.parse(calendar.text(), BERLIN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mon 8-20 80",
                "mnd 08:00-20:00 80",
                "mon 25:00-26:00 10",
                "mon 08:00-20:00 101",
                "08:00-20:00 80",
                "mon-tue-wed 08:00-09:00 1"
            })
    void whatIsWrongIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Calendar.parse(text, BERLIN));
    }

    @Test
    void tidalTermsFollowIt() {
        Terms terms = new Terms(Policy.TIDAL, 20, 0, Terms.DEFAULT_TURN, calendar, 0);
        assertEquals(80, terms.promised(Instant.parse("2026-11-16T12:00:00Z")));
        assertEquals(20, terms.promised(Instant.parse("2026-11-16T22:00:00Z")));
        assertEquals(0.8, terms.at(Instant.parse("2026-11-16T12:00:00Z")).guarantee());
    }

    @Test
    void daysAreWrittenAsPeopleWriteThem() {
        for (String text :
                List.of(
                        "mon-fri 08:00-20:00 80; sat,sun 10:00-24:00 5",
                        "mon-wed,fri-sun 22:00-06:00 3",
                        "mon,tue,thu 00:00-24:00 1; daily 02:00-04:00 10")) {
            assertEquals(text, Calendar.parse(text, BERLIN).text());
        }
    }
}

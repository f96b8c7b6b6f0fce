package facet.doors.history;

import static facet.doors.history.FakeSource.MILLI;
import static facet.doors.history.FakeSource.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryTest {
    private static final long EPOCH = 1_700_000_000L;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final FakeSource source = new FakeSource(2);
    private final History history = new History(source, 0);

    private void sampleAfter(long nanos) {
        source.nanos += nanos;
        history.sample(source.nanos, source.wall());
    }

    private JsonNode ask(int seconds, int step, long since) throws IOException {
        return MAPPER.readTree(history.answer(new Query(seconds, step, since), source.wall()));
    }

    private JsonNode slice(JsonNode answer, String name) {
        for (JsonNode each : answer.path("slices")) {
            if (each.path("name").asText().equals(name)) {
                return each;
            }
        }
        throw new AssertionError("no slice " + name + " in " + answer);
    }

    @Test
    void percentAreOfTheTimeThatHasReallyPassed() throws IOException {
        FakeSource.FakeSlice slice = source.open("a", 1);
        slice.promised = 30;
        sampleAfter(SECOND);
        // Half a second of device time, on a device that has two a second.
        slice.deviceNanos[0] += 500 * MILLI;
        slice.waited = OptionalLong.of(250 * MILLI);
        slice.memory[0] = 3 << 20;
        sampleAfter(SECOND);
        slice.deviceNanos[0] += 500 * MILLI;
        sampleAfter(1250 * MILLI);
        JsonNode answer = ask(10, 1, 0);
        assertEquals(EPOCH + 1, answer.path("start").asLong());
        assertEquals("[0,25,20]", slice(answer, "a").path("got").toString());
        assertEquals("[30,30,30]", slice(answer, "a").path("wanted").toString());
        assertEquals("[0,25,0]", slice(answer, "a").path("waiting").toString());
        assertEquals("[0,3145728,3145728]", slice(answer, "a").path("memoryUsed").toString());
        assertEquals("[0,25,20]", answer.path("devices").path(0).path("busy").toString());
        assertEquals("[0,0,0]", answer.path("devices").path(1).path("busy").toString());
        assertEquals(
                "[0,3145728,3145728]",
                answer.path("devices").path(0).path("memoryUsed").toString());
    }

    @Test
    void aSliceOfSeveralDevicesHasPercentOfAllOfThem() throws IOException {
        FakeSource.FakeSlice slice = source.open("a", 2);
        slice.deviceNanos[1] = SECOND;
        sampleAfter(SECOND);
        JsonNode answer = ask(1, 1, 0);
        assertEquals("[25]", slice(answer, "a").path("got").toString());
        assertEquals("[0]", answer.path("devices").path(0).path("busy").toString());
        assertEquals("[50]", answer.path("devices").path(1).path("busy").toString());
        History.Latest latest = history.latest().get("a");
        assertEquals("[0.0, 50.0]", String.valueOf(latest == null ? "" : latest.gotOn()));
        assertEquals(Optional.of(50.0), history.busy(1));
        assertEquals("{\"0\":[0],\"1\":[50]}", slice(answer, "a").path("gotOn").toString());
    }

    @Test
    void whatASliceHadStaysWithTheDeviceThatItLeft() throws IOException {
        FakeSource.FakeSlice first = source.openOn("a", List.of(0));
        first.deviceNanos[0] = SECOND;
        sampleAfter(SECOND);
        // As a slice does that moves: what it had is counted as gone, and it begins anew.
        source.end(first);
        FakeSource.FakeSlice then = source.openOn("a", List.of(1));
        then.deviceNanos[0] = SECOND / 2;
        sampleAfter(SECOND);
        JsonNode answer = ask(2, 1, 0);
        assertEquals("[50,25]", slice(answer, "a").path("got").toString());
        assertEquals(
                "{\"0\":[50,null],\"1\":[null,25]}", slice(answer, "a").path("gotOn").toString());
        assertEquals("[50,0]", answer.path("devices").path(0).path("busy").toString());
        assertEquals("[0,25]", answer.path("devices").path(1).path("busy").toString());
    }

    @Test
    void aSliceHasSamplesFromItsFirstSecondOn() throws IOException {
        sampleAfter(SECOND);
        source.nanos += 600 * MILLI;
        FakeSource.FakeSlice slice = source.open("late", 1);
        slice.deviceNanos[0] = 400 * MILLI;
        sampleAfter(400 * MILLI);
        assertEquals("[null,50]", slice(ask(5, 1, 0), "late").path("got").toString());
    }

    @Test
    void aSecondWithoutASampleIsNull() throws IOException {
        FakeSource.FakeSlice slice = source.open("a", 1);
        sampleAfter(SECOND);
        slice.deviceNanos[0] = 3 * SECOND;
        sampleAfter(3 * SECOND);
        JsonNode answer = ask(10, 1, 0);
        assertEquals("[0,null,null,50]", slice(answer, "a").path("got").toString());
        assertEquals("[0,null,null,50]", answer.path("devices").path(0).path("busy").toString());
    }

    @Test
    void oldFiguresAreNotTakenForNewOnes() throws IOException {
        FakeSource.FakeSlice slice = source.open("worker", 1);
        slice.waited = OptionalLong.empty();
        sampleAfter(SECOND);
        slice.measured = source.nanos + 800 * MILLI;
        slice.deviceNanos[0] = 800 * MILLI;
        sampleAfter(SECOND);
        sampleAfter(SECOND);
        slice.measured = source.nanos + 800 * MILLI;
        slice.deviceNanos[0] += 2 * SECOND;
        sampleAfter(SECOND);
        JsonNode row = slice(ask(10, 1, 0), "worker");
        assertEquals("[0,50,null,50]", row.path("got").toString());
        assertEquals("[null,null,null,null]", row.path("waiting").toString());
    }

    @Test
    void whatHasEndedMeanwhileKeptTheDeviceBusy() throws IOException {
        FakeSource.FakeSlice known = source.open("known", 1);
        known.deviceNanos[0] = SECOND;
        sampleAfter(SECOND);
        known.deviceNanos[0] += 200 * MILLI;
        source.end(known);
        FakeSource.FakeSlice brief = source.open("brief", 1);
        brief.deviceNanos[0] = 600 * MILLI;
        source.end(brief);
        sampleAfter(SECOND);
        sampleAfter(SECOND);
        JsonNode answer = ask(10, 1, 0);
        assertEquals("[50,40,0]", answer.path("devices").path(0).path("busy").toString());
        assertEquals("[50,null,null]", slice(answer, "known").path("got").toString());
        assertTrue(history.latest().isEmpty());
    }

    @Test
    void aNameThatIsUsedAgainIsAnotherSlice() throws IOException {
        FakeSource.FakeSlice first = source.open("a", 1);
        first.deviceNanos[0] = SECOND;
        sampleAfter(SECOND);
        source.end(first);
        FakeSource.FakeSlice second = source.open("a", 2);
        second.deviceNanos[1] = SECOND;
        sampleAfter(SECOND);
        JsonNode answer = ask(10, 1, 0);
        assertEquals("[50,25]", slice(answer, "a").path("got").toString());
        assertEquals("[50,0]", answer.path("devices").path(0).path("busy").toString());
        assertEquals("[0,50]", answer.path("devices").path(1).path("busy").toString());
    }

    @Test
    void aStepIsTheMeanOfItsSamples() throws IOException {
        FakeSource.FakeSlice slice = source.open("a", 1);
        for (int i = 1; i <= 12; i++) {
            slice.deviceNanos[0] += i * 20L * MILLI;
            slice.memory[0] = (long) i << 20;
            sampleAfter(SECOND);
        }
        // Points of 5 s begin where seconds since 1970 can be divided by 5: at 0, 5, 10.
        JsonNode answer = ask(3600, 5, 0);
        assertEquals(EPOCH, answer.path("start").asLong());
        assertEquals(5, answer.path("step").asInt());
        // 1 to 4, and 5 to 9 percent; the point of 10 to 14 is not over.
        assertEquals("[2.5,7]", slice(answer, "a").path("got").toString());
        assertEquals("[2621440,7340032]", slice(answer, "a").path("memoryUsed").toString());
    }

    @Test
    void sinceGivesOnlyWhatIsNew() throws IOException {
        source.open("a", 1);
        for (int i = 0; i < 8; i++) {
            sampleAfter(SECOND);
        }
        JsonNode all = ask(3600, 1, 0);
        assertEquals(8, slice(all, "a").path("got").size());
        JsonNode more = ask(3600, 1, EPOCH + 6);
        assertEquals(EPOCH + 7, more.path("start").asLong());
        assertEquals(2, slice(more, "a").path("got").size());
        JsonNode none = ask(3600, 1, EPOCH + 8);
        assertEquals(0, none.path("devices").path(0).path("busy").size());
        sampleAfter(SECOND);
        assertEquals(1, ask(3600, 1, EPOCH + 8).path("devices").path(0).path("busy").size());
    }

    @Test
    void anHourIsKept() throws IOException {
        FakeSource.FakeSlice gone = source.open("gone", 1);
        FakeSource.FakeSlice slice = source.open("stays", 1);
        for (int i = 1; i <= 10; i++) {
            sampleAfter(SECOND);
        }
        source.end(gone);
        for (int i = 11; i <= 3605; i++) {
            slice.deviceNanos[0] += (i % 2) * 200L * MILLI;
            sampleAfter(SECOND);
        }
        JsonNode answer = ask(3600, 1, 0);
        assertEquals(3600, slice(answer, "stays").path("got").size());
        assertEquals(EPOCH + 6, answer.path("start").asLong());
        assertEquals(10, slice(answer, "stays").path("got").path(3599).asInt());
        assertEquals(0, slice(answer, "stays").path("got").path(3598).asInt());
        assertTrue(slice(answer, "gone").path("got").path(4).isNumber());
        assertTrue(slice(answer, "gone").path("got").path(5).isNull());
        for (int i = 0; i < 10; i++) {
            sampleAfter(SECOND);
        }
        assertFalse(ask(3600, 1, 0).toString().contains("gone"));
    }

    @Test
    void thoseThatAreGoneMakeRoom() throws IOException {
        History small = new History(source, 0, 2);
        for (String each : new String[] {"one", "two", "three"}) {
            FakeSource.FakeSlice slice = source.open(each, 1);
            source.nanos += SECOND;
            small.sample(source.nanos, source.wall());
            source.end(slice);
            source.nanos += SECOND;
            small.sample(source.nanos, source.wall());
        }
        JsonNode answer = MAPPER.readTree(small.answer(new Query(3600, 1, 0), source.wall()));
        assertEquals(2, answer.path("slices").size());
        assertEquals("two", answer.path("slices").path(0).path("name").asText());
        assertEquals("three", answer.path("slices").path(1).path("name").asText());
    }

    @Test
    void aClockThatIsSetMovesAllOfIt() throws IOException {
        sampleAfter(SECOND);
        sampleAfter(SECOND);
        source.epoch += 1;
        sampleAfter(SECOND);
        assertEquals(EPOCH + 1, ask(10, 1, 0).path("start").asLong(), "clocks round");
        source.epoch -= 3600;
        sampleAfter(SECOND);
        assertEquals(EPOCH + 1 + 1 - 3600, ask(10, 1, 0).path("start").asLong());
        assertEquals(4, ask(10, 1, 0).path("devices").path(0).path("busy").size());
    }

    /** The time is printed; only something that is quite wrong fails. */
    @Test
    void anHourOfManySlicesIsAnsweredSoon() throws IOException {
        for (int i = 0; i < 64; i++) {
            source.open("slice-" + i, 1).promised = i;
        }
        long sampling = System.nanoTime();
        for (int second = 0; second < 3600; second++) {
            for (int i = 0; i < 64; i++) {
                source.slices.get(i).deviceNanos[0] += (second * 31L + i * 17L) % 100 * MILLI;
                source.slices.get(i).memory[0] = (long) (second % 60 + i) << 20;
            }
            sampleAfter(SECOND);
        }
        sampling = System.nanoTime() - sampling;
        long best = Long.MAX_VALUE;
        int bytes = 0;
        for (int i = 0; i < 20; i++) {
            long start = System.nanoTime();
            bytes = history.answer(new Query(3600, 1, 0), source.wall()).length;
            best = Math.min(best, System.nanoTime() - start);
        }
        System.out.printf(
                "a sample of 64 slices %.1f us; an hour of them, %d bytes, %.1f ms%n",
                sampling / 3600.0 / 1e3, bytes, best / 1e6);
        assertTrue(bytes > 64 * 3600 * 4, "bytes " + bytes);
        assertTrue(best < 2_000_000_000L, "nanoseconds " + best);
    }

    @Test
    void nothingIsKnownBeforeTheFirstSample() throws IOException {
        JsonNode answer = ask(600, 1, 0);
        assertEquals(0, answer.path("devices").path(0).path("busy").size());
        assertEquals(0, answer.path("slices").size());
        assertEquals(Optional.empty(), history.busy(0));
    }

    @ParameterizedTest
    @CsvSource({"0,1,0", "3601,1,0", "1,0,0", "1,3601,0", "1,1,-1"})
    void nonsenseIsRefused(int seconds, int step, long since) {
        assertThrows(IllegalArgumentException.class, () -> new Query(seconds, step, since));
    }
}

package facet.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.place.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes that serve by day and train by night. */
final class TurnsTest {
    private static final long HOUR = 3600;

    @TempDir private Path folder = Path.of("");

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    /** Four nodes with a device each; three serve from 8 to 20, one does at night. */
    private void cluster(String times) throws IOException {
        StringBuilder nodes = new StringBuilder("name,model,devices,cpu_milli,memory_mib,pool\n");
        for (int i = 0; i < 4; i++) {
            nodes.append("n%d,x,1,8000,99,%s\n".formatted(i, i < 3 ? "serve" : "train"));
        }
        write("nodes.csv", nodes.toString());
        write(
                "tides.csv",
                "from,pool,nodes,drain,patience\n"
                        + "08:00,serve,3,%s\n08:00,train,1,%s\n".formatted(times, times)
                        + "20:00,serve,1,%s\n20:00,train,3,%s\n".formatted(times, times));
    }

    /** By day services of an hour each, whose last ones are there at eight; then training. */
    private void tasks(String leaving, long hours) throws IOException {
        StringBuilder tasks =
                new StringBuilder(
                        "name,devices,thousandths,cpu_milli,memory_mib,arrives,leaves,pool,leaving,"
                                + "grace\n");
        for (int i = 0; i < 3; i++) {
            long arrives = 18 * HOUR + 30 * 60 + i;
            tasks.append(
                    "s%d,1,1000,1,1,%d,%d,serve,%s,60\n"
                            .formatted(i, arrives, arrives + hours * HOUR, leaving));
            tasks.append(
                    "t%d,1,1000,1,1,%d,%d,train,%s,60\n"
                            .formatted(i, arrives, arrives + 2 * HOUR, leaving));
        }
        write("tasks.csv", tasks.toString());
    }

    private Replay run() throws TraceException {
        return Replay.run(TraceFiles.read(folder), Policies.named("facet"), "reserve", 1);
    }

    @Test
    void whoEndsByItselfIsNeverToldToLeave() throws Exception {
        cluster("3600,3600");
        tasks("restarts", 2);
        Replay replay = run();
        // Closed from 19:00, they end at 20:30, before the patience is over at 21:00.
        assertEquals(new Turns(2, 2, 2, 0), replay.turns());
        assertEquals(0, replay.preemptions());
        assertEquals(0, replay.lost());
        assertEquals(0, replay.never());
    }

    @Test
    void withoutDrainingTheSameTasksAreEnded() throws Exception {
        cluster("0,0");
        tasks("restarts", 2);
        Replay replay = run();
        assertEquals(2, replay.turns().told());
        assertEquals(2, replay.turns().changed());
        assertTrue(replay.lost() > 0, "what they did until then is lost");
        assertEquals(0, replay.never());
    }

    @Test
    void whoWouldStayTooLongLeavesAndBeginsAnew() throws Exception {
        cluster("3600,3600");
        tasks("restarts", 8);
        Replay replay = run();
        assertEquals(2, replay.turns().told());
        assertEquals(2, replay.preemptions());
        assertEquals(0, replay.never());
    }

    @Test
    void whoMayNotBeEndedKeepsItsNode() throws Exception {
        cluster("3600,3600");
        tasks("never", 5);
        Replay replay = run();
        assertEquals(0, replay.turns().told());
        assertEquals(2, replay.turns().endedByThemselves());
        assertEquals(0, replay.never());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "8:00,serve,4; should be a time of the day",
                "24:00,serve,4; should be a time of the day",
                "08:00,other,4; no node is in pool 'other'",
                "08:00,serve,-1; should be a number from 0",
                "08:00,serve,NaN; should be a number from 0",
                "08:00,serve,2; have 2 nodes by day, and there are 3",
                "''; a tide without turns"
            })
    void saysWhatIsWrongWithACalendar(String line, String why) throws Exception {
        cluster("60,60");
        tasks("restarts", 1);
        write("tides.csv", "from,pool,nodes\n" + line + "\n");
        String message =
                String.valueOf(
                        assertThrows(TraceException.class, () -> TraceFiles.read(folder))
                                .getMessage());
        assertTrue(message.contains(why), message);
    }
}

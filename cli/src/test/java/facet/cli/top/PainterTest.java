package facet.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;

class PainterTest {
    private static final View VIEW = View.between(Samples.before(), Samples.after());

    private static String text(List<AttributedString> lines) {
        return lines.stream()
                .map(each -> each.toString().stripTrailing() + "\n")
                .collect(Collectors.joining());
    }

    private static String screen(View view, State state, int columns, int rows) {
        Painter.Screen screen = new Painter(Theme.PLAIN, columns).screen(view, state, rows);
        assertTrue(screen.lines().size() <= rows, () -> text(screen.lines()));
        screen.lines().forEach(each -> assertTrue(each.length() <= columns, each::toString));
        return text(screen.lines());
    }

    @Test
    void eightyColumns() {
        assertEquals(
                """
                facet top  3 slices, 2 programs, last 2.0 s
                GPU 0 busy [##################.......]  70%  Facet Software GPU
                      mem  [#############oooooo......] 6G of 8G, resident 4G, on host 2G
                SLICE               SHARE   GOT  WAIT   USED  LIMIT  RESID LAUNCH/S FAULTS PROGS
                training              60%   60%   10%     6G     8G     4G      12k      0     2
                a-slice-with-quite~   10%   10%     -   1.5K   1.5G      -      3.5      2     1
                default                0%    0%    0%     0B     8G      -        0      0     0

                PROGRAM                     PID  SLICE                      GOT    USED LAUNCH/S
                train                      4242  training                   60%      1K      12k
                render                     4300  a-slice-with-quite-a-l~    10%    1.5K      3.5



                q quit  s sort: GOT  r reverse  p pause  ? help
                """,
                screen(VIEW, State.FIRST, 80, 15));
    }

    @Test
    void wideAndSortedByAnotherColumn() {
        State state = State.FIRST;
        while (!state.sortName().equals("FAULTS")) {
            state = state.press(State.Key.SORT, 10, 10);
        }
        assertEquals(
                """
                facet top  3 slices, 2 programs, last 2.0 s
                GPU 0 busy  70%  mem  [####################oooooooooo..........] 6G of 8G, resident 4G, on host 2G
                SLICE                                POLICY PRIO SHARE   GOT  WAIT   USED  LIMIT  RESID LAUNCH/S FAULTS PROGS
                a-slice-with-quite-a-long-name   time-slice    0   10%   10%     -   1.5K   1.5G      -      3.5      2     1
                default                               burst    0    0%    0%    0%     0B     8G      -        0      0     0
                training                              burst    0   60%   60%   10%     6G     8G     4G      12k      0     2
                q quit  s sort: FAULTS  r reverse  p pause  ? help  4 more below
                """,
                screen(VIEW, state, 120, 7));
    }

    @Test
    void threeDevices() {
        View view = View.between(Samples.three(10, 0), Samples.three(12, 3_000_000_000L));
        assertEquals(
                """
                facet top  1 slice, 0 programs, last 2.0 s, all devices 25% busy
                GPU 0 busy [.........................]   0%  Facet Software GPU
                      mem  [.........................] 0B of 8G, resident 0B, on host 0B
                GPU 1 busy [###################......]  75%  Facet Software GPU
                      mem  [.........................] 0B of 8G, resident 0B, on host 0B
                GPU 2 busy [.........................]   0%  Facet Software GPU
                      mem  [.........................] 0B of 8G, resident 0B, on host 0B
                SLICE               SHARE   GOT  WAIT   USED  LIMIT  RESID LAUNCH/S FAULTS PROGS
                default                0%   25%   25%     0B     8G      -        0      1     1

                LAST FAULTS
                default             bad (7): fault: an illegal address






                q quit  s sort: GOT  r reverse  p pause  ? help
                """,
                screen(view, State.FIRST, 80, 19));
        assertEquals(75.0, Report.of(view).path("devices").path(1).path("utilisation").asDouble());
        assertEquals(25.0, Report.of(view).path("utilisation").asDouble());
    }

    @Test
    void narrowAndLow() {
        assertEquals(
                """
                facet top  3 slices, 2 programs, last 2.0
                SLICE             SHARE   GOT  WAIT   USED
                a-slice-with-qui~   10%   10%     -   1.5K
                q quit  s sort: GOT  r reverse  p pause  ~
                """,
                screen(VIEW, State.FIRST.press(State.Key.DOWN, 7, 1), 42, 4));
    }

    @Test
    void anySizeWillDo() {
        for (int columns = 20; columns < 200; columns += 7) {
            for (int rows = 1; rows < 40; rows++) {
                screen(VIEW, State.FIRST, columns, rows);
                screen(VIEW, State.FIRST.press(State.Key.HELP, 1, 1), columns, rows);
            }
        }
    }

    @Test
    void oneLineOfTheTableIsAlwaysThere() {
        for (int rows = 3; rows < 40; rows++) {
            assertTrue(screen(VIEW, State.FIRST, 80, rows).contains("training"), "rows " + rows);
        }
    }

    @Test
    void whatIsNotKnownIsADash() {
        View first = View.between(Samples.many(1), Samples.many(1));
        assertEquals(
                """
                GPU 0 busy [.........................]    -  Facet Software GPU
                      mem  [#############oooooo......] 6G of 8G, resident 4G, on host 2G
                SLICE               SHARE   GOT  WAIT   USED  LIMIT  RESID LAUNCH/S FAULTS PROGS
                s000                    -     -     -      -      -      -        -      -     -
                """,
                text(new Painter(Theme.PLAIN, 80).all(first, State.FIRST)));
    }

    @Test
    void scrollingShowsTheRestAndStopsAtTheEnd() {
        View view = View.between(Samples.many(100), Samples.many(100));
        Painter painter = new Painter(Theme.PLAIN, 80);
        Painter.Screen screen = painter.screen(view, State.FIRST, 24);
        assertEquals(100, screen.body());
        assertEquals(19, screen.page());
        State end = State.FIRST;
        for (int i = 0; i < 20; i++) {
            end = end.press(State.Key.PAGE_DOWN, screen.body(), screen.page());
        }
        assertEquals(81, end.scroll());
        String text = screen(view, end, 80, 24);
        assertTrue(text.contains("s081") && text.contains("s099") && !text.contains("s080"), text);
        assertTrue(!text.contains("more below"), text);
        State up = end.press(State.Key.UP, screen.body(), screen.page());
        assertTrue(screen(view, up, 80, 24).contains("1 more below"));
    }

    @Test
    void jsonHasTheRowsAndTheRates() {
        assertEquals(
                Samples.json(
                        """
                        {'name':'a-slice-with-quite-a-long-name','memory':1610612736,
                         'memoryUsed':1536,'devices':1,'sessions':1,'launches':7,
                         'deviceNanos':400000000,'policy':'time-slice','promised':10,'priority':0,
                         'faults':2,'got':10.0,'launchesPerSecond':3.5}
                        """),
                Report.of(VIEW).path("slices").path(2));
        assertEquals(70.0, Report.of(VIEW).path("utilisation").asDouble());
    }
}

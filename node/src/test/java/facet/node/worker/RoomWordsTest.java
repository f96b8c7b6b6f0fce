package facet.node.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import facet.doors.control.ControlException;
import facet.doors.control.Request;
import facet.host.residency.Moves;
import facet.host.residency.RoomReport;
import facet.sched.Eviction;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomWordsTest {
    private static final RoomReport.Part PART = new RoomReport.Part(7, true, 8, 9, false);

    private static Request sent(Request request) throws ControlException {
        return Request.parse(request.line());
    }

    private static String report(String parts) {
        return "room device=0 number=1 holds=2 wants=3 spare=4 parts=" + parts;
    }

    @Test
    void whatIsSaidIsUnderstood() throws ControlException {
        for (int count : List.of(0, 1, RoomReport.MOST_PARTS)) {
            RoomReport report = new RoomReport(1, 2, 3, 4, Collections.nCopies(count, PART));
            Request request = sent(RoomWords.room(5, report));
            assertEquals(5, request.number("device"));
            assertEquals(report, RoomWords.report(request));
        }
        Moves moves = new Moves(1, 2, 3, 4);
        assertEquals(moves, RoomWords.moves(sent(RoomWords.residency(0, 5, 6, moves))));
        assertEquals(Eviction.STANDARD, RoomWords.eviction(RoomWords.text(Eviction.STANDARD)));
    }

    @Test
    void whatIsNoReportIsRefused() throws ControlException {
        assertEquals(1, RoomWords.report(Request.parse(report("1.0.2.3.1"))).parts().size());
        String tooMany = "1.0.2.3.1" + "_1.0.2.3.1".repeat(RoomReport.MOST_PARTS);
        for (String bad : List.of("1", "1.2.3.4", "x.0.2.3.1", "-1.0.2.3.1", "_", tooMany)) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> RoomWords.report(Request.parse(report(bad))),
                    bad);
        }
        assertThrows(
                ControlException.class,
                () -> RoomWords.report(Request.parse("room device=0 number=1 holds=-2")));
    }
}

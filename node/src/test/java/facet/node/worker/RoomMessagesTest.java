package facet.node.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.abi.worker.MalformedMessage;
import facet.abi.worker.Resident;
import facet.abi.worker.Room;
import facet.abi.worker.ToDaemon;
import facet.host.residency.Moves;
import facet.host.residency.RoomReport;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomMessagesTest {
    private static final RoomReport.Part PART = new RoomReport.Part(7, true, 8, 9, false);

    @Test
    void whatIsSaidIsUnderstood() throws MalformedMessage {
        for (int count : List.of(0, 1, RoomReport.MOST_PARTS)) {
            RoomReport report = new RoomReport(1, 2, 3, 4, Collections.nCopies(count, PART));
            Room room = (Room) ToDaemon.decode(RoomMessages.room(5, report).encode());
            assertEquals(5, room.device());
            assertEquals(report, RoomMessages.report(room));
        }
        Moves moves = new Moves(1, 2, 3, 4);
        Resident resident =
                (Resident) ToDaemon.decode(RoomMessages.resident(5, 6, 7, moves).encode());
        assertEquals(new Resident(5, 6, 7, 1, 2, 3, 4), resident);
        assertEquals(moves, RoomMessages.moves(resident));
    }

    @Test
    void theTableAllowsAsManyPartsAsThereAre() {
        assertEquals(RoomReport.MOST_PARTS, Room.MOST_PARTS);
    }

    /** Of a worker that was taken over. */
    @Test
    void figuresThatAreToldAgainAndAgainDoNotOverflow() {
        Moves moves =
                RoomMessages.moves(
                        new Resident(
                                0,
                                1,
                                2,
                                Long.MAX_VALUE,
                                Long.MAX_VALUE,
                                Long.MAX_VALUE,
                                Long.MAX_VALUE));
        Moves sum = Collections.nCopies(1000, moves).stream().reduce(Moves.NONE, Moves::plus);
        assertEquals(1000L << 42, sum.outBytes());
    }
}

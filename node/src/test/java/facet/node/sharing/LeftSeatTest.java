package facet.node.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Arbiter;
import facet.host.lease.SeatPage;
import facet.sched.Terms;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A seat that work of this process has left, while a worker process waits for one. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class LeftSeatTest {
    private final DeviceSharing board = new DeviceSharing(1);
    private final DeviceSharing.Member own =
            board.join(Terms.REST.at(Instant.EPOCH), false, Optional.empty());
    private final DeviceSharing.Member remote =
            board.join(Terms.REST.at(Instant.EPOCH), true, Optional.empty());
    private final MemorySegment memory = Arena.ofAuto().allocate(SeatPage.bytes(1), 64);
    private final SeatPage page = SeatPage.of(memory, 0, 1);
    private long alarm = SeatPage.NEVER;

    LeftSeatTest() {
        page.format();
        board.lendTo(remote, page);
        board.alarm(time -> alarm = Math.min(alarm, time));
    }

    @Test
    void isLentThoughItsThreadDoesNotAskAgain() {
        Arbiter.Seat seat = board.seat(0);
        long now = System.nanoTime();
        board.submit(own, 1, now);
        assertEquals(own, seat.mayRun(now));
        memory.set(ValueLayout.JAVA_INT, 0, 1); // the worker wants one
        board.attend();
        assertEquals(SeatPage.AWAY, page.state(0));
        alarm = SeatPage.NEVER;
        seat.ended(System.nanoTime());
        while (page.state(0) != SeatPage.LENT) {
            assertTrue(alarm < SeatPage.NEVER, "nobody looks at the seat again");
            if (System.nanoTime() >= alarm) {
                alarm = board.attend();
            }
        }
    }
}

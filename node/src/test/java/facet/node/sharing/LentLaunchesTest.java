package facet.node.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.host.lease.SeatPage;
import facet.sched.Terms;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Seats of a device that can only delay launches, lent to a worker process. */
final class LentLaunchesTest {
    private static final long MILLISECOND = 1_000_000;

    /** Of the seat's fields in the page. */
    private static final long STATE = 64;

    private static final long BUSY_NANOS = STATE + 16;

    private final DeviceSharing board = DeviceSharing.ofLaunches(1);
    private final DeviceSharing.Member remote =
            board.join(Terms.REST.at(Instant.EPOCH), true, Optional.empty());
    private final MemorySegment memory = Arena.ofAuto().allocate(SeatPage.bytes(1), 64);
    private final SeatPage page = SeatPage.of(memory, 0, 1);

    @Test
    void whatAWorkerMeasuredIsCharged() {
        page.format();
        board.lendTo(remote, page);
        memory.set(ValueLayout.JAVA_INT, 0, 1);
        board.attend();
        assertEquals(SeatPage.LENT, page.state(0));
        memory.set(ValueLayout.JAVA_INT, 0, 0);
        memory.set(ValueLayout.JAVA_INT, STATE, SeatPage.BUSY);
        long until = System.nanoTime() + 10 * MILLISECOND;
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
        // It had the seat for longer than the launch took the device.
        memory.set(ValueLayout.JAVA_LONG, BUSY_NANOS, 3 * MILLISECOND);
        memory.set(ValueLayout.JAVA_INT, STATE, SeatPage.IDLE);
        board.attend();
        assertEquals(3 * MILLISECOND, board.used(remote));
    }
}

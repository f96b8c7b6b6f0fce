package facet.host.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.os.Bell;
import facet.os.Bells;
import java.io.IOException;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a worker does with a seat for which it has no work. */
final class LeasedSeatsTest {
    private static final long HOUR = 3_600_000_000_000L;
    private static final long MINUTE = 60_000_000_000L;

    private final Bells bells = Bells.open();
    private final Bell bell = bells.add();
    private final SeatPage page = SeatPage.of(Arena.ofAuto().allocate(SeatPage.bytes(1), 64), 0, 1);
    private final LeasedSeats seats = new LeasedSeats(page, bell);

    LeasedSeatsTest() throws IOException {
        page.format();
        page.lend(0);
    }

    @AfterEach
    void close() {
        bells.close();
    }

    @Test
    void whileOthersWaitItGoesBackAfterAMoment() {
        page.contend(true);
        seats.seat(0).sleep(seats.seat(0).wakes(), HOUR);
        assertEquals(SeatPage.AWAY, page.state(0));
        assertTrue(bells.await(MINUTE).isPresent(), "nobody was told");
    }

    @Test
    void workThatComesInTimeFindsIt() {
        page.contend(true);
        int seen = seats.seat(0).wakes();
        page.wake(0);
        seats.seat(0).sleep(seen, HOUR);
        assertEquals(SeatPage.LENT, page.state(0));
    }

    @Test
    void whenNobodyWaitsItStays() {
        seats.seat(0).sleep(seats.seat(0).wakes(), 1_000_000);
        assertEquals(SeatPage.LENT, page.state(0));
    }
}

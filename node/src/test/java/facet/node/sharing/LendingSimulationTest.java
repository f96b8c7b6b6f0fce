package facet.node.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.host.lease.LeasedSeats;
import facet.host.lease.SeatPage;
import facet.os.Bell;
import facet.os.Bells;
import facet.sched.Terms;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who has lent seats for how long, by a clock that the test moves. */
final class LendingSimulationTest {
    private static final int SEATS = 2;
    private static final long STEP = 20_000;
    private static final long SECOND = 1_000_000_000;

    private final Bells bells = open();
    private final Bell bell = bell(bells);
    private final Board board = new Board();
    private final List<Worker> workers = new ArrayList<>();
    private long now = 1_000_000;

    private static Bells open() {
        try {
            return Bells.open();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Bell bell(Bells bells) {
        try {
            return bells.add();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        bells.close();
    }

    /** The daemon's side. */
    private static final class Board {
        private final facet.sched.Board board = new facet.sched.Board(SEATS);
        private final Lending lending = new Lending(board, SEATS);
    }

    /** A process that always has work, in pieces of this length. */
    private final class Worker {
        private final DeviceSharing.Member member;
        private final LeasedSeats seats;
        private final long piece;
        private final long[] ends = new long[SEATS];
        private long did;

        Worker(Terms terms, long piece, int pieces) {
            member = new DeviceSharing.Member(terms.at(Instant.EPOCH), true, Optional.empty());
            SeatPage page =
                    SeatPage.of(Arena.ofAuto().allocate(SeatPage.bytes(SEATS), 64), 0, SEATS);
            page.format();
            seats = new LeasedSeats(page, bell);
            this.piece = piece;
            board.board.join(member, now);
            Borrower borrower = new Borrower(member, page, Borrower.Manners.WORKER);
            member.borrow(borrower);
            board.lending.add(borrower);
            seats.submit(seats.unnamed(), pieces, now);
            workers.add(this);
        }

        void step() {
            for (int seat = 0; seat < SEATS; seat++) {
                if (ends[seat] > 0) {
                    did += STEP;
                    boolean over = now >= ends[seat];
                    if (over
                            || now >= seats.seat(seat).deadline()
                                    && seats.seat(seat).givesWay(now)) {
                        seats.seat(seat).ended(now);
                        ends[seat] = 0;
                        seats.submit(seats.unnamed(), 1, now);
                    }
                }
                if (ends[seat] == 0 && seats.seat(seat).mayRun(now) != null) {
                    ends[seat] = now + piece;
                }
            }
        }
    }

    private void run(long nanos) {
        for (long end = now + nanos; now < end; now += STEP) {
            workers.forEach(Worker::step);
            board.lending.look(now);
            board.lending.settle(now);
        }
    }

    /** What each did in the last second and was charged for, in hundredths of the device. */
    private void check(double... wanted) {
        run(SECOND);
        long[] before = workers.stream().mapToLong(each -> each.did).toArray();
        long[] charged =
                workers.stream().mapToLong(each -> board.board.used(each.member, now)).toArray();
        run(10 * SECOND);
        for (int i = 0; i < wanted.length; i++) {
            Worker worker = workers.get(i);
            double did = 100.0 * (worker.did - before[i]) / (10 * SECOND * SEATS);
            double paid =
                    100.0
                            * (board.board.used(worker.member, now) - charged[i])
                            / (10 * SECOND * SEATS);
            assertEquals(wanted[i], did, 2, "worker " + i + " did");
            assertEquals(did, paid, 2, "worker " + i + " was charged");
        }
    }

    @Test
    void fixedShares() {
        new Worker(Terms.fixed(60), 50 * 1_000_000, 3);
        new Worker(Terms.fixed(20), 50 * 1_000_000, 3);
        check(60, 20);
    }

    @Test
    void burstFillsWhatIsLeft() {
        new Worker(Terms.burst(70), 1_000_000, 3);
        new Worker(Terms.burst(30), 100_000, 3);
        check(70, 30);
    }

    @Test
    void oneAloneHasItAll() {
        new Worker(Terms.burst(10), 1_000_000, 3);
        check(100);
    }

    @Test
    void priorityLeavesNothingToOthers() {
        new Worker(Terms.priority(5), 1_000_000, 3);
        new Worker(Terms.priority(1), 50_000_000, 3);
        check(100, 0);
    }

    @Test
    void turnsAreEqual() {
        new Worker(Terms.turns(Duration.ofMillis(5)), 1_000_000, 3);
        new Worker(Terms.turns(Duration.ofMillis(5)), 10_000_000, 3);
        check(50, 50);
    }

    @Test
    void manyShareInEqualParts() {
        for (int i = 0; i < 64; i++) {
            new Worker(Terms.REST, 10_000_000, 3);
        }
        run(SECOND);
        long[] before = workers.stream().mapToLong(each -> each.did).toArray();
        run(10 * SECOND);
        for (int i = 0; i < 64; i++) {
            double did = 100.0 * (workers.get(i).did - before[i]) / (10 * SECOND * SEATS);
            assertTrue(Math.abs(did - 100.0 / 64) < 1, "worker " + i + " did " + did);
        }
    }
}

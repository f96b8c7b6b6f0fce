package facet.node.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.SeatLayout;
import facet.abi.SeatsHeaderLayout;
import facet.host.lease.SeatPage;
import facet.sched.Board;
import facet.sched.Terms;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Programs with the vendor's driver in them, by a clock that the test moves: what they were lent,
 * what they did and what they paid. They write to their pages what native/direct writes, or what
 * they like.
 */
final class ProgramsTest {
    private static final long STEP = 10_000;
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private final Board board = Board.ofLaunches(1);
    private final Lending lending = new Lending(board, 1);
    private final List<Program> programs = new ArrayList<>();
    private long now = MILLISECOND;

    private DeviceSharing.Member slice(Terms terms) {
        DeviceSharing.Member member =
                new DeviceSharing.Member(terms.at(Instant.EPOCH), true, Optional.empty());
        board.join(member, now);
        return member;
    }

    /** One that always has work, kernels of one length that go on to their end. */
    private class Program {
        final MemorySegment memory = Arena.ofAuto().allocate(SeatPage.bytes(1), 64);
        final Borrower borrower;
        private final long kernel;
        private long ends;
        long did;

        Program(DeviceSharing.Member member, long kernel) {

            this.kernel = kernel;
            SeatPage page = SeatPage.of(memory, 0, 1);
            page.format();
            borrower = new Borrower(member, page, Borrower.Manners.PROGRAM);
            member.borrow(borrower);
            lending.add(borrower);
            programs.add(this);
        }

        private int state() {
            return memory.get(ValueLayout.JAVA_INT, seat(SeatLayout.STATE_OFFSET));
        }

        private void state(int next) {
            memory.set(ValueLayout.JAVA_INT, seat(SeatLayout.STATE_OFFSET), next);
        }

        private long number(int field) {
            return memory.get(ValueLayout.JAVA_LONG, seat(field));
        }

        private void number(int field, long value) {
            memory.set(ValueLayout.JAVA_LONG, seat(field), value);
        }

        private boolean isRevoked() {
            return number(SeatLayout.REVOKED_OFFSET) != SeatPage.NEVER;
        }

        private void wants(int pieces) {
            memory.set(ValueLayout.JAVA_INT, SeatsHeaderLayout.WANTED_OFFSET, pieces);
        }

        void step() {
            if (ends > now) {
                did += STEP;
                return;
            }
            ends = 0;
            if (state() == SeatPage.BUSY && isRevoked()) {
                state(SeatPage.AWAY);
                long began = number(SeatLayout.BEGAN_OFFSET);
                number(SeatLayout.BEGAN_OFFSET, 0);
                number(SeatLayout.BUSY_OFFSET, number(SeatLayout.BUSY_OFFSET) + now - began);
            }
            boolean may = state() != SeatPage.AWAY && !isRevoked();
            wants(may ? 0 : 1);
            if (may) {
                if (state() != SeatPage.BUSY) {
                    state(SeatPage.BUSY);
                    number(SeatLayout.BEGAN_OFFSET, now);
                }
                ends = now + kernel;
                did += STEP;
            }
        }

        private static long seat(int field) {
            return SeatsHeaderLayout.BYTES + (long) field;
        }
    }

    private void run(long nanos) {
        for (long end = now + nanos; now < end; now += STEP) {
            programs.forEach(Program::step);
            lending.look(now);
            lending.settle(now);
        }
    }

    /** Percent of the device in 10 s, of each. */
    private double[] shares() {
        run(SECOND);
        long[] before = programs.stream().mapToLong(each -> each.did).toArray();
        run(10 * SECOND);
        double[] shares = new double[before.length];
        for (int i = 0; i < before.length; i++) {
            shares[i] = 100.0 * (programs.get(i).did - before[i]) / (10 * SECOND);
        }
        return shares;
    }

    private void check(double... wanted) {
        double[] shares = shares();
        for (int i = 0; i < wanted.length; i++) {
            assertEquals(wanted[i], shares[i], 2, "program " + i);
        }
    }

    @Test
    void sharesHoldWhateverKernelsTake() {
        new Program(slice(Terms.burst(70)), STEP);
        new Program(slice(Terms.burst(30)), 50 * MILLISECOND);
        check(70, 30);
    }

    @Test
    void longKernelsHaveNoAdvantage() {
        new Program(slice(Terms.burst(90)), MILLISECOND);
        new Program(slice(Terms.burst(10)), 50 * MILLISECOND);
        check(90, 10);
    }

    @Test
    void fourInEqualParts() {
        for (long kernel : new long[] {STEP, MILLISECOND, 5 * MILLISECOND, 50 * MILLISECOND}) {
            new Program(slice(Terms.burst(25)), kernel);
        }
        check(25, 25, 25, 25);
    }

    @Test
    void hardSharesAreNotExceededAlone() {
        new Program(slice(Terms.fixed(30)), MILLISECOND);
        check(30);
    }

    @Test
    void priorityComesFirst() {
        new Program(slice(Terms.priority(5)), MILLISECOND);
        new Program(slice(Terms.priority(1)), MILLISECOND);
        check(100, 0);
    }

    @Test
    void turnsAreEqual() {
        new Program(slice(Terms.turns(Duration.ofMillis(5))), MILLISECOND);
        new Program(slice(Terms.turns(Duration.ofMillis(5))), 2 * MILLISECOND);
        check(50, 50);
    }

    @Test
    void aSliceHasItsShareHoweverManyProgramsItHas() {
        DeviceSharing.Member many = slice(Terms.burst(40));
        new Program(slice(Terms.burst(60)), MILLISECOND);
        for (int i = 0; i < 4; i++) {
            new Program(many, MILLISECOND);
        }
        check(60, 10, 10, 10, 10);
    }

    @Test
    void aChangeHoldsWithinTwentyMilliseconds() {
        DeviceSharing.Member one = slice(Terms.burst(90));
        DeviceSharing.Member other = slice(Terms.burst(10));
        new Program(one, MILLISECOND);
        new Program(other, MILLISECOND);
        run(2 * SECOND);
        for (int round = 0; round < 20; round++) {
            boolean turned = round % 2 == 0;
            board.change(one, Terms.burst(turned ? 10 : 90).at(Instant.EPOCH), now);
            board.change(other, Terms.burst(turned ? 90 : 10).at(Instant.EPOCH), now);
            lending.settle(now);
            run(20 * MILLISECOND);
            long before = programs.getFirst().did;
            run(500 * MILLISECOND);
            double share = (programs.getFirst().did - before) / (5.0 * MILLISECOND);
            assertEquals(turned ? 10 : 90, share, 5, "round " + round);
        }
    }

    @Test
    void oneThatNeverGivesBackSharesTheDeviceAndPays() {
        Program greedy = new Program(slice(Terms.burst(50)), 20 * SECOND);
        Program honest = new Program(slice(Terms.burst(50)), MILLISECOND);
        run(10 * SECOND);
        assertTrue(honest.did > 9 * SECOND, "waited for it " + honest.did);
        // Both are on the device: each is charged half of the time.
        assertEquals(0.5, (double) greedy.borrower.charged() / (10 * SECOND), 0.05);
        assertEquals(0.5, (double) honest.borrower.charged() / (10 * SECOND), 0.05);
    }

    @Test
    void oneThatEndsLeavesNothingBehind() {
        DeviceSharing.Member gone = slice(Terms.burst(50));
        Program first = new Program(gone, 50 * MILLISECOND);
        new Program(slice(Terms.burst(50)), MILLISECOND);
        run(SECOND);
        programs.remove(first);
        lending.remove(first.borrower, now);
        gone.giveUp(first.borrower);
        board.leave(gone, now);
        check(100);
    }

    /** Whatever a page says, nothing is thrown, and an honest neighbour has its share. */
    @Test
    void pagesAreWrittenByStrangers() {
        long seed = Long.getLong("facet.seed", 20261118);
        System.out.println("seed " + seed + " (-Dfacet.seed)");
        SplittableRandom random = new SplittableRandom(seed);
        Program honest = new Program(slice(Terms.burst(50)), MILLISECOND);
        Program hostile =
                new Program(slice(Terms.burst(50)), MILLISECOND) {
                    @Override
                    void step() {
                        long[] values = {
                            0,
                            1,
                            2,
                            3,
                            4,
                            -1,
                            Long.MAX_VALUE,
                            Long.MIN_VALUE,
                            now,
                            1L << 62,
                            random.nextLong()
                        };
                        long at = 8 * random.nextLong(memory.byteSize() / 8);
                        memory.set(
                                ValueLayout.JAVA_LONG, at, values[random.nextInt(values.length)]);
                    }
                };
        run(10 * SECOND);
        assertTrue(honest.did > 4 * SECOND, "had " + honest.did + " ns of 10 s");
        assertTrue(hostile.borrower.charged() >= 0, "charged " + hostile.borrower.charged());
        assertTrue(
                hostile.borrower.charged() <= 11 * SECOND, "charged more than there was of time");
    }
}

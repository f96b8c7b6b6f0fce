package facet.sched;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A device with a manual clock: it steps through time, runs pieces of work on its seats, asks the
 * board as a real one does, and keeps its own books to compare with.
 */
final class Simulation {
    private static final long STEP = 50_000;

    final Board board;
    private final List<Load> loads = new ArrayList<>();
    private final @Nullable Piece[] on;
    private final SplittableRandom random = new SplittableRandom(1);
    long now = 1_000_000_000L;

    /** A share and the work that comes for it. */
    final class Load extends Share {
        private final ArrayDeque<Piece> queue = new ArrayDeque<>();
        private final long length;
        private final int parallel;
        private int alive;
        boolean busy = true;
        long ran;
        long worstDelay;
        long firstRun = -1;

        /**
         * @param length of a piece, in nanoseconds
         * @param parallel pieces that are there at once while it is busy
         */
        Load(Entitlement entitlement, long length, int parallel) {
            super(entitlement);
            this.length = length;
            this.parallel = parallel;
        }

        private void refill() {
            while (busy && alive < parallel) {
                alive++;
                // Lengths differ a little, as they do.
                put(new Piece(this, length * (90 + random.nextInt(20)) / 100, now));
            }
        }

        private void put(Piece piece) {
            queue.add(piece);
            board.waiting(this, 1, now);
        }
    }

    /** Work that is left, and since when it has waited. */
    private static final class Piece {
        private final Load load;
        private long left;
        private long since;

        Piece(Load load, long left, long since) {
            this.load = load;
            this.left = left;
            this.since = since;
        }
    }

    Simulation(int seats) {
        board = new Board(seats);
        on = new Piece[seats];
    }

    Load add(Terms terms, long length, int parallel) {
        Load load = new Load(terms.at(java.time.Instant.EPOCH), length, parallel);
        board.join(load, now);
        loads.add(load);
        return load;
    }

    /** Runs for so long. */
    void run(long nanos) {
        for (long end = now + nanos; now < end; now += STEP) {
            loads.forEach(Load::refill);
            for (int seat = 0; seat < on.length; seat++) {
                look(seat);
            }
            for (Piece each : on) {
                if (each != null) {
                    each.left -= STEP;
                    each.load.ran += STEP;
                }
            }
        }
    }

    private void look(int seat) {
        Piece piece = on[seat];
        if (piece != null && piece.left <= 0) {
            board.release(seat, now);
            piece.load.alive--;
            on[seat] = null;
            piece.load.refill();
        } else if (piece != null && now >= board.deadline(seat) && board.givesWay(seat, now)) {
            board.release(seat, now);
            on[seat] = null;
            piece.since = now;
            piece.load.put(piece);
        }
        if (on[seat] == null) {
            Share share = board.pick(seat, now);
            if (share instanceof Load load) {
                Piece next = load.queue.remove();
                load.worstDelay = Math.max(load.worstDelay, now - next.since);
                load.firstRun = load.firstRun < 0 ? now : load.firstRun;
                on[seat] = next;
            }
        }
    }

    /** Percent of all seats that a share had since {@code before} of its time, over the span. */
    double percent(Load load, long before, long span) {
        return 100.0 * (load.ran - before) / ((double) span * on.length);
    }
}

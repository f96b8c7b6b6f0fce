package facet.device.cpu;

import facet.device.Arbiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What waits of one share: threads that go on, and work that has not begun. Work that has begun
 * keeps a thread until it ends, so no more of it begins than the share may have threads; the rest
 * waits here without one. The seats' lock guards all fields.
 */
final class Line {
    /** As many as a GPU runs grids at once. */
    private static final int MOST_OF_SHARE = 128;

    private static final int MOST_IN_ALL = 4 * MOST_OF_SHARE;

    /** Something to do on a seat: to be run by whoever has it, or a thread that goes on. */
    static final class Piece {
        private final Control control;
        private final @Nullable Runnable work;
        private final @Nullable Sitter thread;
        private long order;

        Piece(Control control, @Nullable Runnable work, @Nullable Sitter thread) {
            this.control = control;
            this.work = work;
            this.thread = thread;
        }

        Control control() {
            return control;
        }

        @Nullable Runnable work() {
            return work;
        }

        @Nullable Sitter thread() {
            return thread;
        }
    }

    /** The threads of all shares. */
    static final class Threads {
        private final int seats;
        private int begun;

        Threads(int seats) {
            this.seats = seats;
        }

        /** Half of what the others leave, and always enough for all seats. */
        private int limit(Line line) {
            int most = Math.max(MOST_OF_SHARE, 2 * seats);
            int left = Math.max(MOST_IN_ALL, 8 * seats) - (begun - line.begun);
            return Math.max(seats, Math.min(most, left / 2));
        }
    }

    private final Arbiter arbiter;
    private final Arbiter.Share share;
    private final Threads all;
    private final ArrayDeque<Piece> goingOn = new ArrayDeque<>();
    private final ArrayDeque<Piece> beginning = new ArrayDeque<>();
    private long orders;
    private int begun;

    /** What the arbiter knows to wait. */
    private int offered;

    Line(Arbiter arbiter, Arbiter.Share share, Threads all) {
        this.arbiter = arbiter;
        this.share = share;
        this.all = all;
    }

    Arbiter.Share share() {
        return share;
    }

    /** Nothing waits, and nothing that has begun is under way. */
    boolean isEmpty() {
        return goingOn.isEmpty() && beginning.isEmpty() && begun == 0;
    }

    /** Threads that wait inside their work. */
    List<Sitter> threads() {
        return goingOn.stream().map(Piece::thread).filter(Objects::nonNull).toList();
    }

    /** Whether work waits for a thread of its share to end its own. */
    boolean isHeldBack() {
        return !beginning.isEmpty() && begun >= all.limit(this);
    }

    void add(Piece piece, long now) {
        piece.order = orders++;
        (piece.thread == null ? beginning : goingOn).add(piece);
        settle(now);
    }

    /** What the arbiter has just picked, in the order in which it came. */
    Piece take(long now) {
        offered--;
        Piece first = goingOn.peek();
        Piece other = beginning.peek();
        Piece piece;
        if (first == null || other != null && other.order < first.order && !isHeldBack()) {
            piece = beginning.remove();
            begins();
        } else {
            piece = goingOn.remove();
        }
        settle(now);
        return piece;
    }

    /** A thread begins with work of the share. */
    void begins() {
        begun++;
        all.begun++;
    }

    /** Work that had begun has ended, and its thread is free. */
    void ended(long now) {
        begun--;
        all.begun--;
        settle(now);
    }

    /** Takes back what has not begun; false when it has. */
    boolean withdraw(Piece piece, long now) {
        boolean found = beginning.removeLastOccurrence(piece);
        settle(now);
        return found;
    }

    /** Takes out all that is of one context. */
    List<Piece> takeAll(Control control, long now) {
        List<Piece> taken = new ArrayList<>();
        goingOn.removeIf(each -> each.control == control && taken.add(each));
        beginning.removeIf(each -> each.control == control && taken.add(each));
        settle(now);
        return taken;
    }

    /** Tells the arbiter how much may be picked. */
    void settle(long now) {
        int wanted = goingOn.size() + (begun < all.limit(this) ? beginning.size() : 0);
        if (wanted != offered) {
            arbiter.submit(share, wanted - offered, now);
            offered = wanted;
        }
    }
}

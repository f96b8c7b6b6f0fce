package facet.device.cpu;

import facet.device.Arbiter;
import facet.device.cpu.Line.Piece;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that waits for a seat of the device: a line for each share, and what was stopped, which waits
 * for nobody's turn. The seats' lock guards all fields.
 */
final class Lines {
    /** Empty lines are kept for the next piece, up to so many. */
    private static final int MOST_LINES = 256;

    private final Arbiter arbiter;
    private final Line.Threads threads;
    private final IdentityHashMap<Arbiter.Share, Line> lines = new IdentityHashMap<>();

    /** Lines with work that has to wait for threads. */
    private final Set<Line> heldBack = new LinkedHashSet<>();

    /** What was stopped, and needs a seat to end. */
    private final ArrayDeque<Piece> ending = new ArrayDeque<>();

    private int count;

    Lines(int seats, Arbiter arbiter) {
        this.arbiter = arbiter;
        this.threads = new Line.Threads(seats);
    }

    /** How many pieces wait. */
    int count() {
        return count;
    }

    boolean isAnyEnding() {
        return !ending.isEmpty();
    }

    /** Threads that wait inside their work. */
    List<Sitter> threads() {
        List<Sitter> all = new ArrayList<>();
        lines.values().forEach(each -> all.addAll(each.threads()));
        ending.stream().map(Piece::thread).filter(Objects::nonNull).forEach(all::add);
        return all;
    }

    void add(Piece piece, long now) {
        if (piece.control().isStopped()) {
            ending.add(piece);
        } else {
            Line line = line(piece.control());
            line.add(piece, now);
            noteHeldBack(line);
        }
        count++;
    }

    private Line line(Control control) {
        return lines.computeIfAbsent(control.share(), each -> new Line(arbiter, each, threads));
    }

    private void noteHeldBack(Line line) {
        if (line.isHeldBack()) {
            heldBack.add(line);
        }
    }

    /** Takes back what has not begun; nothing when it has. */
    void withdraw(Piece piece, long now) {
        Line line = lines.get(piece.control().share());
        if (ending.remove(piece) || line != null && line.withdraw(piece, now)) {
            count--;
        }
    }

    /** What waits of a context that was stopped gets the next seats; whether there is any. */
    boolean hurry(Control control, long now) {
        Line line = lines.get(control.share());
        return line != null && ending.addAll(line.takeAll(control, now));
    }

    /** What is next on a seat; null: nothing now. */
    @Nullable Piece take(int seat, long now) {
        Piece stopped = ending.poll();
        if (stopped != null) {
            count--;
            if (stopped.thread() == null) {
                line(stopped.control()).begins();
            }
            return stopped;
        }
        Arbiter.Share share = arbiter.seat(seat).mayRun(now);
        if (share == null) {
            return null;
        }
        Line line = lines.get(share);
        if (line == null) {
            throw new IllegalStateException("the arbiter picked a share that has no work");
        }
        count--;
        Piece piece = line.take(now);
        noteHeldBack(line);
        return piece;
    }

    /** The thread of work that has ended is free for other work of its share. */
    void ended(Arbiter.@Nullable Share share, long now) {
        Line line = share == null ? null : lines.get(share);
        if (line == null) {
            return;
        }
        line.ended(now);
        if (!heldBack.isEmpty()) {
            heldBack.removeIf(each -> {
                each.settle(now);
                return !each.isHeldBack();
            });
        }
        if (line.isEmpty() && lines.size() > MOST_LINES) {
            lines.remove(share);
        }
    }
}

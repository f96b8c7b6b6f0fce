package facet.host.session;

import facet.device.Context;
import facet.device.Event;
import facet.device.Stream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Steps that a client has told once and launches often. Block 0 is the graph, the others are what
 * its conditions choose from. One launch of it runs at a time, as in CUDA.
 *
 * <p>The session's thread, but for what a launch that was held back asks for.
 */
final class SessionGraph {
    static final int LANES = 4;
    private static final int MOST_BLOCKS = 1 << 12;
    private static final int MOST_STEPS = 1 << 18;
    private static final int MOST_CONDITIONS = 1 << 10;

    private final Context device;
    private final List<List<GraphStep>> blocks = new ArrayList<>();
    private final List<GraphBranch> branches = new ArrayList<>();
    private final @Nullable Stream[] lanes = new Stream[LANES];
    private final @Nullable Event[] tails = new Event[LANES];
    private @Nullable Event first;
    private @Nullable Event last;
    private int held;

    /** Launches that are held back behind others, in their order. */
    private final ArrayDeque<Runnable> behind = new ArrayDeque<>();

    private boolean parallel;
    private int steps;
    private int units = 1;
    private int kernels;
    private long objects;
    private long counted;

    SessionGraph(Context device) {
        this.device = device;
    }

    /** Puts a step at the end of a block, or in place of one that is there. */
    void put(int block, int index, GraphStep step) {
        List<GraphStep> list = block(block);
        if (index < 0 || index > list.size()) {
            throw new ProtocolViolation(
                    "step " + index + " of a graph's block that has " + list.size());
        }
        if (step.lane() < 0 || step.lane() >= LANES || step.waits() >>> LANES != 0) {
            throw new ProtocolViolation(
                    "a graph has " + LANES + " lanes, not " + step.lane() + " or " + step.waits());
        }
        if (index == list.size()) {
            if (++steps > MOST_STEPS) {
                throw new ProtocolViolation("a graph with more than " + MOST_STEPS + " steps");
            }
            list.add(step);
        } else {
            GraphStep before = list.set(index, step);
            units -= before.units();
            objects -= before.objects();
            kernels -= block == 0 ? before.kernels() : 0;
        }
        parallel |= step.lane() != 0;
        units = Math.addExact(units, step.units());
        objects += step.objects();
        kernels += block == 0 ? step.kernels() : 0;
    }

    /** Keeps a condition of one of its steps. */
    void add(GraphBranch branch) {
        if (branches.size() == MOST_CONDITIONS) {
            throw new ProtocolViolation(
                    "a graph with more than " + MOST_CONDITIONS + " conditions");
        }
        branches.add(branch);
    }

    private List<GraphStep> block(int number) {
        if (number < 0 || number >= MOST_BLOCKS) {
            throw new ProtocolViolation("block " + number + " of a graph");
        }
        while (blocks.size() <= number) {
            blocks.add(new ArrayList<>());
        }
        return blocks.get(number);
    }

    /** What it counts in {@link InFlight} while it is launched. */
    int units() {
        return units;
    }

    /** Of the graph itself, without what conditions choose. */
    int kernels() {
        return kernels;
    }

    /** What its steps are in the tally of its slice. */
    long objects() {
        return objects;
    }

    /** What of them was counted there. */
    long counted() {
        return counted;
    }

    void count(long more) {
        counted += more;
    }

    /** Looks up all that its steps name. Whoever launches it gives these to the device. */
    GraphRun prepare() {
        List<List<Work>> work = new ArrayList<>(blocks.size());
        List<LaunchWork> missing = new ArrayList<>();
        List<SessionContext> others = new ArrayList<>();
        for (List<GraphStep> block : blocks) {
            List<Work> all = new ArrayList<>(block.size());
            for (GraphStep each : block) {
                Work step = each.work().get();
                all.add(step);
                if (step instanceof LaunchWork launch && !launch.isMade()) {
                    missing.add(launch);
                } else if (step instanceof PeerCopy copy && !others.contains(copy.other())) {
                    others.add(copy.other());
                }
            }
            work.add(all);
        }
        branches.forEach(each -> each.prepare(work));
        List<GraphStep> main = blocks.isEmpty() ? List.of() : List.copyOf(blocks.getFirst());
        return new GraphRun(
                this, main, work.isEmpty() ? List.of() : work.getFirst(), missing, others);
    }

    // ---- launches that are held back: the next ones come behind them

    /** Whether one is. */
    synchronized boolean isHeld() {
        return held > 0;
    }

    synchronized void holds() {
        held++;
    }

    /** Any thread. */
    void heldIsOver() {
        Runnable next;
        synchronized (this) {
            held--;
            next = behind.poll();
        }
        if (next != null) {
            next.run();
        }
    }

    /** Does the action when those before have been given to the device, or will not be. */
    void behindHeld(Runnable action) {
        synchronized (this) {
            // The one that asks is held too.
            if (held - behind.size() > 1) {
                behind.add(action);
                return;
            }
        }
        action.run();
    }

    /** A launch of it was given to a stream. */
    void recordedIn(SessionStream stream) {
        for (GraphStep each : blocks.isEmpty() ? List.<GraphStep>of() : blocks.getFirst()) {
            if (each.work() instanceof GraphRecord record) {
                record.recordedIn(stream);
            }
        }
    }

    List<GraphBranch> branches() {
        return branches;
    }

    /** The stream of a lane; the first is the one that it is launched in. */
    synchronized Stream lane(int number, Stream launched) {
        if (number == 0) {
            return launched;
        }
        Stream lane = lanes[number];
        if (lane == null) {
            lane = device.createStream();
            lanes[number] = lane;
        }
        return lane;
    }

    /** Marks the end of what a lane was given. */
    synchronized Event tail(int lane) {
        Event tail = tails[lane];
        if (tail == null) {
            tail = device.createEvent();
            tails[lane] = tail;
        }
        return tail;
    }

    /** Whether it has more than one lane. */
    boolean isParallel() {
        return parallel;
    }

    /** Marks the beginning of a launch, for lanes that wait for nothing else. */
    synchronized Event first() {
        Event event = first;
        if (event == null) {
            event = device.createEvent();
            first = event;
        }
        return event;
    }

    /** Marks the end of its last launch. */
    synchronized Event last() {
        Event event = last;
        if (event == null) {
            event = device.createEvent();
            last = event;
        }
        return event;
    }

    synchronized boolean isIdle() {
        return held == 0 && (last == null || last.isComplete());
    }

    /** When it is idle. */
    void close() {
        for (Stream each : lanes) {
            if (each != null) {
                each.close();
            }
        }
        branches.forEach(GraphBranch::close);
    }
}

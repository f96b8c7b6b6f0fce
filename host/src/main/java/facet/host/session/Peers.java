package facet.host.session;

import facet.device.Window;
import facet.host.mirror.MirroredContext;
import facet.host.residency.Later;
import facet.host.residency.Reach;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a context has to do with the other contexts of its session: which of them its kernels may
 * access, and which of them touch its memory. Managed and pinned memory is every context's; device
 * memory that of those for which peer access was enabled. By the session's thread.
 */
final class Peers {
    /** What a window takes in the list of a launch: where it is, there and here, and its size. */
    private static final long WINDOW_BYTES = 3 * Long.BYTES;

    private final Session session;
    private final SessionContext context;
    private final Set<SessionContext> enabled = ConcurrentHashMap.newKeySet();

    /** Contexts with work that may touch this one's memory, now or at some time before. */
    private final Set<SessionContext> touching = new HashSet<>();

    /** Over when all that was given to this context has ended, and no more comes. */
    private final CompletableFuture<Void> rest = new CompletableFuture<>();

    /** Of what the windows of the last launch were made. */
    private List<SessionContext> knownOthers = List.of();

    private long[] known = {};
    private long knownMapped;

    /** Windows of launches from now on, each as often as it is listed. */
    private int listed;

    Peers(Session session, SessionContext context) {
        this.session = session;
        this.context = context;
    }

    /**
     * Kernels that are launched from now on may access all of the other's memory, which does not
     * move any more.
     *
     * @param ended is told whether it is so, or there is no room for the memory on its device; now,
     *     or later by any thread
     */
    void enable(SessionContext other, Later ended) {
        boolean there =
                other.holding()
                        .stay(possible -> {
                            if (possible) {
                                enable(other, ended);
                            } else {
                                ended.again(false);
                            }
                        });
        if (there) {
            enabled.add(other);
            ended.again(true);
        }
    }

    /** Those whose memory its kernels may access. */
    List<SessionContext> enabled() {
        return List.copyOf(enabled);
    }

    void disable(SessionContext other) {
        enabled.remove(other);
    }

    /** Work of another context will touch this one's memory. */
    void touchedBy(SessionContext other) {
        touching.removeIf(each -> each.peers().rest.isDone());
        touching.add(other);
    }

    /**
     * Before a launch, and before what touches mapped memory: settles what it may access besides
     * its own context.
     *
     * @return false when not all of that is on the device at the moment
     */
    boolean prepare() {
        long mapped = session.segments().version();
        if (session.isAlone() && knownOthers.isEmpty() && mapped == knownMapped) {
            return true;
        }
        List<SessionContext> others = session.contexts();
        others.remove(context);
        enabled.retainAll(others);
        boolean there = true;
        long[] now = new long[2 * others.size()];
        for (int i = 0; i < others.size(); i++) {
            SessionContext other = others.get(i);
            if (enabled.contains(other)) {
                there &= isThere(other);
                Window all = other.device().reachable();
                now[2 * i] = all.address();
                now[2 * i + 1] = all.memory().byteSize();
            } else {
                now[2 * i] = -1;
                now[2 * i + 1] = other.allocations().sharedVersion();
            }
        }
        // The same ones, not others in their places: memory of those that are gone is gone.
        if (!others.equals(knownOthers) || !Arrays.equals(now, known) || mapped != knownMapped) {
            List<Window> readable = windows(others);
            List<Window> writable = new ArrayList<>(readable);
            SessionSegments.Windows segments =
                    session.segments().windows(context.ledger().device());
            readable.addAll(segments.readable());
            writable.addAll(segments.writable());
            context.device().reach(readable, writable);
            if (context.device() instanceof MirroredContext mirrored) {
                mirrored.beside(others.stream().map(SessionContext::device).toList());
            }
            listed = Math.addExact(readable.size(), writable.size());
            knownMapped = mapped;
            known = now;
            knownOthers = others;
        }
        return there;
    }

    /**
     * What a launch counts in {@link InFlight} for what it may access besides its own context: it
     * keeps a list of that, and the next launch may have another one.
     */
    int units() {
        return (int) (listed * WINDOW_BYTES / InFlight.BYTES_PER_UNIT);
    }

    private static boolean isThere(SessionContext other) {
        boolean there = other.holding().enter(Reach.EVERYTHING);
        if (there) {
            other.holding().leave();
        }
        return there;
    }

    private List<Window> windows(List<SessionContext> others) {
        List<Window> windows = new ArrayList<>();
        for (SessionContext other : others) {
            int before = windows.size();
            if (enabled.contains(other)) {
                windows.add(other.device().reachable());
            } else {
                for (Allocations.Allocation each : other.allocations().shared()) {
                    windows.add(
                            new Window(each.address(), other.bytes(each.address(), each.bytes())));
                }
            }
            if (windows.size() > before) {
                other.peers().touchedBy(context);
            }
        }
        return windows;
    }

    /** No work is given to the context any more: from now on others may wait for its rest. */
    void retire() {
        context.streams().whenAllEnded(() -> rest.complete(null));
    }

    /** Runs the action when nothing touches the context's memory any more; it is retired. */
    void whenUntouched(Runnable action) {
        List<CompletableFuture<Void>> all = new ArrayList<>(List.of(rest));
        for (SessionContext each : touching) {
            all.add(each.peers().restSoFar());
        }
        CompletableFuture<Void> _ =
                CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).thenRun(action);
    }

    /** Done when what was given to the context so far has ended. */
    CompletableFuture<Void> restSoFar() {
        if (!session.isLiving(context)) {
            return rest;
        }
        CompletableFuture<Void> ended = new CompletableFuture<>();
        context.streams().whenAllEnded(() -> ended.complete(null));
        return ended;
    }
}

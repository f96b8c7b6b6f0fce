package facet.bench.escape;

import facet.bench.escape.Cell.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Tries ways on a daemon that runs, and judges what came of them. Every way is tried within a
 * limit, and once more where nothing limits it: a way that gets nothing there either would show
 * nothing.
 */
public final class EscapeMatrix {
    /** What a slice may have, in bytes. */
    public static final long LIMIT = 64L << 20;

    /** What a slice may have of the device's time, in percent. */
    public static final int SHARE = 20;

    /** Each process wants a quarter more than all of them may have. */
    private static final long WANT = LIMIT + LIMIT / 4;

    private static final long PLENTY = 1L << 30;

    /** So much local memory a context has without its being counted. */
    private static final long FREE_OF_CONTEXT = 4L << 20;

    /** Of the device's time: what a measurement may be beside the truth. */
    private static final double MARGIN = 0.06;

    /** Of what both had: on a busy machine the device has not all of the time. */
    private static final double NEIGHBOUR_MARGIN = 0.15;

    private static final int OUT_OF_MEMORY = 2;
    private static final Pattern REFUSED_CONTEXT =
            Pattern.compile("failed " + OUT_OF_MEMORY + " .*(cuCtxCreate|primary_retain)");
    private static final Pattern FAULTY_CONTEXT =
            Pattern.compile("failed 7[01][0-9] .*(cuCtxCreate|primary_retain)");
    private static final int NOT_SUPPORTED = 801;
    private static final int NOT_HERE = -2;

    private final Escape escape;
    private final Means means;
    private final MemoryTrial memory;
    private final ComputeTrial compute;
    private final StopTrial stop;
    private final AcrossTrial across;
    private final Duration window;

    /**
     * @param root of the repository
     * @param runtimeDirectory of the daemon, which runs as the same user
     * @param window how long the device's time of a way is measured
     */
    public EscapeMatrix(Path root, Path runtimeDirectory, Duration window) {
        this(root, runtimeDirectory, window, Means.software());
    }

    /**
     * @param means how programs come to the daemon's device
     */
    public EscapeMatrix(Path root, Path runtimeDirectory, Duration window, Means means) {
        this.escape = new Escape(root);
        this.means = means;
        Ground ground = new Ground(runtimeDirectory, means);
        this.memory = new MemoryTrial(escape, ground);
        this.compute = new ComputeTrial(escape, ground);
        this.stop = new StopTrial(escape, ground, window);
        this.across = new AcrossTrial(escape, ground);
        this.window = window;
    }

    public List<Way> ways() throws IOException {
        return escape.ways();
    }

    /** Tries a way from so many processes at once in a slice with limits. */
    public Cell limited(Way way, int processes) throws IOException, InterruptedException {
        if (isOfAnotherEngine(way)) {
            return new Cell(
                    Verdict.SKIPPED, 0, "it breaks a protocol that these programs do not speak");
        }
        try {
            return switch (way.kind()) {
                case COMPUTE -> judge(compute.run(way, processes, SHARE, window));
                case ENDLESS, COMPILE -> stop.killed(way, processes);
                case ACROSS -> across.elsewhere(way, processes);
                case MEMORY, HOST, REFUSED, UNSUPPORTED, HOSTILE, TRESPASS, DAEMON, INHERITED ->
                        judge(way, processes, memory.run(way, processes, LIMIT, WANT));
            };
        } catch (TrialException e) {
            if (isWithoutContext(e)) {
                return new Cell(Verdict.HELD, 0, "it gets no context more: out of memory");
            }
            return way.kind() == Way.Kind.ACROSS && isFaultOfAnother(e)
                    ? new Cell(Verdict.HELD, 0, "it faults, and the slice's next program with it")
                    : broken(e);
        }
    }

    /** In the direct engine a context takes memory of the slice, and may be what is refused. */
    private boolean isWithoutContext(TrialException e) {
        return !means.speaks() && REFUSED_CONTEXT.matcher(String.valueOf(e.getMessage())).find();
    }

    /** Where a driver is the device, programs of a slice share what their kernels do wrong. */
    private boolean isFaultOfAnother(TrialException e) {
        return means.mirrors() && FAULTY_CONTEXT.matcher(String.valueOf(e.getMessage())).find();
    }

    /**
     * Tries a way where it has plenty: from one process, or from as many as it takes for more than
     * the limit; where nobody stops it; or at memory of its own.
     */
    public Cell free(Way way) throws IOException, InterruptedException {
        if (isOfAnotherEngine(way)) {
            return new Cell(
                    Verdict.SKIPPED, 0, "it breaks a protocol that these programs do not speak");
        }
        try {
            int processes = way.name().equals("hostile-together") ? 4 : 1;
            return switch (way.kind()) {
                case COMPUTE -> judge(compute.run(way, 1, 100, window));
                case ENDLESS, COMPILE -> stop.leftAlone(way);
                case ACROSS -> across.atHome(way);
                case MEMORY, HOST, REFUSED, UNSUPPORTED, HOSTILE, TRESPASS, DAEMON, INHERITED ->
                        judge(way, processes, memory.run(way, processes, PLENTY, WANT));
            };
        } catch (TrialException e) {
            return broken(e);
        }
    }

    /** Whether a way must get past the limit where there is none, so that it shows something. */
    public static boolean mustPassFree(Way way) {
        return switch (way.kind()) {
            case MEMORY, HOSTILE, DAEMON, ENDLESS, COMPILE, ACROSS -> true;
            // A flood of empty launches keeps the program busy, not the device.
            case COMPUTE -> !way.name().equals("launch-tiny");
            case HOST, REFUSED, UNSUPPORTED, TRESPASS, INHERITED -> false;
        };
    }

    private boolean isOfAnotherEngine(Way way) {
        return isHostile(way) && !means.speaks();
    }

    private static Cell broken(TrialException e) {
        return new Cell(Verdict.BROKEN, 0, String.valueOf(e.getMessage()));
    }

    private static Cell judge(ComputeTrial.Found found) {
        double part = found.own() / Math.max(found.own() + found.neighbour(), 1e-9);
        boolean held =
                found.own() <= SHARE / 100.0 + MARGIN
                        && (found.isAlone() || part <= SHARE / 100.0 + NEIGHBOUR_MARGIN);
        String detail =
                String.format(
                        Locale.ROOT,
                        "%.1f %% of the device's time, its neighbour %.1f %%",
                        100 * found.own(),
                        100 * found.neighbour());
        return new Cell(held ? Verdict.HELD : Verdict.PASSED, found.own(), detail);
    }

    private Cell judge(Way way, int processes, MemoryTrial.Found found) {
        long limit = LIMIT + (way.kind() == Way.Kind.DAEMON ? processes * FREE_OF_CONTEXT : 0);
        // Who breaks the protocol is found out within two seconds; until then it may have more.
        // What
        // NVML says comes from the page that it writes to.
        long held =
                isHostile(way)
                        ? Math.max(found.kept(), found.last())
                        : Math.max(found.kept(), Math.max(found.most(), found.watched()));
        if (found.codes().contains(NOT_HERE)) {
            return new Cell(Verdict.SKIPPED, held, "needs to be root, for a mount of its own");
        }
        String detail =
                "%d bytes marked, the daemon counted %d, NVML %d; refused with %s, then %s"
                        .formatted(
                                found.kept(),
                                found.most(),
                                found.watched(),
                                found.codes(),
                                found.after());
        if (way.kind() == Way.Kind.HOST) {
            long counted = Math.max(found.most(), found.watched());
            return new Cell(
                    counted > (means.mirrors() ? limit : 0) ? Verdict.BROKEN : Verdict.HOST,
                    found.kept(),
                    detail);
        }
        if (held > limit || found.codes().contains(-1)) {
            return new Cell(Verdict.PASSED, held, detail);
        }
        Verdict otherwise = way.kind() == Way.Kind.UNSUPPORTED ? Verdict.UNSUPPORTED : Verdict.HELD;
        return new Cell(isOrderly(way, found) ? otherwise : Verdict.BROKEN, held, detail);
    }

    private static boolean isHostile(Way way) {
        return way.kind() == Way.Kind.HOSTILE || way.kind() == Way.Kind.TRESPASS;
    }

    /** Refused in the way that CUDA's manual says, and well afterwards. */
    private boolean isOrderly(Way way, MemoryTrial.Found found) {
        Set<Integer> expected =
                switch (way.kind()) {
                    case MEMORY, DAEMON, INHERITED -> Set.of(0, OUT_OF_MEMORY);
                    case REFUSED -> Set.of(OUT_OF_MEMORY);
                    // Where the slice has no room for it the driver is not asked at all.
                    case UNSUPPORTED ->
                            means.speaks()
                                    ? Set.of(NOT_SUPPORTED)
                                    : Set.of(NOT_SUPPORTED, OUT_OF_MEMORY);
                    // Who breaks the protocol is refused by the end of its session.
                    case HOSTILE, TRESPASS, HOST, COMPUTE, ENDLESS, COMPILE, ACROSS ->
                            found.codes();
                };
        boolean well = isHostile(way) || found.after().equals(new TreeSet<>(Set.of(0)));
        return well && expected.containsAll(found.codes());
    }
}

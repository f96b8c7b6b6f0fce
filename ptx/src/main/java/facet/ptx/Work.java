package facet.ptx;

import java.util.function.Supplier;

/**
 * What it costs to make code of a text, counted in steps: a token read, an instruction looked at by
 * a pass, a word of a set. Passes tell their steps here, wherever the length of a loop is the
 * text's choice; now and then whoever asked for the code is asked whether to go on. So no text
 * keeps a thread for longer than somebody wants it to.
 *
 * <p>One thread at a time. Code that is not run {@link #within} a work is not bounded.
 */
public final class Work {
    /** Steps from one question to the next: well below a millisecond. */
    private static final int PIECE = 10_000;

    private static final ScopedValue<Work> CURRENT = ScopedValue.newInstance();
    private static final Work UNBOUNDED = new Work(Long.MAX_VALUE, () -> {});

    private final long most;
    private final Runnable goesOn;
    private long done;
    private int left = PIECE;

    /**
     * @param most steps, then it is refused
     * @param goesOn is asked every so often; it may wait, and throws when the work is to end
     */
    public Work(long most, Runnable goesOn) {
        this.most = most;
        this.goesOn = goesOn;
    }

    /** Work of the length that a text may cause. */
    public static Work of(Runnable goesOn) {
        return new Work(Limits.STEPS, goesOn);
    }

    /** Runs the action; its steps are this work's. */
    public <T> T within(Supplier<T> action) {
        return ScopedValue.where(CURRENT, this).call(action::get);
    }

    /** One more step of what this thread does. */
    public static void step() {
        steps(1);
    }

    /** So many more. */
    public static void steps(long count) {
        Work work = CURRENT.orElse(UNBOUNDED);
        if (work != UNBOUNDED) {
            work.count(count);
        }
    }

    private void count(long count) {
        left -= (int) Math.min(count, PIECE);
        done += count;
        if (left < 0) {
            left = PIECE;
            if (done > most) {
                throw new PtxException(
                        PtxException.Kind.UNSUPPORTED,
                        new Position(1, 1),
                        "compiling it takes more than "
                                + most
                                + " steps; split the module, or its longest functions");
            }
            goesOn.run();
        }
    }

    public long done() {
        return done;
    }
}

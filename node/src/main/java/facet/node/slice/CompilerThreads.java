package facet.node.slice;

import facet.os.SchedulingUnsafe;
import facet.os.ThreadTimes;
import java.io.IOException;

/**
 * The compilers of a JVM. Nobody gave them a seat: where they and a neighbour's kernel want one
 * core, the kernel is to have most of it, but for a newcomer's first seconds.
 */
public final class CompilerThreads {
    /** More than the daemon's own: a quarter of what others weigh, about. */
    private static final int BACK = 6;

    /** Longer than those of who runs kernels, which are not to wait for the end of one. */
    private static final long TURN = 20_000_000;

    private final int process;
    private final ThreadTimes times;
    private boolean forward;

    public CompilerThreads(int process) {
        this.process = process;
        times = new ThreadTimes(process, CompilerThreads::isOne);
    }

    static boolean isOne(String thread) {
        return thread.startsWith("C1 Compiler") || thread.startsWith("C2 Compiler");
    }

    /** Processor time that they had, in nanoseconds. */
    public long nanos() throws IOException {
        return times.nanos();
    }

    public void stepBack() throws IOException {
        SchedulingUnsafe.set(process, CompilerThreads::isOne, Precedence.usualAnd(BACK));
        SchedulingUnsafe.setTurns(process, CompilerThreads::isOne, TURN);
    }

    /** They weigh as much as who runs kernels; only where {@link Precedence#isReversible}. */
    private void comeForward() throws IOException {
        SchedulingUnsafe.set(process, CompilerThreads::isOne, Precedence.usualAnd(0));
    }

    /** They come forward or step back, unless they have; one thread at a time. */
    public void forward(boolean wanted) throws IOException {
        if (wanted && !forward) {
            comeForward();
        } else if (forward && !wanted) {
            stepBack();
        }
        forward = wanted;
    }
}

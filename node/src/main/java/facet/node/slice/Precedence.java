package facet.node.slice;

import facet.os.SchedulingUnsafe;
import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * Which threads of a JVM step back for those that do the slices' work. Nobody gave the JVM's
 * compilers a seat: where they and a neighbour's kernel want one core, the kernel is to have most
 * of it.
 */
public final class Precedence {
    /** More than the daemon's own: a quarter of what others weigh, about. */
    private static final int COMPILERS = 6;

    /** Longer than those of who runs kernels, which are not to wait for the end of one. */
    private static final long COMPILERS_TURN = 20_000_000;

    private final boolean reversible;

    private Precedence(boolean reversible) {
        this.reversible = reversible;
    }

    /** Finds out what the system allows. */
    public static Precedence find() throws IOException {
        try {
            return new Precedence(SchedulingUnsafe.isReversible());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private static boolean isCompiler(String thread) {
        return thread.startsWith("C1 Compiler") || thread.startsWith("C2 Compiler");
    }

    private static int usualAnd(int more) {
        return Math.min(SchedulingUnsafe.ownNiceness() + more, SchedulingUnsafe.MOST_NICE);
    }

    /** The compilers of a JVM step back. */
    public static void compilersStepBack(int process) throws IOException {
        SchedulingUnsafe.set(process, Precedence::isCompiler, usualAnd(COMPILERS));
        SchedulingUnsafe.setTurns(process, Precedence::isCompiler, COMPILERS_TURN);
    }

    /** All of a process steps back that has just been started, if it can come forward again. */
    public void inBackground(int process) throws IOException {
        if (reversible) {
            SchedulingUnsafe.set(process, name -> true, SchedulingUnsafe.MOST_NICE);
        }
    }

    /** A JVM is there for somebody now. */
    public void inForeground(int process) throws IOException {
        if (reversible) {
            SchedulingUnsafe.set(process, name -> !isCompiler(name), usualAnd(0));
        }
        compilersStepBack(process);
    }
}

package facet.node.slice;

import facet.os.SchedulingUnsafe;
import java.io.IOException;
import java.io.InterruptedIOException;

/** Which threads of a JVM step back for those that do the slices' work. */
public final class Precedence {
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

    /** Whether who has stepped back may come forward again. */
    public boolean isReversible() {
        return reversible;
    }

    static int usualAnd(int more) {
        return Math.min(SchedulingUnsafe.ownNiceness() + more, SchedulingUnsafe.MOST_NICE);
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
            SchedulingUnsafe.set(process, name -> !CompilerThreads.isOne(name), usualAnd(0));
        }
        new CompilerThreads(process).stepBack();
    }
}

package facet.device.cpu;

import facet.jit.runtime.Block;
import facet.jit.runtime.KernelFault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asserts that failed in the kernels of a context: a line for each thread, as CUDA prints them. A
 * launch goes on without the threads that failed, so that the others can tell, too; but not for
 * long, since nothing of the context is of use any more. Any thread.
 */
final class Assertions {
    /** Characters of all lines: what does not fit is not told. */
    private static final int MOST_TEXT = 1 << 18;

    /** Polls of all kernels of the context behind the first failure, each some 100 µs of work. */
    private static final int MOST_POLLS = 2_000;

    /**
     * The first one that failed.
     *
     * @param where block and thread, for people
     */
    record First(KernelFault fault, String where) {}

    private final List<String> lines = new ArrayList<>();
    private final Set<Long> launches = new HashSet<>();
    private volatile @Nullable First first;
    private int text;
    private int polls;

    /** Throws when there is no room for more of them. */
    synchronized void add(Block block, KernelFault fault) {
        if (first == null) {
            first = new First(fault, Faults.where(block, fault.thread()));
        }
        launches.add(block.grid.id());
        String line = String.valueOf(fault.getMessage());
        if (line.length() > MOST_TEXT - text) {
            text = MOST_TEXT; // shorter lines that come later are not told either
            throw stop();
        }
        text += line.length();
        lines.add(line);
    }

    /** Throws when kernels have run on for long enough. */
    void poll() {
        if (first != null && isLate()) {
            throw stop();
        }
    }

    private static KernelFault stop() {
        return new KernelFault(KernelFault.Cause.STOPPED, "an assert has failed", 0);
    }

    private synchronized boolean isLate() {
        return ++polls > MOST_POLLS;
    }

    /** Whether one failed in this launch. */
    boolean isIn(long launch) {
        return first != null && contains(launch);
    }

    private synchronized boolean contains(long launch) {
        return launches.contains(launch);
    }

    Optional<First> first() {
        return Optional.ofNullable(first);
    }

    /** So far. */
    synchronized List<String> lines() {
        return List.copyOf(lines);
    }
}

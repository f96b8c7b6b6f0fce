package facet.node.worker;

import facet.host.ledger.MachineMemory;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * What a worker without a slice may have, by what the daemon sees of it from outside. Nobody pays
 * for it, and what is in it may do what it likes.
 *
 * @param time how long it stays
 * @param processor time that it uses meanwhile: compilers finish what they began
 * @param memory bytes of its own
 * @param scarce whether the machine needs its memory for something else
 */
public record Keeping(Duration time, Duration processor, long memory, BooleanSupplier scarce) {
    private static final Duration PROCESSOR = Duration.ofSeconds(3);
    private static final long MEMORY = 512L << 20;

    public static Keeping usual(Duration time) {
        return new Keeping(time, PROCESSOR, MEMORY, MachineMemory::isScarce);
    }
}

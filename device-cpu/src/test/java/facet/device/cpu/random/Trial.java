package facet.device.cpu.random;

import facet.device.Device;
import facet.device.cpu.random.Comparison.Case;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Compares the device with the interpreter over many seeds. {@code -Dfacet.seed=N} repeats one
 * kernel, with {@code -Dfacet.random.count=N} so many from there on.
 */
final class Trial {
    private static final long PATIENCE = Duration.ofSeconds(60).toNanos();
    private static final int FAILURES = Integer.getInteger("facet.random.failures", 3);

    private Trial() {}

    /** The first few failures, each with a smaller kernel that still fails. */
    static List<String> failures(
            Device device, LongFunction<GeneratedKernel> generator, int usualCount) {
        Long only = Long.getLong("facet.seed");
        long first = only != null ? only : 1;
        int count = Integer.getInteger("facet.random.count", only != null ? 1 : usualCount);
        Comparison comparison = new Comparison(device, PATIENCE);
        List<String> failures = new ArrayList<>();
        for (long seed = first; seed < first + count && failures.size() < FAILURES; seed++) {
            GeneratedKernel kernel = generator.apply(seed);
            Optional<String> difference = difference(comparison, kernel);
            if (difference.isPresent()) {
                failures.add(
                        "seed %d: %s; repeat with -Dfacet.seed=%d\n%s"
                                .formatted(
                                        seed,
                                        difference.get(),
                                        seed,
                                        Shrink.shrink(device, kernel)));
            }
        }
        return failures;
    }

    private static Optional<String> difference(Comparison comparison, GeneratedKernel kernel) {
        try {
            return comparison.difference(Case.of(kernel), kernel.seed());
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + kernel.seed() + "\n" + kernel, e);
        }
    }
}

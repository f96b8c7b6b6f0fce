package facet.device.cpu.random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.fail;

import facet.device.Device;
import facet.device.cpu.CpuDevice;
import facet.device.cpu.random.Comparison.Case;
import facet.ptx.Module;
import facet.ptx.Parser;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Random kernels on the software GPU against the interpreter. {@code -Dfacet.seed=N} repeats one
 * kernel, {@code -Dfacet.random.count=N} says how many to try, {@code -Dfacet.random.first=N} where to
 * start.
 */
final class RandomKernelTest {
    private static final Device DEVICE = CpuDevice.create();
    private static final long PATIENCE = Duration.ofSeconds(10).toNanos();
    private static final int FAILURES = Integer.getInteger("facet.random.failures", 3);

    @AfterAll
    static void close() {
        DEVICE.close();
    }

    @Test
    void deviceAgreesWithInterpreter() {
        check(KernelGenerator::generate, Case::of, 400);
    }

    @Test
    void rowsOfThreadsAgreeWithInterpreter() {
        check(RowGenerator::generate, Case::rows, 200);
    }

    private static void check(
            LongFunction<GeneratedKernel> generator,
            Function<GeneratedKernel, Case> how,
            int usual) {
        Long only = Long.getLong("facet.seed");
        long first = only != null ? only : Long.getLong("facet.random.first", 1);
        int count = only != null ? 1 : Integer.getInteger("facet.random.count", usual);
        Comparison comparison = new Comparison(DEVICE, PATIENCE);
        List<String> failures = new ArrayList<>();
        for (long seed = first; seed < first + count && failures.size() < FAILURES; seed++) {
            GeneratedKernel kernel = generator.apply(seed);
            Optional<String> difference = difference(comparison, kernel, how);
            if (difference.isPresent()) {
                GeneratedKernel small = Shrink.shrink(DEVICE, kernel, how);
                failures.add(
                        "seed %d: %s; repeat with -Dfacet.seed=%d\n%s"
                                .formatted(seed, difference.get(), seed, small));
            }
        }
        if (!failures.isEmpty()) {
            fail(String.join("\n\n", failures));
        }
    }

    private static Optional<String> difference(
            Comparison comparison, GeneratedKernel kernel, Function<GeneratedKernel, Case> how) {
        try {
            return comparison.difference(how.apply(kernel), kernel.seed());
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + kernel.seed() + "\n" + kernel, e);
        }
    }

    /** Otherwise the kernels above would prove nothing. */
    @Test
    void orderOfThreadsDoesNotShow() {
        for (long seed = 1; seed <= 30; seed++) {
            GeneratedKernel kernel = KernelGenerator.generate(seed);
            Module module = Parser.parse(kernel.text());
            byte[] one = kernel.memory();
            byte[] two = kernel.memory();
            Comparison.interpret(module, Case.of(kernel), 1 << 20, one, 1);
            Comparison.interpret(module, Case.of(kernel), 1 << 20, two, 2);
            assertArrayEquals(one, two, "seed " + seed);
        }
    }
}

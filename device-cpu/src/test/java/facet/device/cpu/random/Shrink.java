package facet.device.cpu.random;

import facet.device.Device;
import facet.device.cpu.random.Comparison.Case;

import java.time.Duration;

/** Leaves statements out of a kernel that fails, while it still fails. */
final class Shrink {
    private static final long PATIENCE = Duration.ofSeconds(2).toNanos();
    private static final long LIMIT = Duration.ofSeconds(40).toNanos();

    private Shrink() {}

    static GeneratedKernel shrink(Device device, GeneratedKernel kernel) {
        Comparison comparison = new Comparison(device, PATIENCE);
        long deadline = System.nanoTime() + LIMIT;
        GeneratedKernel smallest = kernel;
        boolean smaller = true;
        while (smaller) {
            smaller = false;
            for (int i = 0; i < smallest.statements().groups(); ) {
                if (System.nanoTime() > deadline) {
                    return smallest;
                }
                GeneratedKernel candidate = smallest.with(smallest.statements().without(i));
                if (fails(comparison, candidate)) {
                    smallest = candidate;
                    smaller = true;
                } else {
                    i++;
                }
            }
        }
        return smallest;
    }

    private static boolean fails(Comparison comparison, GeneratedKernel kernel) {
        try {
            return comparison.difference(Case.of(kernel), kernel.seed()).isPresent();
        } catch (RuntimeException e) {
            return false;
        }
    }
}

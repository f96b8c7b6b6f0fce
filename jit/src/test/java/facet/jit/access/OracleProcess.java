package facet.jit.access;

import java.util.Optional;

/** A process that an access outside of all memory may end: that is a difference, too. */
final class OracleProcess {
    private OracleProcess() {}

    /** Takes the first seed and how many accesses to try. */
    public static void main(String[] arguments) {
        long seed = Long.parseLong(arguments[0]);
        long most = Long.parseLong(arguments[1]);
        try (AccessOracle oracle = new AccessOracle()) {
            long shown = System.nanoTime();
            while (oracle.accesses() < most) {
                Optional<String> difference = oracle.tryKernel(seed);
                if (difference.isPresent()) {
                    System.out.println(difference.get());
                    System.out.println("repeat with -Dfacet.seed=" + seed);
                    System.exit(1);
                }
                seed++;
                if (System.nanoTime() - shown > 60_000_000_000L) {
                    shown = System.nanoTime();
                    System.out.println("seed " + seed + ": " + oracle.summary());
                }
            }
            System.out.println(oracle.summary());
            System.exit(oracle.hasSeenEverything() ? 0 : 2);
        }
    }
}

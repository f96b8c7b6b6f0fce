package facet.cli.selftest;

import java.util.List;

/** All of them, in the order in which they are run. */
public final class Checks {
    private static final List<Check> ALL =
            List.of(
                    new QuotaCheck(),
                    new FaultCheck(),
                    new SharesCheck(),
                    new CapCheck(),
                    new PriorityCheck(),
                    new CallsCheck(),
                    new EngineComparison());

    private Checks() {}

    public static List<Check> all() {
        return ALL;
    }
}

package facet.node;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Collects what programs have left behind in the heap while there is little of it. By itself the
 * collector would rather let the old generation grow to all that the machine allows, and then stop
 * everybody for as long as that takes; kernels that were unloaded would keep their classes and code
 * until then. A collection takes as long as what is alive is large, so it waits for a moment in
 * which no program is there, as long as it can.
 */
final class Housekeeping implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofSeconds(5);

    /** Left behind so far: too little to collect it. */
    private static final long LITTLE = 4 << 20;

    /** So much is collected when nobody is disturbed. */
    private static final long SOME = 16 << 20;

    /** So much is collected whoever is disturbed. */
    private static final long MUCH = 96 << 20;

    /** Without a program for so many looks: nobody comes soon. */
    private static final int QUIET = 6;

    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final Optional<MemoryPoolMXBean> old;
    private final BooleanSupplier idle;
    private final Thread thread;
    private int quiet;

    /** Classes and code after the last collection here. */
    private long code;

    /**
     * @param idle whether no program uses a device
     */
    private Housekeeping(BooleanSupplier idle) {
        this.idle = idle;
        old =
                ManagementFactory.getMemoryPoolMXBeans().stream()
                        .filter(each -> each.getType() == MemoryType.HEAP)
                        .filter(each -> each.getName().contains("Tenured"))
                        .findFirst();
        code = code();
        thread = Thread.ofVirtual().name("facet-housekeeping").unstarted(this::lookAgain);
    }

    /** Does nothing where the JVM has another kind of collector. */
    static Housekeeping start(BooleanSupplier idle) {
        Housekeeping housekeeping = new Housekeeping(idle);
        housekeeping.thread.start();
        return housekeeping;
    }

    private void lookAgain() {
        try {
            while (old.isPresent()) {
                Thread.sleep(PERIOD);
                look(old.get());
            }
        } catch (InterruptedException e) {
            // Closed; nobody looks at this thread afterwards.
            Thread.currentThread().interrupt();
        }
    }

    /** Kernels that were unloaded are part of it until a collection takes them. */
    private long code() {
        return memory.getNonHeapMemoryUsage().getUsed();
    }

    @SuppressWarnings("ExplicitGC") // what this class is for
    private void look(MemoryPoolMXBean pool) {
        MemoryUsage after = pool.getCollectionUsage();
        long alive = (after == null ? 0 : after.getUsed()) + code;
        quiet = idle.getAsBoolean() ? quiet + 1 : 0;
        if (isDue(pool.getUsage().getUsed() + code(), alive, quiet)) {
            System.gc();
            code = code();
        }
    }

    /**
     * @param used bytes of the old generation, and of classes and code
     * @param alive what was left of that after the last collection
     * @param quiet looks without a program, up to now
     */
    static boolean isDue(long used, long alive, int quiet) {
        long left = used - alive;
        if (quiet > 0) {
            return left > (quiet == QUIET ? LITTLE : SOME);
        }
        return left > Math.max(MUCH, alive);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}

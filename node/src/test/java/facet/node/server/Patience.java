package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.BooleanSupplier;

/** Waiting for what happens by itself, however busy the machine is. */
public final class Patience {
    private Patience() {}

    public static void await(BooleanSupplier condition, String what) throws InterruptedException {
        long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, what);
            Thread.sleep(2);
        }
    }

    public static void awaitSessions(SliceServer slice, int count) throws InterruptedException {
        await(() -> slice.sessions().size() == count, "sessions: " + slice.sessions());
    }
}

package facet.host.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PageAuditTest {
    private static final long MEBIBYTE = 1L << 20;
    private static final long LIMIT = 1024 * MEBIBYTE;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long limit = LIMIT;
    private final PageAudit audit = new PageAudit(() -> limit, () -> LIMIT, List::of);
    private final Session first = new Session();
    private final Session second = new Session();

    @AfterEach
    void close() {
        audit.close();
    }

    /** A session whose figures the test sets. In mebibytes. */
    private static final class Session implements PageAudit.Watched {
        private long resident;
        private long counted;
        private long host;
        private long pages;
        private long returning;
        private boolean drained = true;
        private @Nullable String expelled;

        private void has(long allocated, long used) {
            counted = allocated;
            pages = allocated;
            resident = used;
        }

        @Override
        public long resident() {
            return resident * MEBIBYTE;
        }

        @Override
        public long counted() {
            return counted * MEBIBYTE;
        }

        @Override
        public long host() {
            return host * MEBIBYTE;
        }

        @Override
        public long pages() {
            return pages * MEBIBYTE;
        }

        @Override
        public long returning() {
            return returning * MEBIBYTE;
        }

        @Override
        public boolean isDrained() {
            return drained;
        }

        @Override
        public void expel(String why) {
            expelled = why;
        }
    }

    private void look(double seconds) {
        audit.look((long) (seconds * SECOND), List.of(first, second));
    }

    @Test
    void whatIsAllocatedOrKeptMayBeUsed() {
        first.has(500, 500 + 64 + 16);
        second.has(0, 0);
        look(0);
        look(100);
        assertNull(first.expelled);
    }

    @Test
    void whoUsesMoreThanItAllocatedIsEndedAfterASecond() {
        first.has(100, 100 + 64 + 17);
        look(0);
        look(0.9);
        assertNull(first.expelled);
        look(1.1);
        assertEquals(
                "it uses 181 MiB of memory and has allocated 100 MiB of its slice and 0 bytes of"
                        + " the machine; the slice uses 181 MiB of 1 GiB",
                first.expelled);
        assertNull(second.expelled);
    }

    @Test
    void whoIsBeyondForAMomentStays() {
        first.has(100, 300);
        look(0);
        first.has(300, 300);
        look(0.5);
        first.has(100, 300);
        look(1.2);
        look(2.1);
        assertNull(first.expelled);
        look(2.3);
        assertTrue(first.expelled != null);
    }

    @Test
    void commandsThatWereNotSeenAreWaitedForButNotForEver() {
        first.has(100, 300);
        first.drained = false;
        look(0);
        look(29);
        assertNull(first.expelled);
        look(31);
        assertTrue(first.expelled != null);
    }

    /** Many small allocations, each on a page of its own. */
    @Test
    void piecesOfPagesCountAsWhole() {
        first.has(20, 320);
        first.pages = 320;
        look(0);
        look(5);
        assertNull(first.expelled);
    }

    @Test
    void allTogetherAreBoundedAndTheWorstIsEnded() {
        first.has(500, 900);
        first.pages = 900;
        second.has(500, 540);
        look(0);
        look(2);
        assertTrue(first.expelled != null);
        assertNull(second.expelled);
    }

    @Test
    void whoHasWhatItWasGivenBeforeTheLimitWasLoweredStays() {
        first.has(700, 760);
        second.has(300, 310);
        limit = LIMIT / 16;
        look(0);
        look(5);
        assertNull(first.expelled);
        assertNull(second.expelled);
    }

    /**
     * Freed, and on its way back to the system for longer than anybody else would be waited for.
     */
    @Test
    void whatIsAboutToBeTakenAwayIsNotHeldAgainstIt() {
        first.has(0, 900);
        first.returning = 900;
        second.has(900, 900);
        look(0);
        look(31);
        assertNull(first.expelled);
        assertNull(second.expelled);
        first.returning = 800;
        look(32);
        look(34);
        assertTrue(first.expelled != null);
        assertNull(second.expelled);
    }

    @Test
    void theMachinesMemoryIsNotTheSlices() {
        first.has(1000, 3000);
        first.host = 2000;
        first.pages = 3000;
        look(0);
        look(5);
        assertNull(first.expelled);
    }
}

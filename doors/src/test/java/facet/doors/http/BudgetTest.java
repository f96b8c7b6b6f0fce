package facet.doors.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helidon.http.HeaderValues;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What those without a token may cost, by a clock that the test moves. */
final class BudgetTest {
    private static final long SECOND = 1_000_000_000;

    private final AtomicLong now = new AtomicLong();
    private final Budget budget = new Budget(now::get, now::addAndGet);

    /** Requests that are let in, some after a wait. */
    private int admitted(int asked) {
        int admitted = 0;
        for (int i = 0; i < asked; i++) {
            admitted += budget.reserve() <= 2 * SECOND ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void aCrowdGetsATenthOfACore() {
        long before = now.get();
        long served = 0;
        while (now.get() - before < 60 * SECOND) {
            now.addAndGet(SECOND / 100);
            served += admitted(1000);
        }
        assertTrue(served * Budget.REQUEST_NANOS <= 0.11 * 63 * SECOND, () -> "served too many");
        assertTrue(served * Budget.REQUEST_NANOS >= 0.09 * 60 * SECOND, () -> "served too few");
    }

    @Test
    void whoWouldWaitForLongIsRefused() {
        for (int i = 0; i < 10; i++) {
            budget.spend(SECOND);
        }
        Refusal refusal = assertThrows(Refusal.class, budget::enter);
        assertEquals(429, refusal.status());
        now.addAndGet(20 * SECOND);
        budget.enter();
    }

    @Test
    void oneThatAsksNowAndThenNeverWaits() {
        for (int i = 0; i < 100; i++) {
            assertEquals(0, budget.reserve());
            budget.spend(10_000_000);
            budget.send(1 << 20);
            now.addAndGet(SECOND);
        }
    }

    private static KeptAnswers.Answer answer(int length) {
        return new KeptAnswers.Answer(HeaderValues.CONTENT_TYPE_JSON, new byte[length]);
    }

    @Test
    void anAnswerIsMadeAndPackedOnce() {
        KeptAnswers answers = new KeptAnswers(budget, now::get);
        AtomicInteger made = new AtomicInteger();
        Supplier<KeptAnswers.Answer> maker = () -> answer(10_000 + made.incrementAndGet());
        byte[] first = answers.find("a", SECOND, false, maker).body();
        byte[] packed = answers.find("a", SECOND, true, maker).body();
        for (int i = 0; i < 32; i++) {
            assertSame(first, answers.find("a", SECOND, false, maker).body());
            assertSame(packed, answers.find("a", SECOND, true, maker).body());
        }
        assertEquals(1, made.get());
        assertTrue(packed.length < first.length);
        assertArrayEquals(Gzip.pack(first), packed);
        now.addAndGet(SECOND);
        assertNotSame(first, answers.find("a", SECOND, false, () -> answer(1)).body());
    }

    @Test
    void keptAnswersTakeLittleMemory() {
        KeptAnswers answers = new KeptAnswers(budget, now::get);
        AtomicInteger made = new AtomicInteger();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 100; i++) {
                answers.find(
                        i,
                        Long.MAX_VALUE,
                        false,
                        () -> {
                            made.incrementAndGet();
                            return answer(1 << 20);
                        });
            }
        }
        assertEquals(200, made.get(), "all were made anew: none of the first round was kept");
    }
}

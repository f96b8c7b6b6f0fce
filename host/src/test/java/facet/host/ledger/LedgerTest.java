package facet.host.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class LedgerTest {
    private final LedgerMemory memory;
    private final Ledger ledger;
    private final AtomicReference<String> firstEnded = new AtomicReference<>();
    private final AtomicReference<String> secondEnded = new AtomicReference<>();

    private volatile boolean firstLeaves;

    LedgerTest() throws IOException {
        memory = LedgerMemory.create("test", 100, 2);
        ledger = new Ledger(memory, 0);
        ledger.join(0, () -> true, () -> firstLeaves, firstEnded::set);
        ledger.join(1, () -> true, () -> false, secondEnded::set);
    }

    @AfterEach
    void close() {
        ledger.leave(0);
        ledger.leave(1);
        memory.close();
    }

    @Test
    void claimsAreGrantedUpToTheLimit() {
        assertTrue(ledger.claim(0, 60));
        assertFalse(ledger.claim(1, 60));
        assertTrue(ledger.claim(1, 40));
        assertEquals(100, memory.taken(0));
        memory.add(0, 0, -60);
        assertTrue(ledger.claim(1, 60));
        assertFalse(ledger.claim(1, 101));
        assertFalse(ledger.claim(1, -1));
        assertFalse(ledger.claim(1, Long.MAX_VALUE));
        assertEquals(100, memory.taken(0));
    }

    @Test
    void whatOneHasPaidForAnotherPays() {
        assertTrue(ledger.take(0, 100));
        ledger.add(1, 60);
        ledger.give(0, 60);
        assertEquals(40, ledger.held(0));
        assertEquals(60, ledger.held(1));
        assertEquals(100, memory.taken(0));
        ledger.add(7, 60); // has left
        assertEquals(100, memory.taken(0));
    }

    @Test
    void aClaimWaitsForWhatOthersTakeBack() throws Exception {
        memory.add(0, 1, 90);
        Thread other =
                Thread.ofPlatform()
                        .start(() -> {
                            LockSupport.parkNanos(100_000);
                            memory.add(0, 1, -90);
                        });
        Ledger patient = new Ledger(memory, 0, TimeUnit.MINUTES.toNanos(1));
        assertTrue(patient.claim(0, 50));
        other.join();
    }

    @Test
    void aClaimWaitsForWhoIsAboutToLeave() throws Exception {
        assertTrue(ledger.claim(0, 90));
        firstLeaves = true;
        CompletableFuture<Boolean> claim = CompletableFuture.supplyAsync(() -> ledger.claim(1, 50));
        // Longer than it would wait for one that stays.
        assertThrows(TimeoutException.class, () -> claim.get(200, TimeUnit.MILLISECONDS));
        ledger.leave(0);
        assertTrue(claim.get(), "the room that was given back");
    }

    @Test
    void aClaimDoesNotWaitWhereThatWouldNotHelp() {
        assertTrue(ledger.claim(0, 10));
        assertTrue(ledger.claim(1, 60));
        firstLeaves = true;
        assertFalse(ledger.claim(1, 50), "60 and 50 do not fit even alone");
        assertFalse(ledger.claim(0, 50), "it is leaving itself");
    }

    /** Programs count what they have before the host has read of it. */
    @Test
    void whatIsUsedIsWhatProgramsSee() {
        memory.add(0, 0, 30);
        assertEquals(30, ledger.used(0));
        assertTrue(ledger.allocate(0, 30));
        assertEquals(30, ledger.used(0));
        memory.add(0, 0, -30);
        assertEquals(30, ledger.used(0), "it has it until the host has read of it");
        memory.add(0, 0, 60);
        memory.add(0, 1, 60);
        assertEquals(30, ledger.used(0), "somebody claims what is not there");
        assertEquals(0, ledger.used(1));
        assertEquals(0, ledger.used(5), "nobody there");
    }

    @Test
    void nobodyHasMoreThanTheLimit() {
        assertTrue(ledger.allocate(0, 100));
        assertFalse(ledger.allocate(0, 1));
        assertFalse(ledger.allocate(7, 1), "a slot that nobody has");
        assertFalse(ledger.allocate(1, -5));
        ledger.release(0, 100);
        assertTrue(ledger.allocate(0, 1));
        assertEquals(1, ledger.held(0));
    }

    @Test
    void whoFreedIsWaitedForAndNobodyEnds() throws Exception {
        // The second session takes what the first one has freed; the host has not seen that yet.
        assertTrue(ledger.allocate(0, 60));
        memory.add(0, 1, 60);
        assertTrue(ledger.allocate(1, 60));
        Thread.sleep(300);
        ledger.release(0, 60);
        Thread.sleep(1500);
        assertNull(firstEnded.get());
        assertNull(secondEnded.get());
    }

    @Test
    void whoSaysLessThanItHasIsEnded() throws Exception {
        assertTrue(ledger.allocate(0, 60));
        memory.add(0, 1, 60);
        assertTrue(ledger.allocate(1, 60));
        long end = System.nanoTime() + 60_000_000_000L;
        while (firstEnded.get() == null && System.nanoTime() < end) {
            Thread.sleep(10);
        }
        assertTrue(String.valueOf(firstEnded.get()).contains("60 bytes"), firstEnded.get());
        assertNull(secondEnded.get());
        ledger.leave(0);
        assertEquals(0, ledger.held(0));
    }

    /** Each says what it has, but the sum is too much: somebody changed the shared page. */
    @Test
    void ofManyThatAreTooManyTogetherTheLastAreEnded() throws Exception {
        AtomicReference<String> thirdEnded = new AtomicReference<>();
        ledger.join(
                2,
                () -> true,
                () -> false,
                why -> {
                    thirdEnded.set(why);
                    ledger.leave(2);
                });
        for (int slot = 0; slot < 3; slot++) {
            memory.add(0, slot, 60);
            assertTrue(ledger.allocate(slot, 60));
        }
        while (secondEnded.get() == null || thirdEnded.get() == null) {
            Thread.sleep(5);
        }
        assertNull(firstEnded.get());
        ledger.leave(1);
        assertEquals(60, ledger.held(0));
    }

    @Test
    void theSumOfTwoThatRaceIsNeverBeyondTheLimit() throws Exception {
        AtomicLong most = new AtomicLong();
        AtomicLong granted = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int slot = 0; slot < 2; slot++) {
            int own = slot;
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < 20_000; i++) {
                                    if (take(own, 60)) {
                                        granted.incrementAndGet();
                                        most.accumulateAndGet(
                                                ledger.held(0) + ledger.held(1), Math::max);
                                        ledger.release(own, 60);
                                        memory.add(0, own, -60);
                                    }
                                }
                            }));
        }
        for (Thread each : threads) {
            each.join();
        }
        assertTrue(granted.get() > 100, granted + " granted");
        assertEquals(60, most.get());
        assertEquals(0, memory.taken(0));
        assertNull(firstEnded.get());
    }

    /** As a client does it: its own counter first, then the sum. */
    private boolean take(int slot, long bytes) {
        memory.add(0, slot, bytes);
        if (memory.taken(0) > 100) {
            memory.add(0, slot, -bytes);
            return false;
        }
        return ledger.allocate(slot, bytes);
    }

    @Test
    void whatTheHostTakesIsGivenBackOnce() {
        assertTrue(ledger.take(0, 30));
        assertEquals(30, memory.claimed(0, 0));
        ledger.give(0, 30);
        assertEquals(0, memory.claimed(0, 0));
        assertTrue(ledger.take(0, 30));
        ledger.leave(0);
        ledger.give(0, 30);
        assertEquals(0, memory.taken(0));
    }

    @Test
    void devicesAreCountedApart() {
        Ledger second = new Ledger(memory, 1);
        second.join(0, () -> true, () -> false, firstEnded::set);
        assertTrue(ledger.take(0, 100));
        assertTrue(second.take(0, 100));
        assertFalse(ledger.claim(0, 1));
        assertFalse(second.claim(0, 1));
        ledger.give(0, 100);
        assertFalse(second.claim(0, 1));
        assertTrue(ledger.claim(0, 100));
        assertEquals(100, second.held(0));
        second.leave(0);
        assertEquals(0, memory.taken(1));
    }

    @Test
    void nonsenseInTheSharedPageIsMoreThanThereIs() {
        memory.add(0, 1, -5);
        assertFalse(ledger.claim(0, 10));
        memory.add(0, 1, Long.MIN_VALUE);
        assertFalse(ledger.claim(0, 10));
        ledger.leave(1);
        assertTrue(ledger.claim(0, 10));
    }

    @Test
    void aHigherLimitHoldsAtOnce() {
        assertFalse(ledger.claim(0, 150));
        Ledger.limit(List.of(ledger), 200);
        assertTrue(ledger.claim(0, 150));
        assertTrue(ledger.allocate(0, 150));
        assertFalse(ledger.claim(1, 60));
        assertEquals(150, memory.taken(0));
    }

    @Test
    void whoHasMoreThanALoweredLimitKeepsIt() throws Exception {
        assertTrue(ledger.take(0, 60));
        assertTrue(ledger.take(1, 40));
        Ledger.limit(List.of(ledger), 50);
        assertEquals(60, memory.claimed(0, 0));
        assertEquals(100, memory.taken(0));
        assertFalse(ledger.claim(1, 1));
        // Claimed before its client could see the new limit, seen by the host afterwards.
        ledger.give(1, 40);
        memory.add(0, 1, 40);
        assertTrue(ledger.allocate(1, 40));
        Thread.sleep(1500);
        assertNull(firstEnded.get());
        assertNull(secondEnded.get());
        ledger.give(0, 60);
        assertFalse(ledger.claim(1, 11));
        assertTrue(ledger.take(1, 10));
        assertFalse(ledger.claim(0, 1));
        assertEquals(50, memory.taken(0));
    }

    @Test
    void whoTakesMoreThanTheOldLimitIsStillEnded() throws Exception {
        assertTrue(ledger.take(0, 60));
        Ledger.limit(List.of(ledger), 50);
        assertTrue(ledger.allocate(1, 60));
        long end = System.nanoTime() + 60_000_000_000L;
        while (secondEnded.get() == null && System.nanoTime() < end) {
            Thread.sleep(10);
        }
        assertTrue(String.valueOf(secondEnded.get()).contains("60 bytes"), secondEnded.get());
        assertNull(firstEnded.get());
    }
}

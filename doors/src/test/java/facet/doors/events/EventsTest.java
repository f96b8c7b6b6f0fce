package facet.doors.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.log.Log;
import facet.log.Who;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class EventsTest {
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final Events events =
            new Events(
                    new Log(new PrintStream(lines, true, StandardCharsets.UTF_8), Log.Level.INFO));

    private String log() {
        return lines.toString(StandardCharsets.UTF_8);
    }

    @Test
    void anEventIsALineOfTheLogToo() {
        events.add(Kind.SLICE_CREATED, "train", "memory 4GiB");
        events.add(Kind.FAULT, Who.session(7, "bad", "train"), "fell\nover");
        List<Event> all = events.since(0, 10);
        assertEquals(
                "{sequence=1, time="
                        + all.getFirst().time()
                        + ", kind=slice-created, slice=train, text=memory 4GiB}",
                all.getFirst().row().toString());
        assertEquals("fell over", all.get(1).row().get("text"));
        assertEquals(7, all.get(1).row().get("session"));
        assertTrue(log().contains(" info [slice train] slice-created: memory 4GiB\n"), log());
        assertTrue(
                log().contains(" warning [session 7 bad, slice train] fault: fell over\n"), log());
    }

    @Test
    void whatIsLoggedAlreadyIsNotLoggedTwice() {
        events.addLogged(Kind.FAULT, Who.slice("a"), "known");
        assertEquals(1, events.last());
        assertEquals("", log());
    }

    @Test
    void theOldestOfThoseThatCameLaterAreAnswered() {
        for (int i = 1; i <= 5; i++) {
            events.add(Kind.MEMORY_MOVED, "a", "move " + i);
        }
        assertEquals(
                List.of("move 3", "move 4"), events.since(2, 2).stream().map(Event::text).toList());
        assertEquals(5L, events.answer(5, 10).get("lastEvent"));
        assertEquals(List.of(), events.answer(5, 10).get("events"));
        assertEquals(List.of(), events.since(99, 10));
        assertEquals(List.of(), events.since(0, 0));
    }

    @Test
    void theLastOnesAreKept() {
        EventRing ring = new EventRing(3);
        for (int i = 1; i <= 8; i++) {
            ring.add(Kind.REFUSED, Who.part("http"), "number " + i);
        }
        assertEquals(
                List.of("number 6", "number 7", "number 8"),
                ring.since(0, 10).stream().map(Event::text).toList());
        assertEquals(8, ring.last());
    }

    @Test
    void aFloodOfOneSliceIsLeftOutAndSaidSo() {
        Events flooded = events.limited();
        for (int i = 0; i < 1000; i++) {
            flooded.add(Kind.SESSION_OPENED, Who.slice("noisy"), "again");
        }
        // A hundred at once, and one for each second that this took.
        assertTrue(events.last() >= 100 && events.last() < 200, "last is " + events.last());
        events.limited().add(Kind.SESSION_OPENED, Who.slice("quiet"), "heard");
        assertEquals("heard", events.since(events.last() - 1, 1).getFirst().text());
    }

    @Test
    void whoWaitsIsWoken() throws InterruptedException {
        long start = System.nanoTime();
        events.await(0, 50);
        assertTrue(System.nanoTime() - start >= 49_000_000);
        Thread waiter =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                events.await(0, 50_000);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
        events.add(Kind.SLICE_DELETED, "a", "removed");
        waiter.join(30_000);
        assertFalse(waiter.isAlive());
    }
}

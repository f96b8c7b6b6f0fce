package facet.place.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.place.Gang;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Requests come, end, are told to leave, move, fail with their nodes and begin anew. Whatever
 * happens, books and quotas add up, and promises are kept.
 */
final class EventsTest {
    private static final long SEED = Long.getLong("facet.seed", 7);

    @ParameterizedTest
    @CsvSource({"0, 50000", "1, 25000", "2, 25000"})
    void booksAddUpWhateverHappens(int number, int count) {
        List<Queue> queues =
                List.of(
                        new Queue("a", 12_000, 30_000),
                        new Queue("b", 12_000, 40_000),
                        new Queue("c", 6_000, 6_000));
        World world = new World(SEED + number, false, queues);
        while (world.events < count) {
            world.events++;
            world.passTo(world.now + world.random.nextInt(12));
            int kind = world.random.nextInt(200);
            if (kind == 0) {
                world.fail();
            } else if (kind < 6 && !world.closed.isEmpty()) {
                world.cluster.open(world.closed.removeFirst());
            } else if (world.dispatcher.waiting() < 60) {
                Gang gang = world.gang(queues);
                world.submit(gang, world.now);
            }
            world.decide();
            if (world.events % 7 == 0) {
                world.check();
            }
            for (Queue each : queues) {
                assertTrue(world.dispatcher.quotas().used(each.name()) <= each.limit());
            }
        }
        String said =
                "seed %d: started %d, evicted %d, spared %d, moved %d, gave up %d, failed %d"
                        .formatted(
                                SEED + number,
                                world.started,
                                world.evicted,
                                world.spared,
                                world.moved,
                                world.gaveUp,
                                world.failures);
        assertTrue(world.evicted > 50 && world.moved > 5 && world.failures > 20, said);
        assertTrue(world.gaveUp > 5 && world.spared > 0, said);
        world.closed.forEach(world.cluster::open);
        world.passTo(world.now + 1_000_000);
        world.decide();
        world.check();
        // Nobody waits who would fit in the empty cluster.
        assertEquals(0, world.dispatcher.ledger().count(), said);
        for (Queue queue : queues) {
            assertEquals(0, world.dispatcher.quotas().used(queue.name()), said);
            for (Gang each : world.dispatcher.waiting(queue.name())) {
                assertFalse(
                        each.jobs().size() == 1 && each.demand() <= queue.quota(),
                        each + " waits for nothing; " + said);
            }
        }
    }

    /** Jobs run as long as they said, and no node fails: then no promise is ever put off. */
    @ParameterizedTest
    @CsvSource({"0", "1", "2"})
    void backfillDelaysNobodyWhoWasPromisedRoom(int number) {
        List<Queue> queues = List.of(Queue.unlimited("a"));
        World world = new World(SEED + 100 + number, true, queues);
        while (world.events < 3000) {
            world.events++;
            world.passTo(world.now + world.random.nextInt(12));
            if (world.dispatcher.waiting() < 40) {
                Gang gang = world.gang(queues);
                world.submit(gang, world.now);
            }
            world.decide();
            world.promises(queues);
        }
        world.check();
        assertTrue(world.kept > 50, "only " + world.kept + " promises were kept");
    }
}

package facet.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Devices whose memory is moved out and in, as the daemon of a node has them. */
class LeastPromisedTest {
    private static Node device(String name, int memory, int shared) {
        Traits traits = Traits.NONE.withDeviceMemory(memory).withShared(shared);
        return new Node(name, "m", 1, 0, 0, traits);
    }

    private static Request request(int thousandths, int memory) {
        return new Request(1, new Share(thousandths, memory, 0, 0), Where.ANYWHERE, 0, 0);
    }

    private static Placer placer(Node... nodes) {
        Cluster cluster = new Cluster(List.of(nodes), new Models());
        return new Placer(cluster, Policies.named(Policies.OF_A_NODE), List.of(), 0);
    }

    private static int place(Placer placer, Request request) {
        return placer.place(request).map(Placement::node).orElse(-1);
    }

    @Test
    void theDeviceOfWhichLeastIsPromised() {
        Placer placer = placer(device("a", 8000, 8000), device("b", 4000, 4000));
        assertEquals(0, place(placer, request(0, 3000))); // 37 %, not 75
        assertEquals(1, place(placer, request(0, 3000))); // 75 % on both, nobody is there
        assertEquals(0, place(placer, request(0, 4000)));
        assertEquals(1, place(placer, request(0, Share.ALL_MEMORY))); // 175 %, not 187
        assertEquals(-1, place(placer, request(0, 8001)));
    }

    /** Memory may be promised as often as somebody asks; compute may not. */
    @Test
    void memoryIsSharedAndComputeIsNot() {
        Placer placer = placer(device("a", 1000, 400));
        for (int i = 0; i < 5; i++) {
            assertEquals(0, place(placer, request(200, 400)));
        }
        assertEquals(-1000, placer.ledger().cluster().unpromisedMemory(0));
        assertEquals(400, placer.ledger().cluster().freeMemory(0));
        assertEquals(
                "it fits nowhere\n"
                        + "1 device has the memory, but no 1/1000 of compute: the largest rest is"
                        + " 0\n",
                placer.explain(request(1, 400)).text());
        assertEquals(
                "it fits nowhere\n"
                        + "1 device has less than 401 MiB of device memory free: the most is 400"
                        + " MiB\n",
                placer.explain(request(1, 401)).text());
        placer.ledger().audit();
    }

    /** What is there was promised before, and is there whatever it is. */
    @Test
    void whatWasThereIsEntered() {
        Placer placer = placer(device("a", 1000, 1000));
        Ledger ledger = placer.ledger();
        int most = ledger.enterAgain(request(0, Integer.MAX_VALUE), 0, 1);
        ledger.enterAgain(request(0, Integer.MAX_VALUE), 0, 1);
        ledger.enterAgain(request(1000, 1), 0, 1);
        assertThrows(IllegalStateException.class, () -> ledger.enterAgain(request(1, 1), 0, 1));
        ledger.audit();
        ledger.leave(most);
        ledger.audit();
        assertEquals(1000L - Integer.MAX_VALUE - 1, ledger.cluster().unpromisedMemory(0));
    }

    @Test
    void booksOfSharedMemoryAddUp() {
        SplittableRandom random = new SplittableRandom(7);
        Placer placer = placer(device("a", 800, 800), device("b", 400, 300), device("c", 400, 0));
        List<Integer> tickets = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            if (tickets.size() > 40 || !tickets.isEmpty() && random.nextInt(3) == 0) {
                Collections.swap(tickets, random.nextInt(tickets.size()), tickets.size() - 1);
                placer.leave(tickets.removeLast());
            } else {
                placer.place(request(random.nextInt(300), 1 + random.nextInt(900)))
                        .ifPresent(each -> tickets.add(each.ticket()));
            }
            if (i % 1000 == 0) {
                placer.ledger().audit();
            }
        }
        placer.ledger().audit();
        tickets.forEach(placer::leave);
        placer.ledger().audit();
        assertEquals(800, placer.ledger().cluster().unpromisedMemory(0));
        assertEquals(0, placer.ledger().cluster().placements(0));
    }
}

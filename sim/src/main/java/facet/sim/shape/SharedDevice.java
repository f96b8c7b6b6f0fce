package facet.sim.shape;

import facet.sched.Board;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A device for a while: who brings work, and whose runs, by the rules of the daemon's own board.
 * One piece of work runs at a time; it leaves its place when the board says so, as on a device that
 * can pause. To change from one client to another costs time in which nobody runs.
 */
final class SharedDevice {
    /** What a change of clients costs. */
    private static final long SWITCH = 20_000;

    private record Coming(long time, int number, Client client) {}

    private final Board board = new Board(1);
    private final List<Client> clients = new ArrayList<>();
    private final PriorityQueue<Coming> coming =
            new PriorityQueue<>(
                    Comparator.comparingLong(Coming::time).thenComparingInt(Coming::number));
    private @Nullable Client on;
    private @Nullable Client last;
    private long now;
    private long busy;

    void add(Client client) {
        board.join(client, now);
        clients.add(client);
        coming.add(new Coming(client.next(now), clients.size(), client));
    }

    /** Nanoseconds in which work ran, without changes from one client to another. */
    long busy() {
        return busy;
    }

    void run(long until) {
        long look = 0;
        while (now < until) {
            long next = Math.min(until, look);
            Coming first = coming.peek();
            if (first != null) {
                next = Math.min(next, first.time());
            }
            Client runs = on;
            if (runs != null) {
                next = Math.min(next, Math.min(now + runs.queue.getFirst().rest, deadline()));
            }
            pass(Math.max(now, next));
            arrive();
            step();
            look = on == null ? board.nextPick(now) : Board.NEVER;
            look = Math.max(look, now + 1);
        }
    }

    /** It asks again at the next moment at the earliest. */
    private long deadline() {
        return Math.max(now + 1, board.deadline(0));
    }

    private void pass(long time) {
        Client runs = on;
        if (runs != null) {
            runs.queue.getFirst().rest -= time - now;
            busy += time - now;
        }
        now = time;
    }

    private void arrive() {
        while (!coming.isEmpty() && coming.peek().time() <= now) {
            Coming each = coming.remove();
            each.client().queue.add(each.client().work(each.time()));
            board.waiting(each.client(), 1, now);
            if (!each.client().returns()) {
                coming.add(
                        new Coming(each.client().next(each.time()), each.number(), each.client()));
            }
        }
    }

    private void step() {
        Client runs = on;
        if (runs != null) {
            Client.Work work = runs.queue.getFirst();
            if (work.rest <= 0) {
                runs.queue.removeFirst();
                runs.ended(work, now);
                board.release(0, now);
                on = null;
                if (runs.returns()) {
                    coming.add(new Coming(runs.next(now), clients.indexOf(runs) + 1, runs));
                }
            } else if (now >= board.deadline(0) && board.givesWay(0, now)) {
                board.release(0, now);
                board.waiting(runs, 1, now);
                on = null;
            }
        }
        if (on == null && board.pick(0, now) instanceof Client picked) {
            if (last != null && last != picked) {
                picked.queue.getFirst().rest += SWITCH;
                busy -= SWITCH;
            }
            on = picked;
            last = picked;
        }
    }
}

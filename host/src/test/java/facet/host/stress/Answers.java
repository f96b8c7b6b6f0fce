package facet.host.stress;

import facet.abi.Constants;
import facet.ring.ReplySlots;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Answers calls in random order from threads of its own; some not before the caller sleeps. Nobody
 * else answers a call, so its caller is sure to go to sleep.
 */
final class Answers {
    private record Call(int slot, long sequence, int result, long[] payload, boolean afterReader) {}

    private final ReplySlots replies;
    private final Shared shared;
    private final List<Call> pending = new ArrayList<>();
    private long waiting;

    /** Nobody is answered before all slots are taken. */
    private boolean untilFull;

    Answers(ReplySlots replies, Shared shared) {
        this.replies = replies;
        this.shared = shared;
    }

    synchronized void holdUntilFull() {
        untilFull = true;
    }

    /**
     * @param slot of the header: from 1
     */
    void add(int slot, long sequence, int result, long... payload) {
        add(slot, sequence, result, payload, false);
    }

    /** A call beside which there is no other: answered when its caller and the reader sleep. */
    void addAlone(int slot, long sequence, int result, long... payload) {
        add(slot, sequence, result, payload, true);
    }

    private synchronized void add(
            int slot, long sequence, int result, long[] payload, boolean afterReader) {
        int index = slot - 1;
        if (index < 0 || index >= Constants.REPLY_SLOTS || (waiting & 1L << index) != 0) {
            throw new AssertionError("two calls wait at slot " + index);
        }
        waiting |= 1L << index;
        pending.add(new Call(index, sequence, result, payload, afterReader));
        notifyAll();
    }

    /** The work of one thread. */
    void run(Random random) throws InterruptedException {
        while (true) {
            List<Call> calls = take(random);
            boolean late = random.nextInt(4) == 0;
            for (Call each : calls) {
                if (late || each.afterReader) {
                    Shared.await(() -> shared.callerSleeps(each.slot));
                }
                if (each.afterReader) {
                    Shared.await(shared.commands::readerSleeps);
                }
            }
            for (Call each : calls) {
                synchronized (this) {
                    waiting &= ~(1L << each.slot);
                }
                replies.reply(each.slot, each.sequence, each.result, each.payload);
            }
        }
    }

    private synchronized List<Call> take(Random random) throws InterruptedException {
        while (pending.isEmpty() || untilFull && pending.size() < Constants.REPLY_SLOTS) {
            wait();
        }
        List<Call> taken = new ArrayList<>();
        if (untilFull || random.nextInt(8) == 0) {
            Collections.shuffle(pending, random);
            taken.addAll(pending);
            pending.clear();
            untilFull = false;
        } else {
            taken.add(pending.remove(random.nextInt(pending.size())));
        }
        return taken;
    }
}

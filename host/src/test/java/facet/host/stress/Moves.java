package facet.host.stress;

import facet.host.residency.MovedMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * Moves the memory of a context out, and in again when somebody asks for it. While it is out nobody
 * may touch it.
 */
final class Moves {
    private static final int MOST_PAUSE_NANOS = 1_000_000;

    private record Touch(int slot, long sequence) {}

    private enum State {
        IN,
        /** From before the client can see it until nobody touches it any more. */
        LEAVING,
        OUT
    }

    private final MovedMemory memory;
    private final Answers answers;
    private final List<Touch> touches = new ArrayList<>();
    private State state = State.IN;
    private boolean wanted;
    private long rounds;

    Moves(MovedMemory memory, Answers answers) {
        this.memory = memory;
        this.answers = answers;
    }

    /** Comes back when the memory is out for the first time, or in for good. */
    synchronized void want(boolean wanted) throws InterruptedException {
        this.wanted = wanted;
        notifyAll();
        while (state != (wanted ? State.OUT : State.IN)) {
            wait();
        }
    }

    synchronized void touch(int slot, long sequence) {
        if (state == State.IN) {
            answers.add(slot, sequence, 0);
        } else {
            touches.add(new Touch(slot, sequence));
            notifyAll();
        }
    }

    synchronized long rounds() {
        return rounds;
    }

    /** The work of its thread. */
    void run(Random random) throws InterruptedException {
        while (true) {
            synchronized (this) {
                while (!wanted) {
                    wait();
                }
                state = State.LEAVING;
            }
            memory.out();
            synchronized (this) {
                state = State.OUT;
                notifyAll();
                while (touches.isEmpty() && wanted) {
                    wait();
                }
            }
            memory.checkThatNobodyWrites(Load.CELL_BYTES);
            memory.in();
            synchronized (this) {
                state = State.IN;
                rounds++;
                notifyAll();
                touches.forEach(each -> answers.add(each.slot, each.sequence, 0));
                touches.clear();
            }
            LockSupport.parkNanos(random.nextInt(MOST_PAUSE_NANOS));
        }
    }
}

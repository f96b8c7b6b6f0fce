package facet.device.cpu;

import facet.device.Arbiter;
import org.jspecify.annotations.Nullable;

/** No sharing: work is done in the order in which it comes, and nobody makes room. */
final class FirstCome implements Arbiter {
    private static final long NEVER = 1L << 62;

    private final Share everybody = new Share() {};
    private final Seat any = new Any();
    private int waiting;

    @Override
    public Share unnamed() {
        return everybody;
    }

    @Override
    public synchronized void submit(Share share, int change, long now) {
        waiting += change;
    }

    private synchronized boolean take() {
        if (waiting == 0) {
            return false;
        }
        waiting--;
        return true;
    }

    @Override
    public Seat seat(int number) {
        return any;
    }

    /** Nobody asks which one it is. */
    private final class Any implements Seat {
        @Override
        public @Nullable Share mayRun(long now) {
            return take() ? everybody : null;
        }

        @Override
        public long deadline() {
            return NEVER;
        }

        @Override
        public boolean givesWay(long now) {
            return false;
        }

        @Override
        public void ended(long now) {}

        @Override
        public void ended(long now, long nanos) {}

        @Override
        public long nextLook(long now) {
            return NEVER;
        }
    }

    @Override
    public void whenChanged(Runnable action) {}
}

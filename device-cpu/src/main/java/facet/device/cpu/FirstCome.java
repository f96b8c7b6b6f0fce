package facet.device.cpu;

import facet.device.Arbiter;
import org.jspecify.annotations.Nullable;

/** No sharing: work is done in the order in which it comes, and nobody makes room. */
final class FirstCome implements Arbiter {
    private static final long NEVER = 1L << 62;

    private final Share everybody = new Share() {};
    private int waiting;

    @Override
    public Share unnamed() {
        return everybody;
    }

    @Override
    public void waiting(Share share, int change, long now) {
        waiting += change;
    }

    @Override
    public @Nullable Share pick(int seat, long now) {
        if (waiting == 0) {
            return null;
        }
        waiting--;
        return everybody;
    }

    @Override
    public long deadline(int seat) {
        return NEVER;
    }

    @Override
    public boolean givesWay(int seat, long now) {
        return false;
    }

    @Override
    public void release(int seat, long now) {}

    @Override
    public long nextPick(long now) {
        return NEVER;
    }

    @Override
    public void whenChanged(Runnable action) {}
}

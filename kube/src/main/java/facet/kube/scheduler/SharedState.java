package facet.kube.scheduler;

import facet.kube.ledger.ClusterState;
import facet.kube.ledger.Device;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/** A {@link ClusterState} that several threads use, one at a time. */
public final class SharedState {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ClusterState state;
    private boolean isChanged;

    public SharedState(ClusterState state) {
        this.state = state;
    }

    /** Something happened: whoever decides looks again. */
    public void change(Consumer<ClusterState> change) {
        lock.lock();
        try {
            change.accept(state);
            isChanged = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public <T> T ask(Function<ClusterState, T> question) {
        lock.lock();
        try {
            return question.apply(state);
        } finally {
            lock.unlock();
        }
    }

    /** Until something happens, or so long. */
    public void await(long milliseconds) throws InterruptedException {
        lock.lock();
        try {
            long rest = TimeUnit.MILLISECONDS.toNanos(milliseconds);
            while (!isChanged && rest > 0) {
                rest = changed.awaitNanos(rest);
            }
            isChanged = false;
        } finally {
            lock.unlock();
        }
    }

    public List<Device> devices(String node) {
        return ask(each -> each.devices(node));
    }
}

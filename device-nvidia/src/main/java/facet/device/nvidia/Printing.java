package facet.device.nvidia;

import facet.device.nvidia.foreign.OutputUnsafe;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Whose output it is that kernels print: a driver has one for all of its process. So kernels that
 * may print run one after the other, and what comes out meanwhile is theirs.
 */
final class Printing {
    private final OutputUnsafe output = OutputUnsafe.redirect();
    private final ReentrantLock lock = new ReentrantLock(true);

    /**
     * @param work begins when nothing else prints, and returns when all of it was written
     */
    void during(Runnable work, Consumer<String> told) {
        lock.lock();
        try {
            String _ = output.take(); // of nobody that is known
            try {
                work.run();
            } finally {
                String text = output.take();
                if (!text.isEmpty()) {
                    told.accept(text);
                }
            }
        } finally {
            lock.unlock();
        }
    }
}

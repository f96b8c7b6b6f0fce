package facet.device.nvidia;

import facet.device.nvidia.foreign.OutputUnsafe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Whose output it is that kernels print: a driver has one for all of its process. So kernels that
 * may print run one after the other, and what comes out meanwhile is theirs.
 */
final class Printing {
    /** file:line: function: block: [x,y,z], thread: [x,y,z] Assertion `…` failed. */
    private static final Pattern ASSERTION =
            Pattern.compile(".*: block: \\[.*\\], thread: \\[.*\\] Assertion `.*` failed\\..*");

    private final OutputUnsafe output = OutputUnsafe.redirect();
    private final OutputUnsafe errors = OutputUnsafe.errors();
    private final ReentrantLock lock = new ReentrantLock(true);

    /**
     * Those that have failed since the last time, where work may print just now. Others of this
     * process write there too; their lines go where they were meant to go. Any thread.
     */
    List<String> assertions() {
        synchronized (errors) {
            List<String> failed = new ArrayList<>();
            for (String each : errors.take().lines().toList()) {
                if (ASSERTION.matcher(each).matches()) {
                    failed.add(each);
                } else {
                    errors.passOn(each + "\n");
                }
            }
            return failed;
        }
    }

    /**
     * @param work begins when nothing else prints, and returns when all of it was written
     */
    void during(Runnable work, Consumer<String> told) {
        lock.lock();
        try {
            String _ = output.take(); // of nobody that is known
            errors.begin();
            try {
                work.run();
            } finally {
                errors.end();
                String text = output.take();
                if (!text.isEmpty()) {
                    told.accept(text);
                }
                List<String> _ = assertions(); // those of a fault were taken with it
            }
        } finally {
            lock.unlock();
        }
    }
}

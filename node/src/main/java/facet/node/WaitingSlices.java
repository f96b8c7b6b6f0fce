package facet.node;

import facet.doors.control.ControlException;
import facet.log.Log;
import facet.os.ProcessThreads;
import facet.slices.Settings;
import facet.slices.Slice;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Kept slices whose devices are on nodes that nobody has reached yet: they are opened when those
 * are there. A thread of its own looks, as long as there is one.
 */
final class WaitingSlices implements AutoCloseable {
    private static final long LOOK_MILLIS = 200;

    private final NodeSlices slices;
    private final Log log;
    private final Map<String, Settings> waiting = new LinkedHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Thread thread;

    WaitingSlices(NodeSlices slices, Log log) {
        this.slices = slices;
        this.log = log;
    }

    synchronized void add(String name, Settings settings, String why) {
        waiting.put(name, settings);
        log.info("slice " + name, "waits for a device: " + why);
        if (thread == null) {
            thread = ProcessThreads.named("facet-waiting-slices").start(this::run);
        }
    }

    /** Nobody wants it any more, or it is to be something else. */
    synchronized void remove(String name) {
        waiting.remove(name);
    }

    synchronized Set<String> names() {
        return Set.copyOf(waiting.keySet());
    }

    private void run() {
        try {
            while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                for (String each : names()) {
                    open(each);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void open(String name) {
        synchronized (slices) {
            Settings settings;
            synchronized (this) {
                settings = waiting.get(name);
            }
            if (settings == null || slices.find(name).isPresent()) {
                remove(name);
                return;
            }
            try {
                Slice wanted = settings.slice(name, slices.defaults().of(name));
                slices.open(slices.placer().placeAgain(wanted), Optional.empty());
                remove(name);
            } catch (ControlException | IllegalArgumentException | IOException e) {
                log.debug("slice " + name, "still waits: " + e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}

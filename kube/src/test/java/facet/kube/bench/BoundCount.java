package facet.kube.bench;

import facet.kube.cluster.ControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Counts pods as they are bound, by a watch of those that have a node. A watch costs the apiserver
 * the same whoever schedules, and little; to list pods again and again costs it as much as hundreds
 * of binds.
 */
final class BoundCount implements AutoCloseable {
    private final AtomicInteger bound = new AtomicInteger();
    private final Stream<String> events;
    private final Thread thread;
    private volatile boolean closed;

    private BoundCount(Stream<String> events) {
        this.events = events;
        thread = Thread.ofPlatform().daemon().name("count").start(this::run);
    }

    private void run() {
        try {
            events.forEach(this::count);
        } catch (UncheckedIOException e) {
            if (!closed) {
                throw e;
            }
        }
    }

    /** While none is bound. */
    static BoundCount open(ControlPlane plane) throws IOException, InterruptedException {
        return new BoundCount(
                plane.lines(
                        "/api/v1/namespaces/default/pods?watch=1&fieldSelector=spec.nodeName!%3D"));
    }

    private void count(String event) {
        // One that gets a node becomes one of those that are watched.
        if (event.startsWith("{\"type\":\"ADDED\"")) {
            bound.incrementAndGet();
        }
    }

    int bound() {
        if (!thread.isAlive()) {
            throw new IllegalStateException("the watch of pods has ended");
        }
        return bound.get();
    }

    @Override
    public void close() {
        closed = true;
        events.close();
    }
}

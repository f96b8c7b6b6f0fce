package facet.node.container;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Processes with the number of their start. */
final class FakeProcesses implements Processes {
    final Map<Integer, Long> starts = new ConcurrentHashMap<>();
    final Map<Integer, Runnable> watches = new ConcurrentHashMap<>();

    void run(int pid, long start) {
        starts.put(pid, start);
    }

    void end(int pid) {
        starts.remove(pid);
        Runnable atEnd = watches.remove(pid);
        if (atEnd != null) {
            atEnd.run();
        }
    }

    @Override
    public Optional<Incarnation> find(int pid) {
        return Optional.ofNullable(starts.get(pid)).map(at -> new Incarnation(pid, at, "boot"));
    }

    @Override
    public Watched watch(Incarnation process, Runnable atEnd) throws IOException {
        if (!find(process.pid()).equals(Optional.of(process))) {
            throw new IOException("process " + process.pid() + " has ended");
        }
        watches.put(process.pid(), atEnd);
        return () -> watches.remove(process.pid());
    }

    @Override
    public void close() {}
}

package facet.node.container;

import facet.os.ProcessWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The real ones. */
final class SystemProcesses implements Processes {
    private final ProcessWatch watch;

    private SystemProcesses(ProcessWatch watch) {
        this.watch = watch;
    }

    static SystemProcesses open() throws IOException {
        return new SystemProcesses(ProcessWatch.open());
    }

    @Override
    public Optional<Incarnation> find(int pid) {
        return Incarnation.of(pid);
    }

    @Override
    public boolean isUnstarted(Incarnation process) {
        try {
            Path name = Path.of("/proc", Integer.toString(process.pid()), "comm");
            // runc calls itself runc:[0:PARENT], runc:[1:CHILD] and at last runc:[2:INIT].
            return Files.readString(name).startsWith("runc:[")
                    && find(process.pid()).equals(Optional.of(process));
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public Watched watch(Incarnation process, Runnable atEnd) throws IOException {
        ProcessWatch.Watched watched = watch.watch(process.pid(), atEnd);
        // The number may have gone to another one before it was watched; from now on it cannot.
        if (!find(process.pid()).equals(Optional.of(process))) {
            watched.close();
            throw new IOException("process " + process.pid() + " has ended");
        }
        return watched::close;
    }

    @Override
    public void close() {
        watch.close();
    }
}

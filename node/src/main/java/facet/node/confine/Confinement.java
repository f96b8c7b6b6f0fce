package facet.node.confine;

import facet.log.Log;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Starts workers through {@code facet-confine}: a user, a root folder, processes, a network of
 * their own, and limits.
 */
public final class Confinement {
    /** The connection to the daemon, as {@code facet-confine} passes it on. */
    private static final int CONNECTION = 3;

    /**
     * Users of workers begin here: what systemd's list of users (UIDS-GIDS) calls unused, above all
     * that container managers give out.
     */
    private static final int FIRST_USER = 0x7000_0000;

    /** So many workers of one daemon have users of their own, and so many daemons. */
    private static final int USERS = 1 << 14;

    /** Heap, classes, compiled code, stacks, staging and pinned memory that it touches first. */
    private static final long OWN_MEMORY = 2L << 30;

    private static final int THREADS = 2048;

    private final Path program;
    private final Path folder;
    private final WorkerFiles files;
    private final boolean required;

    /** Of this process, so that two of these do not give out the same user and group. */
    private static final AtomicInteger STARTED = new AtomicInteger();

    private final Map<Long, ControlGroups.Group> limited = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable String> seen = new AtomicReference<>();
    private @Nullable VisibleFiles visible;
    private @Nullable ControlGroups groups;

    /**
     * @param program facet-confine
     * @param folder for what has to be made once; only the daemon's user may write there
     * @param files that workers see besides what their JVM needs
     * @param required whether a worker is not started where the system refuses a piece
     */
    public Confinement(Path program, Path folder, WorkerFiles files, boolean required) {
        this.program = program;
        this.folder = folder;
        this.files = files;
        this.required = required;
    }

    /** The one that was built or installed with this daemon, if that was told. */
    public static Optional<Confinement> find(Path folder, WorkerFiles files, boolean required) {
        String home = System.getProperty("facet.native");
        if (home == null) {
            return Optional.empty();
        }
        Path program = Path.of(home, "bin", "facet-confine");
        return Files.isExecutable(program)
                ? Optional.of(new Confinement(program, folder, files, required))
                : Optional.empty();
    }

    /**
     * Starts a confined program.
     *
     * @param streams where its output goes
     * @param socket of the daemon, which the program is connected with
     * @param java the JVM with its options and class path; always the same
     * @param main the main class; its first argument will be the number of a descriptor
     */
    public Process start(
            ProcessBuilder streams,
            Path socket,
            List<String> java,
            String main,
            List<String> arguments)
            throws IOException {
        int number = STARTED.getAndIncrement();
        Optional<ControlGroups.Group> group = groups().make(number, OWN_MEMORY, THREADS);
        List<String> all = new ArrayList<>();
        all.add(program.toString());
        all.addAll(List.of("--connect", socket.toString(), "--user", user(number)));
        if (required) {
            all.add("--require");
        }
        for (Path each : group.map(ControlGroups.Group::folders).orElse(List.of())) {
            all.addAll(List.of("--group", each.toString()));
        }
        VisibleFiles seen = visible(java);
        for (Path each : seen.paths()) {
            all.addAll(List.of("--read", each.toString()));
        }
        for (Path each : files.reads()) {
            all.addAll(List.of("--read", each.toString()));
        }
        for (Path each : files.devices()) {
            all.addAll(List.of("--device", each.toString()));
        }
        all.add("--");
        all.addAll(seen.java());
        all.add(main);
        all.add(Integer.toString(CONNECTION));
        all.addAll(arguments);
        Process process;
        try {
            process = streams.command(all).start();
        } catch (IOException e) {
            group.ifPresent(ControlGroups.Group::remove);
            throw e;
        }
        group.ifPresent(each -> keep(process, each));
        return process;
    }

    /**
     * The workers have ended: their groups go now, for afterwards nobody is there to remove them.
     */
    public void close() {
        limited.values().forEach(ControlGroups.Group::remove);
    }

    private void keep(Process process, ControlGroups.Group group) {
        limited.put(process.pid(), group);
        CompletableFuture<Void> _ =
                process.onExit()
                        .thenRun(() -> {
                            // Known until it is gone: a daemon that goes down waits for that.
                            group.remove();
                            limited.remove(process.pid(), group);
                        });
    }

    /**
     * A worker serves a slice, or its slice has changed.
     *
     * @param device bytes of device memory that it may have
     */
    public void limit(Process process, long device) throws IOException {
        ControlGroups.Group group = limited.get(process.pid());
        if (group != null) {
            // Pages are whole, and freed memory keeps some for a while.
            group.limit(OWN_MEMORY + device + device / 8);
        }
    }

    /** What a worker lacks, by its own account; said once, since it is the same for all. */
    public void noted(String lacks, Log log) {
        String before = seen.getAndSet(lacks);
        if (!lacks.equals(before) && !(lacks.isEmpty() && groups().missing().isEmpty())) {
            log.warning("workers", text());
        }
    }

    /** What a worker has, and what this system does not give it. */
    public String text() {
        List<String> missing = new ArrayList<>(groups().missing());
        String lacks = seen.get();
        if (lacks != null && !lacks.isEmpty()) {
            missing.add(0, "their own " + lacks.replace(",", ", "));
        }
        return missing.isEmpty()
                ? "workers are confined"
                : "workers are confined, but lack " + String.join("; ", missing);
    }

    private synchronized ControlGroups groups() {
        ControlGroups found = groups;
        if (found == null) {
            found = ControlGroups.find();
            groups = found;
        }
        return found;
    }

    private synchronized VisibleFiles visible(List<String> java) throws IOException {
        VisibleFiles files = visible;
        if (files == null) {
            files = VisibleFiles.of(java, folder);
            visible = files;
        }
        return files;
    }

    /** No two workers have the same one, also of daemons side by side. */
    private static String user(int number) {
        int daemon = (int) (ProcessHandle.current().pid() % USERS);
        int worker = number & (USERS - 1);
        return Integer.toString(FIRST_USER + daemon * USERS + worker);
    }
}

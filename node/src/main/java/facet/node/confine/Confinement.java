package facet.node.confine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
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

    private final Path program;
    private final Path folder;
    private final boolean required;
    private final AtomicInteger started = new AtomicInteger();
    private @Nullable VisibleFiles visible;

    /**
     * @param program facet-confine
     * @param folder for what has to be made once; only the daemon's user may write there
     * @param required whether a worker is not started where the system refuses a piece
     */
    public Confinement(Path program, Path folder, boolean required) {
        this.program = program;
        this.folder = folder;
        this.required = required;
    }

    /** The one that was built or installed with this daemon, if that was told. */
    public static Optional<Confinement> find(Path folder, boolean required) {
        String home = System.getProperty("facet.native");
        if (home == null) {
            return Optional.empty();
        }
        Path program = Path.of(home, "bin", "facet-confine");
        return Files.isExecutable(program)
                ? Optional.of(new Confinement(program, folder, required))
                : Optional.empty();
    }

    /**
     * The words that start a confined program.
     *
     * @param socket of the daemon, which the program is connected with
     * @param java the JVM with its options and class path; always the same
     * @param main the main class; its first argument will be the number of a descriptor
     */
    public List<String> command(Path socket, List<String> java, String main, List<String> arguments)
            throws IOException {
        VisibleFiles files = visible(java);
        List<String> all = new ArrayList<>();
        all.add(program.toString());
        all.addAll(List.of("--connect", socket.toString(), "--user", user()));
        if (required) {
            all.add("--require");
        }
        for (Path each : files.paths()) {
            all.addAll(List.of("--read", each.toString()));
        }
        all.add("--");
        all.addAll(files.java());
        all.add(main);
        all.add(Integer.toString(CONNECTION));
        all.addAll(arguments);
        return all;
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
    private String user() {
        int daemon = (int) (ProcessHandle.current().pid() % USERS);
        int worker = started.getAndIncrement() & (USERS - 1);
        return Integer.toString(FIRST_USER + daemon * USERS + worker);
    }
}

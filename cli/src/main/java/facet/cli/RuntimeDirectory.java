package facet.cli;

import java.nio.file.Path;
import java.util.Map;

/** Where the daemon has its sockets. The daemon and facet-run look in the same order. */
final class RuntimeDirectory {
    private RuntimeDirectory() {}

    static Path find() {
        return find(
                System.getenv(),
                System.getProperty("user.name").equals("root"),
                new com.sun.security.auth.module.UnixSystem().getUid());
    }

    static Path find(Map<String, String> environment, boolean root, long user) {
        String given = environment.getOrDefault("FACET_RUNTIME_DIR", "");
        String session = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        if (!given.isEmpty()) {
            return Path.of(given);
        }
        if (root) {
            return Path.of("/run/facet");
        }
        return session.isEmpty() ? Path.of("/tmp/facet-" + user) : Path.of(session, "facet");
    }
}

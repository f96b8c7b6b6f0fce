package facet.node;

import facet.doors.http.HttpDoor;
import facet.doors.http.HttpOptions;
import facet.log.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * When HTTP is opened. An address that somebody asked for is open before the daemon is ready, or
 * the daemon does not start. The usual one comes when the daemon is ready, so that nobody waits for
 * it, and is left out where its port is taken.
 */
final class HttpDoors implements AutoCloseable {
    private final HttpOptions options;
    private final Path state;
    private final Daemon daemon;
    private final Log log;
    private Optional<HttpDoor> door = Optional.empty();

    /**
     * @param state folder for the token
     */
    HttpDoors(HttpOptions options, Path state, Daemon daemon, Log log) throws IOException {
        this.options = options;
        this.state = state;
        this.daemon = daemon;
        this.log = log;
        if (options.explicit()) {
            open();
        }
    }

    void openUsual() {
        if (!options.explicit()) {
            try {
                open();
            } catch (IOException e) {
                log.warning(
                        "http",
                        e.getMessage()
                                + "; the daemon goes on without HTTP. --http ADDRESS:PORT chooses"
                                + " another port, --http off none");
            }
        }
    }

    private void open() throws IOException {
        door = HttpDoor.open(options, state, daemon, log);
        door.ifPresent(open -> {
            Map<String, Object> about = new LinkedHashMap<>();
            about.put("http", open.url());
            about.put("httpTokenFile", open.tokenFile().toString());
            daemon.tellHttp(about);
        });
    }

    @Override
    public void close() {
        door.ifPresent(HttpDoor::close);
    }
}

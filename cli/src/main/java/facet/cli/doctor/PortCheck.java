package facet.cli.doctor;

import java.util.List;

/** The port of the dashboard and the interface over HTTP. */
final class PortCheck {
    private static final String ABOUT = "http";

    /** 7411 in the tables of the kernel. */
    private static final String USUAL = ":1CF3 ";

    private static final String LISTENS = " 0A ";

    private PortCheck() {}

    static List<Finding> of(Machine machine, DaemonState daemon) {
        if (daemon.answers()) {
            String address = daemon.status().path("http").asText("");
            return List.of(
                    address.isEmpty() || address.equals("off")
                            ? Finding.note(
                                    ABOUT,
                                    "the daemon serves no dashboard",
                                    "'facet down' and 'facet up --http 127.0.0.1:7411'")
                            : Finding.good(ABOUT, "the dashboard is at " + address));
        }
        if (isTaken(machine, "/proc/net/tcp") || isTaken(machine, "/proc/net/tcp6")) {
            return List.of(
                    Finding.problem(
                            ABOUT,
                            "another program listens on port 7411",
                            "'facet up --http 127.0.0.1:PORT' with another one, or --http off"));
        }
        return List.of(Finding.good(ABOUT, "port 7411 is free"));
    }

    private static boolean isTaken(Machine machine, String table) {
        return machine.text(machine.at(table)).orElse("").lines().anyMatch(PortCheck::isOurs);
    }

    /** The first address is the local one, and the state comes after both. */
    private static boolean isOurs(String line) {
        int port = line.indexOf(USUAL);
        int state = line.indexOf(LISTENS);
        return port > 0
                && state > port
                && line.indexOf(':') < port
                && line.indexOf(':', line.indexOf(':') + 1) == port;
    }
}

package facet.doors.http;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Names that mean this machine in a Host header. A page in a browser can make the name of its own
 * server point to 127.0.0.1 and then read what listens there; the Host header gives it away.
 */
final class Hosts {
    private static final Pattern LOOPBACK =
            Pattern.compile(
                    "(localhost|127(\\.[0-9]{1,3}){3}|\\[::1]|\\[0:0:0:0:0:0:0:1])(:[0-9]{1,5})?");

    private Hosts() {}

    /** The port may be any: somebody may forward another one to ours. */
    static boolean isLoopback(String host) {
        return LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches();
    }
}

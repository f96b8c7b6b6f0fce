package facet.doors.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to listen.
 *
 * @param port 0 chooses one
 */
public record HttpAddress(InetAddress address, int port) {
    /** Nobody has registered it with IANA. */
    private static final int USUAL_PORT = 7411;

    private static final Pattern FORM =
            Pattern.compile(
                    "(?:\\[(?<six>[0-9A-Fa-f:.%a-z]+)]|(?<host>[^:\\[\\]]+)):(?<port>[0-9]{1,5})");

    /** Loopback, written as a number: no resolver is asked. */
    static HttpAddress usual() {
        try {
            byte[] loopback = {127, 0, 0, 1};
            return new HttpAddress(InetAddress.getByAddress(loopback), USUAL_PORT);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** From HOST:PORT; an IPv6 address is in brackets. */
    static HttpAddress parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || Integer.parseInt(form.group("port")) > 65535) {
            throw new IllegalArgumentException(
                    "--http is ADDRESS:PORT, as in 127.0.0.1:7411 or [::1]:7411, or off; not '"
                            + text
                            + "'");
        }
        String host = form.group("six") != null ? form.group("six") : form.group("host");
        try {
            return new HttpAddress(
                    InetAddress.getByName(host), Integer.parseInt(form.group("port")));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("--http: there is no host '" + host + "'", e);
        }
    }

    boolean isLoopback() {
        return address.isLoopbackAddress();
    }

    HttpAddress withPort(int chosen) {
        return new HttpAddress(address, chosen);
    }

    @Override
    public String toString() {
        String host = address.getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}

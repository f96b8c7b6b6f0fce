package facet.node.pool;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a node listens for others, as it is written: HOST:PORT, HOST, or an IPv6 address in
 * brackets.
 */
public record PoolAddress(String host, int port) {
    /** Nobody has registered it with IANA. */
    public static final int USUAL_PORT = 7412;

    private static final Pattern FORM =
            Pattern.compile(
                    "(?:\\[(?<six>[0-9A-Fa-f:.%a-z]{2,64})]|(?<host>[A-Za-z0-9._-]{1,253}))(?::(?<port>[0-9]{1,5}))?");

    /** The host may be one that nobody knows: names are looked up when they are called. */
    public static PoolAddress parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()
                || form.group("port") != null && Integer.parseInt(form.group("port")) > 65535) {
            throw new IllegalArgumentException(
                    "a node's address is HOST:PORT, as in 10.0.0.7:7412 or [fd00::7]:7412, not '"
                            + text
                            + "'");
        }
        String host = form.group("six") != null ? form.group("six") : form.group("host");
        String port = form.group("port");
        return new PoolAddress(host, port == null ? USUAL_PORT : Integer.parseInt(port));
    }

    InetSocketAddress lookUp() {
        return new InetSocketAddress(host, port);
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}

package facet.doors.http;

import facet.doors.control.Operations;
import facet.doors.events.Kind;
import facet.log.Log;
import facet.log.Who;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** The way in over HTTP. What the options name is read before anything listens. */
public final class HttpDoor implements AutoCloseable {
    private static final String OWN_TOKEN = "http-token";

    private final String url;
    private final Path tokenFile;
    private final HttpListener listener;

    private HttpDoor(String url, Path tokenFile, HttpListener listener) {
        this.url = url;
        this.tokenFile = tokenFile;
        this.listener = listener;
    }

    /**
     * @param state folder for a token of the daemon's own
     * @return empty when the options say so
     */
    public static Optional<HttpDoor> open(
            HttpOptions options, Path state, Operations operations, Log log) throws IOException {
        if (options.address().isEmpty()) {
            return Optional.empty();
        }
        HttpAddress address = options.address().get();
        Path file = options.token().orElse(state.resolve(OWN_TOKEN));
        Token token =
                options.token().isPresent()
                        ? Token.read(file, "--token-file")
                        : Token.readOrMake(file);
        Optional<SSLContext> tls =
                options.tls().isPresent()
                        ? Optional.of(TlsContext.of(options.tls().get()))
                        : Optional.empty();
        Pages pages = Pages.find();
        Budget budget = new Budget();
        Gate gate =
                new Gate(
                        address.isLoopback(),
                        token,
                        file.toString(),
                        new Failures(
                                text ->
                                        operations
                                                .events()
                                                .add(Kind.REFUSED, Who.part("http"), text),
                                System::nanoTime),
                        pages::has,
                        budget);
        Api api = new Api(operations, new KeptAnswers(budget, System::nanoTime), log);
        HttpListener listener = HttpListener.open(address, tls, gate, pages, api, log);
        String url = (tls.isPresent() ? "https://" : "http://") + address.withPort(listener.port());
        log.info("http", "listens at " + url + ", its token is in " + file);
        return Optional.of(new HttpDoor(url, file, listener));
    }

    /** Where it listens, with the port that was chosen. */
    public String url() {
        return url;
    }

    /** The file, for those who may read it. */
    public Path tokenFile() {
        return tokenFile;
    }

    @Override
    public void close() {
        listener.close();
    }
}

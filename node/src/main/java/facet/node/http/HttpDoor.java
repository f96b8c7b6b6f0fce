package facet.node.http;

import facet.node.control.Operations;
import facet.node.log.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The way in over HTTP. What the options name is read before anything listens. */
public final class HttpDoor implements AutoCloseable {
    private final HttpAddress address;
    private final Path tokenFile;
    private final Token token;
    private final Optional<SSLContext> tls;
    private final Operations operations;
    private final Log log;
    private @Nullable HttpListener listener;

    private HttpDoor(
            HttpAddress address,
            Path tokenFile,
            Token token,
            Optional<SSLContext> tls,
            Operations operations,
            Log log) {
        this.address = address;
        this.tokenFile = tokenFile;
        this.token = token;
        this.tls = tls;
        this.operations = operations;
        this.log = log;
    }

    /**
     * @param state folder for a token of the daemon's own
     * @return empty when the options say so
     */
    public static Optional<HttpDoor> prepare(
            HttpOptions options, Path state, Operations operations, Log log) throws IOException {
        if (options.address().isEmpty()) {
            return Optional.empty();
        }
        Path file = options.token().orElse(state.resolve("http-token"));
        Token token =
                options.token().isPresent()
                        ? Token.read(file, "--token-file")
                        : Token.readOrMake(file);
        Optional<SSLContext> tls =
                options.tls().isPresent()
                        ? Optional.of(TlsContext.of(options.tls().get()))
                        : Optional.empty();
        return Optional.of(
                new HttpDoor(options.address().get(), file, token, tls, operations, log));
    }

    /** Begins to listen. */
    public synchronized void open() throws IOException {
        Gate gate =
                new Gate(
                        address.isLoopback(),
                        token,
                        tokenFile.toString(),
                        new Failures(log, System::nanoTime));
        listener = HttpListener.open(address, tls, gate, operations, log);
        log.info("http", "listens at " + url() + ", its token is in " + tokenFile);
    }

    /** Where it listens, with the port that was chosen. */
    public synchronized String url() {
        int port = listener == null ? address.port() : listener.port();
        return (tls.isPresent() ? "https://" : "http://") + address.withPort(port);
    }

    /** The file, for those who may read it. */
    public Path tokenFile() {
        return tokenFile;
    }

    @Override
    public synchronized void close() {
        if (listener != null) {
            listener.close();
            listener = null;
        }
    }
}

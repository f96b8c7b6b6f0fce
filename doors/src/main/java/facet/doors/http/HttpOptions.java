package facet.doors.http;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the daemon listens for HTTP, and what it asks for there. Instances keep the rule: an
 * address that others can reach has a token and TLS.
 *
 * @param address empty: nowhere
 * @param explicit whether somebody asked for this address; then a port that is taken is an error
 * @param token file with the token; without one the daemon makes its own
 */
public record HttpOptions(
        Optional<HttpAddress> address,
        boolean explicit,
        Optional<Path> token,
        Optional<TlsFiles> tls) {

    /**
     * @param certificate chain in PEM, the server's own first
     * @param key in PEM, PKCS#8, not encrypted
     */
    public record TlsFiles(Path certificate, Path key) {}

    /** What the command line says, option by option. */
    public static final class Given {
        private Optional<String> address = Optional.empty();
        private Optional<Path> token = Optional.empty();
        private Optional<Path> certificate = Optional.empty();
        private Optional<Path> key = Optional.empty();

        public void address(String value) {
            address = Optional.of(value);
        }

        public void token(Path file) {
            token = Optional.of(file.toAbsolutePath());
        }

        public void certificate(Path file) {
            certificate = Optional.of(file.toAbsolutePath());
        }

        public void key(Path file) {
            key = Optional.of(file.toAbsolutePath());
        }

        /**
         * @throws IllegalArgumentException when it is not safe or makes no sense; the message names
         *     the option
         */
        public HttpOptions options() {
            if (certificate.isPresent() != key.isPresent()) {
                throw new IllegalArgumentException(
                        certificate.isPresent()
                                ? "--tls-certificate needs --tls-key FILE too"
                                : "--tls-key needs --tls-certificate FILE too");
            }
            Optional<TlsFiles> tls = certificate.map(file -> new TlsFiles(file, key.orElseThrow()));
            if (address.filter("off"::equals).isPresent()) {
                if (token.isPresent() || tls.isPresent()) {
                    throw new IllegalArgumentException(
                            "--token-file and --tls-certificate have no use with --http off");
                }
                return new HttpOptions(Optional.empty(), true, token, tls);
            }
            HttpAddress where = address.map(HttpAddress::parse).orElseGet(HttpAddress::usual);
            if (!where.isLoopback()) {
                String missing = missing(tls);
                if (!missing.isEmpty()) {
                    throw new IllegalArgumentException(
                            "--http "
                                    + where
                                    + " can be reached by other machines: add "
                                    + missing
                                    + ", or listen at 127.0.0.1:"
                                    + where.port());
                }
            }
            return new HttpOptions(Optional.of(where), address.isPresent(), token, tls);
        }

        private String missing(Optional<TlsFiles> tls) {
            if (tls.isPresent()) {
                return token.isPresent() ? "" : "--token-file FILE";
            }
            String files = "--tls-certificate FILE and --tls-key FILE";
            return token.isPresent() ? files : "--token-file FILE, " + files;
        }
    }

    /** Nowhere. */
    public static HttpOptions off() {
        return new HttpOptions(Optional.empty(), true, Optional.empty(), Optional.empty());
    }
}

package facet.kube.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A door on loopback, with an authority of its own. */
public record TestDoor(Authority authority, HttpsDoor door, String token) implements AutoCloseable {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef0123456789abcdef";

    public static TestDoor open(Map<String, Function<String, String>> places)
            throws GeneralSecurityException {
        Authority authority = Authority.make(Instant.now());
        ServerKeys keys = new ServerKeys(authority, "test", List.of("localhost"), Instant.now());
        return new TestDoor(
                authority,
                HttpsDoor.open("127.0.0.1", 0, keys, TOKEN, Map.of("/healthz", _ -> "ok"), places),
                TOKEN);
    }

    public String url() {
        return "https://127.0.0.1:" + door.port();
    }

    /** What somebody needs who comes with a certificate. */
    public void writeClient(Path folder) throws IOException, GeneralSecurityException {
        Authority.Identity client =
                authority.identity("client", List.of(), Instant.now(), Duration.ofDays(1));
        Files.writeString(folder.resolve("client.crt"), client.certificateText());
        Files.writeString(folder.resolve("client.key"), client.keyText());
        Files.writeString(folder.resolve("authority.crt"), authority.certificateText());
    }

    @Override
    public void close() {
        door.close();
    }
}

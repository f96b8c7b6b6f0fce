package facet.host.image;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The fat binaries beside this class; compile makes them. */
public final class Images {
    private Images() {}

    public static byte[] read(String name) {
        try (InputStream stream = Images.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(stream, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

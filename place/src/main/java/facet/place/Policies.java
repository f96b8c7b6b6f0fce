package facet.place;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The policies that come with Facet, each a file beside this class. */
public final class Policies {
    /** The one that is used where nobody says otherwise. */
    public static final String OURS = "facet";

    /** The one by which the daemon of a node chooses devices. */
    public static final String OF_A_NODE = "least-promised";

    public static final List<String> NAMES =
            List.of(
                    OURS,
                    "fgd",
                    "best-fit",
                    "packing",
                    "dot-product",
                    "random",
                    "spreading",
                    OF_A_NODE);

    private Policies() {}

    /**
     * @throws IllegalArgumentException when there is none of that name
     */
    public static Policy named(String name) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException(
                    "there is no policy '" + name + "'; there are " + String.join(", ", NAMES));
        }
        try (InputStream file = Policies.class.getResourceAsStream(name + ".policy")) {
            if (file == null) {
                throw new IllegalStateException("the file of policy '" + name + "' is missing");
            }
            return Policy.parse(name, new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

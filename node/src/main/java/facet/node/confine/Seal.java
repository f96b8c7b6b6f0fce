package facet.node.confine;

import facet.os.SealUnsafe;
import java.io.IOException;

/**
 * The last piece, which a worker applies to itself: from then on it opens nothing. So what it will
 * need is opened before.
 */
public final class Seal {
    private Seal() {}

    /**
     * Opens every jar of the class path: they are looked through for something that is not there.
     */
    public static void prepare() {
        if (Seal.class.getClassLoader().getResource("facet/no/such/thing") != null) {
            throw new IllegalStateException("there is such a thing");
        }
    }

    public static void close() throws IOException {
        SealUnsafe.close();
    }
}

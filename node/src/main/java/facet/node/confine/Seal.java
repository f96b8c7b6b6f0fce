package facet.node.confine;

import facet.os.SealUnsafe;
import java.io.IOException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/**
 * The last piece, which a worker applies to itself: from then on it opens nothing. So what it will
 * need is opened before.
 */
public final class Seal {
    private Seal() {}

    /**
     * Opens every jar of the class path, by looking for something that is in none of them. The
     * JDK's classes are in a file that it has mapped; its table of time zones is another one.
     */
    public static void prepare() {
        ZoneOffset _ = ZonedDateTime.now(ZoneId.systemDefault()).getOffset();
        if (Seal.class.getClassLoader().getResource("facet/no/such/thing") != null) {
            throw new IllegalStateException("there is such a thing");
        }
    }

    /**
     * What this worker lacks of its confinement, with commas between; empty when all is there. The
     * system may not know filters; facet-confine has told what else it refused.
     */
    public static String close() {
        String lacks = System.getenv().getOrDefault("FACET_LACKS", "");
        try {
            SealUnsafe.close();
            return lacks;
        } catch (IOException e) {
            return lacks + (lacks.isEmpty() ? "" : ",") + "filter";
        }
    }
}

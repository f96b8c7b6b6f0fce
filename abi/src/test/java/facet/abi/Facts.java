package facet.abi;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.Collection;
import java.util.TreeSet;

/** Compares long lists and names only what differs. */
public final class Facts {
    private Facts() {}

    public static void assertSame(Collection<String> expected, Collection<String> actual) {
        TreeSet<String> missing = new TreeSet<>(expected);
        missing.removeAll(actual);
        TreeSet<String> unexpected = new TreeSet<>(actual);
        unexpected.removeAll(expected);
        if (!missing.isEmpty() || !unexpected.isEmpty()) {
            fail("expected: " + missing + "\nbut was:  " + unexpected);
        }
    }
}

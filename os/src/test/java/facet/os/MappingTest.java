package facet.os;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class MappingTest {
    @Test
    void isZeroedAndLargeEnough() {
        try (MappingUnsafe mapping = MappingUnsafe.of(5000)) {
            assertTrue(mapping.segment().byteSize() >= 5000);
            for (long at = 0; at < 5000; at++) {
                assertEquals(0, mapping.segment().get(JAVA_BYTE, at));
            }
        }
    }

    @Test
    void zeroKeepsWhatIsOutside() {
        try (MappingUnsafe mapping = MappingUnsafe.huge(1 << 20)) {
            for (long[] range : new long[][] {{10, 20}, {100, 300_000}}) {
                mapping.segment().asSlice(0, 400_000).fill((byte) 1);
                mapping.zero(range[0], range[1]);
                for (long at = 0; at < 400_000; at++) {
                    boolean inside = at >= range[0] && at < range[0] + range[1];
                    assertEquals(inside ? 0 : 1, mapping.segment().get(JAVA_BYTE, at), "at " + at);
                }
            }
        }
    }
}

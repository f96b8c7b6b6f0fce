package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ArgumentPoolTest {
    private static final int MOST = 32_764;

    @Test
    void holdsWhatAKernelMayTake() {
        try (ArgumentPool pool = new ArgumentPool()) {
            for (int length : new int[] {0, 1, 256, 257, 4096, 4097, MOST}) {
                byte[] bytes = new byte[length];
                Arrays.fill(bytes, (byte) length);
                MemorySegment piece = pool.take(bytes);
                assertArrayEquals(bytes, piece.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
                pool.give(piece);
            }
        }
    }

    @Test
    void givesAPieceOutAgain() {
        try (ArgumentPool pool = new ArgumentPool()) {
            for (int length : new int[] {8, 300, MOST}) {
                long address = pool.take(new byte[length]).address();
                MemorySegment other = pool.take(new byte[length]);
                pool.give(other);
                assertEquals(other.address(), pool.take(new byte[length]).address());
                assertNotEquals(address, other.address());
            }
        }
    }
}

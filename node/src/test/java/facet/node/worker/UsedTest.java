package facet.node.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import facet.abi.worker.MalformedMessage;
import facet.abi.worker.SessionUse;
import org.junit.jupiter.api.Test;

class UsedTest {
    @Test
    void itIsTakenAsItWasTold() throws MalformedMessage {
        Used used =
                Used.of(new SessionUse(9, 3, new long[] {4, 5}, new long[] {6, Long.MAX_VALUE}), 2);
        assertEquals(3, used.launches());
        assertArrayEquals(new long[] {4, 5}, used.nanos());
        assertArrayEquals(new long[] {6, Long.MAX_VALUE}, used.bytes());
        assertArrayEquals(new long[2], used.withoutMemory().bytes());
    }

    /** A worker that was taken over may tell of any devices. */
    @Test
    void ofOtherDevicesNothingIsTaken() {
        for (int count : new int[] {0, 1, 3, 64}) {
            assertThrows(
                    MalformedMessage.class,
                    () -> Used.of(new SessionUse(9, 3, new long[count], new long[2]), 2));
            assertThrows(
                    MalformedMessage.class,
                    () -> Used.of(new SessionUse(9, 3, new long[2], new long[count]), 2));
        }
    }
}

package facet.node.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsedTest {
    @Test
    void itIsReadAsItWasWritten() {
        Used read =
                Used.parse(
                        new Used(3, new long[] {4, 5}, new long[] {6, Long.MAX_VALUE}).text(), 2);
        assertEquals(3, read.launches());
        assertArrayEquals(new long[] {4, 5}, read.nanos());
        assertArrayEquals(new long[] {6, Long.MAX_VALUE}, read.bytes());
    }

    /** A worker that was taken over may say anything. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "_",
                "1_2_3",
                "1_2.2_3",
                "1_2_3.3",
                "1_2.2_3.3_4",
                "-1_2.2_3.3",
                "1_-2.2_3.3",
                "1_2.2_3.-3",
                "x_2.2_3.3",
                "1_2.2_3.9223372036854775808",
                "1_2.2.2_3.3",
                "1__"
            })
    void otherTextsAreRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Used.parse(text, 2));
    }
}

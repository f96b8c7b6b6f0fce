package facet.testkit.filetest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ValuesTest {
    private static final long SEED = 20;

    @ParameterizedTest
    @EnumSource(ElementType.class)
    void whatIsPrintedReadsBack(ElementType type) {
        Random random = new Random(SEED);
        for (int i = 0; i < 20_000; i++) {
            long bits = random.nextLong() & type.mask();
            if (i < 256) {
                bits = (i < 128 ? i : -i + 127) & type.mask();
            }
            String text = type.format(bits);
            assertEquals(bits, type.parse(text), () -> text + ", seed " + SEED);
        }
    }

    @Test
    void listsAreCompressed() {
        String text = "7*4 0..3 9 -1 -1";
        long[] values = Values.parse(ElementType.S32, text, 11);
        assertArrayEquals(
                new long[] {7, 7, 7, 7, 0, 1, 2, 3, 9, 0xffff_ffffL, 0xffff_ffffL}, values);
        assertEquals(text, Values.format(ElementType.S32, values));
    }

    @Test
    void listsAreFilled() {
        assertArrayEquals(new long[] {0, 1, 2}, Values.parse(ElementType.U8, "iota", 3));
        assertArrayEquals(new long[] {5, 5}, Values.parse(ElementType.U8, "fill 5", 2));
        assertArrayEquals(new long[] {0, 4, 8}, Values.parse(ElementType.U8, "0..8/4", -1));
        assertArrayEquals(new long[] {3, 2, 1}, Values.parse(ElementType.U8, "3..1/-1", -1));
        assertArrayEquals(new long[] {0x3c00, 0x4000}, Values.parse(ElementType.F16, "1..2", 2));
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThrows(NumberFormatException.class, () -> ElementType.U8.parse("256"));
        assertThrows(NumberFormatException.class, () -> ElementType.S8.parse("-129"));
        assertThrows(NumberFormatException.class, () -> ElementType.F32.parse("nan:0x1"));
        assertThrows(IllegalArgumentException.class, () -> Values.parse(ElementType.U8, "1 2", 3));
    }
}

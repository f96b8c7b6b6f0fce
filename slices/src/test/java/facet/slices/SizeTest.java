package facet.slices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeTest {
    @ParameterizedTest
    @CsvSource({
        "0,0",
        "4096,4096",
        "1k,1024",
        "512M,536870912",
        "4GiB,4294967296",
        "1.5g,1610612736",
        "2 TB,2199023255552"
    })
    void sizesAsPeopleWriteThem(String text, long bytes) {
        assertEquals(bytes, Size.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "G", "-1", "1X", "1e9", "999999999999T", "0x10"})
    void whatIsNoSize(String text) {
        assertThrows(IllegalArgumentException.class, () -> Size.parse(text));
    }

    @Test
    void namesOfSlices() {
        assertEquals("a-b", Slice.nameFrom("a b"));
        assertEquals("hidden", Slice.nameFrom(".../hidden"));
        assertEquals("slice", Slice.nameFrom("///"));
        assertEquals(40, Slice.nameFrom("x".repeat(90)).length());
        assertThrows(
                IllegalArgumentException.class,
                () -> new Slice("../x", 1, 1, facet.sched.Terms.REST));
        assertThrows(IllegalArgumentException.class, () -> facet.sched.Terms.fixed(101));
    }

    @Test
    void sizesForPeople() {
        assertEquals("0 bytes", Size.text(0));
        assertEquals("1 byte", Size.text(1));
        assertEquals("1023 bytes", Size.text(1023));
        assertEquals("512 MiB", Size.text(512L << 20));
        assertEquals("1.5 GiB", Size.text(3L << 29));
        assertEquals("1.33 KiB", Size.text(1365));
        assertEquals("10 TiB", Size.text(10L << 40));
    }
}

package facet.ptx.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.PtxException;
import facet.ptx.Variable;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PlacingTest {
    private static final String TEXT =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .global .attribute(.managed) .align 4 .u32 counter = 7;
            .global .align 4 .u32 other;
            .visible .entry count(.param .u64 out)
            {
                .reg .b32 %r<4>;
                .reg .b64 %rd<4>;
                .reg .pred %p<2>;
                ld.global.u32 %r1, [counter];
                setp.eq.u32 %p1, %r1, 0;
                @%p1 st.global.u32 [counter+0], %r1;
                mov.u64 %rd1, counter;
                cvta.global.u64 %rd2, %rd1;
                atom.global.add.u32 %r2, [counter], 1;
                ld.global.u32 %r3, [other];
                ret;
            }
            """;

    private static boolean isManaged(Variable variable) {
        return !variable.attributes().isEmpty();
    }

    @Test
    void usesGoThroughThePointer() {
        Placing.Placed placed = Placing.place(TEXT, PlacingTest::isManaged);
        Map<String, String> pointers = placed.pointers();
        assertEquals(java.util.Set.of("counter"), pointers.keySet());
        String pointer = pointers.get("counter");
        assertEquals(4, placed.text().split("ld\\.global\\.u64 ", -1).length - 1, placed.text());
        assertTrue(placed.text().contains("[" + pointer + "]"), placed.text());
        assertFalse(placed.text().contains("[counter"), placed.text());
        assertFalse(placed.text().contains("managed"), placed.text());
        assertTrue(placed.text().contains("[other]"), placed.text());
        Module again = Parser.parse(placed.text());
        assertEquals(1, again.kernels().size());
        // What stays can be rewritten as any other text.
        assertEquals(1, Rewrite.rewrite(placed.text(), BlockForm.RANGES).kernels().size());
    }

    @Test
    void nothingIsChangedWhereNothingIsPlaced() {
        Placing.Placed placed = Placing.place(TEXT, _ -> false);
        assertEquals(TEXT, placed.text());
        assertTrue(placed.pointers().isEmpty());
    }

    @Test
    void anAddressThatIsNotKnownYetIsRefused() {
        String text =
                TEXT.replace(
                        ".global .align 4 .u32 other;",
                        ".global .align 4 .u32 other;\n.global .align 8 .u64 where = counter;");
        PtxException refused =
                assertThrows(PtxException.class, () -> Placing.place(text, PlacingTest::isManaged));
        assertTrue(String.valueOf(refused.getMessage()).contains("counter"), refused.getMessage());
    }
}

package facet.ptx.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.Parser;
import facet.ptx.PtxException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TextureNumbersTest {
    private static String kernel(String globals, String body) {
        return """
        .version 8.0
        .target sm_75
        .address_size 64
        GLOBALS
        .visible .entry use(.param .u64 texture)
        {
            .reg .b16 %h<4>;
            .reg .b32 %r<8>;
            .reg .f32 %f<8>;
            .reg .b64 %rd<4>;
            .reg .pred %p<2>;
            ld.param.u64 %rd1, [texture];
            BODY
            ret;
        }
        """
                .replace("GLOBALS", globals)
                .replace("BODY", body);
    }

    /** What comes out is PTX that can be rewritten once more. */
    private static TextureNumbers.Changed change(String globals, String body) {
        TextureNumbers.Changed changed = TextureNumbers.change(kernel(globals, body));
        assertEquals(1, Parser.parse(changed.text()).kernels().size());
        assertEquals(1, Rewrite.rewrite(changed.text(), BlockForm.RANGES).kernels().size());
        return changed;
    }

    @Test
    void textWithoutTexturesStaysAsItIs() {
        TextureNumbers.Changed changed = change("", "mov.u64 %rd2, %rd1;");
        assertNull(changed.table());
        assertEquals(kernel("", "mov.u64 %rd2, %rd1;"), changed.text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];",
                "@%p1 tex.level.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %f1, %f2, %f2}], %f3;",
                "tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];",
                "txq.width.b32 %r1, [%rd1];"
            })
    void aNumberIsLookedUp(String instruction) {
        TextureNumbers.Changed changed = change("", instruction);
        assertTrue(changed.text().contains("_texture, (%rd1)"), changed.text());
        assertTrue(changed.text().contains(Objects.requireNonNull(changed.table())));
        assertFalse(changed.text().contains("[%rd1,"), changed.text());
        assertFalse(changed.writes());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "suld.b.2d.v2.b16.clamp {%h1, %h2}, [%rd1, {%r1, %r2}];",
                "suld.b.3d.b32.zero %r3, [%rd1, {%r1, %r2, %r3, %r3}];",
                "@!%p1 sust.b.a1d.b32.trap [%rd1, {%r1, 4}], %r3;",
                "sured.b.add.1d.u32.zero [%rd1, {%r1}], %r3;"
            })
    void surfacesAreMemory(String instruction) {
        TextureNumbers.Changed changed = change("", instruction);
        assertTrue(changed.text().contains("_surface, (%rd1, "), changed.text());
        for (String gone : new String[] {"suld", "sust", "sured"}) {
            assertFalse(changed.text().contains(gone), changed.text());
        }
        assertEquals(!instruction.startsWith("suld"), changed.writes());
    }

    @Test
    void referencesAreVariablesWithANumber() {
        TextureNumbers.Changed changed =
                change(
                        ".global .texref image;",
                        "mov.u64 %rd2, image;"
                                + " tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f1, %f2}];");
        assertFalse(changed.text().contains("texref"), changed.text());
        assertEquals(2, changed.text().split("\\[image\\]", -1).length - 1, changed.text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sust.p.2d.b32.trap [%rd1, {%r1, %r2}], %r3;",
                "suq.width.b32 %r1, [%rd1];",
                "istypep.texref %p1, %rd1;",
                "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, %rd2, {%f1, %f2}];"
            })
    void whatDependsOnTheDriverIsRefusedByName(String instruction) {
        String text = kernel("", instruction);
        PtxException refused = assertThrows(PtxException.class, () -> TextureNumbers.change(text));
        assertTrue(refused.lacking().isPresent(), refused.getMessage());
        assertTrue(instruction.startsWith(refused.lacking().orElseThrow()), refused.getMessage());
    }

    @Test
    void placesAreInTheTable() {
        for (long number = -1000; number < 1000; number++) {
            int place = TextureTable.place(number * 0x1_0000_0001L, 64);
            assertTrue(place >= 0 && place < 64);
        }
    }
}

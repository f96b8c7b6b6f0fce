package facet.host.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FatBinaryTest {
    @ParameterizedTest
    @ValueSource(strings = {"speed", "size", "none"})
    void everyCompressionGivesTheSameText(String mode) throws Exception {
        byte[] image = Images.read("k-" + mode + ".fatbin");
        FatBinary binary = FatBinary.parse(image);
        assertEquals(3, binary.entries().size());
        String text = ModuleImage.ptx(image, 89);
        assertTrue(text.contains(".target sm_80"), text);
        assertTrue(text.contains(".entry scale"), text);
        assertEquals(ModuleImage.ptx(Images.read("k-none.fatbin"), 89), text);
    }

    @Test
    void theNewestArchitectureThatTheDeviceRuns() throws Exception {
        byte[] image = Images.read("k-none.fatbin");
        assertTrue(ModuleImage.ptx(image, 79).contains(".target sm_75"));
        assertTrue(ModuleImage.ptx(image, 80).contains(".target sm_80"));
        ImageException e = assertThrows(ImageException.class, () -> ModuleImage.ptx(image, 70));
        assertEquals(209, e.kind().code());
    }

    @Test
    void whereThereIsPtxForNewerDevicesOneOfThemIsProposed() {
        byte[] image = Images.read("k-none.fatbin");
        ImageException e = assertThrows(ImageException.class, () -> ModuleImage.ptx(image, 70));
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("compute capability 7.5 or newer"), message);
        assertTrue(message.contains("facet up --profile"), message);
    }

    @Test
    void codeOfOnePartOrFamilyIsLeftOut() throws Exception {
        FatBinary binary = FatBinary.parse(Images.read("k-arch.fatbin"));
        FatBinaryEntry chosen = binary.bestPtx(120).orElseThrow();
        assertEquals(90, chosen.sm());
        assertFalse(chosen.isSpecific());
        assertTrue(binary.contents().contains("compute_100f (PTX)"), binary.contents());
        assertTrue(binary.contents().contains("sm_90a (binary)"), binary.contents());
    }

    @Test
    void withoutPtxTheFlagToUseIsNamed() {
        byte[] image = Images.read("k-elf.fatbin");
        ImageException e = assertThrows(ImageException.class, () -> ModuleImage.ptx(image, 89));
        assertEquals(ImageException.Kind.NO_CODE_FOR_DEVICE, e.kind());
        assertTrue(String.valueOf(e.getMessage()).contains("sm_86 (binary)"), e.getMessage());
        assertTrue(String.valueOf(e.getMessage()).contains("-gencode"), e.getMessage());
    }

    @Test
    void longHeadersAreSkipped() throws Exception {
        assertTrue(ModuleImage.ptx(Images.read("k-debug.fatbin"), 75).contains(".entry scale"));
    }

    @Test
    void plainTextIsTakenUpToItsEnd() throws Exception {
        byte[] image = ".version 8.0\n.target sm_75\n\0\0junk".getBytes(StandardCharsets.UTF_8);
        assertEquals(".version 8.0\n.target sm_75\n", ModuleImage.ptx(image, 89));
    }

    @Test
    void whatIsNothingIsSaidToBeSo() {
        assertThrows(ImageException.class, () -> ModuleImage.ptx(new byte[0], 89));
        assertThrows(ImageException.class, () -> ModuleImage.ptx(new byte[] {1, 2, 3}, 89));
        assertThrows(ImageException.class, () -> ModuleImage.ptx(new byte[64], 89));
    }
}

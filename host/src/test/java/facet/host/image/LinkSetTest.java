package facet.host.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sets as native/libcuda/linkset.c writes them. */
final class LinkSetTest {
    private static final int CONTAINER = 0x4653;

    private static byte[] entry(int kind, byte[] data) {
        int padded = (data.length + 7) / 8 * 8;
        ByteBuffer entry = ByteBuffer.allocate(64 + padded).order(ByteOrder.LITTLE_ENDIAN);
        entry.putShort(0, (short) kind).putShort(2, (short) 0x101).putInt(4, 64);
        entry.putLong(8, padded).put(64, data);
        return entry.array();
    }

    private static byte[] set(byte[]... entries) {
        int bytes = 0;
        for (byte[] each : entries) {
            bytes += each.length;
        }
        ByteBuffer set = ByteBuffer.allocate(16 + bytes).order(ByteOrder.LITTLE_ENDIAN);
        set.putInt(0xBA55ED50).putShort((short) 0x8001).putShort((short) 16).putLong(bytes);
        for (byte[] each : entries) {
            set.put(each);
        }
        return set.array();
    }

    private static byte[] ptx(String text) {
        return (text + '\0').getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void everyEntryGivesItsText() throws ImageException {
        byte[] image =
                set(
                        entry(1, ptx(".version 8.0\n")),
                        entry(CONTAINER, Images.read("k-none.fatbin")));
        List<String> texts = ModuleImage.texts(image, 89);
        assertEquals(2, texts.size());
        assertEquals(".version 8.0\n", texts.getFirst());
        assertTrue(texts.getLast().contains(".entry"), texts.getLast());
    }

    @Test
    void containersWithoutPtxAddNothing() throws ImageException {
        byte[] binaries = entry(CONTAINER, Images.read("k-elf.fatbin"));
        assertEquals(1, ModuleImage.texts(set(binaries, entry(1, ptx("// a"))), 89).size());
        ImageException e =
                assertThrows(ImageException.class, () -> ModuleImage.texts(set(binaries), 89));
        assertEquals(ImageException.Kind.NO_CODE_FOR_DEVICE, e.kind());
    }

    @Test
    void otherImagesAreOneText() throws ImageException {
        assertEquals(List.of("// a"), ModuleImage.texts(ptx("// a"), 89));
        assertEquals(1, ModuleImage.texts(Images.read("k-none.fatbin"), 89).size());
    }

    @Test
    void wrongSetsAreRefused() {
        byte[] nested = set(entry(CONTAINER, set(entry(1, ptx("// a")))));
        assertThrows(ImageException.class, () -> ModuleImage.texts(nested, 89));
        byte[] strange = set(entry(2, ptx("// a")));
        assertThrows(ImageException.class, () -> ModuleImage.texts(strange, 89));
        byte[] cut = set(entry(1, ptx("// a")));
        for (int i = 4; i < cut.length; i++) {
            byte[] shorter = Arrays.copyOf(cut, i);
            assertThrows(ImageException.class, () -> ModuleImage.texts(shorter, 89));
        }
        assertThrows(ImageException.class, () -> ModuleImage.texts(set(), 89));
    }
}

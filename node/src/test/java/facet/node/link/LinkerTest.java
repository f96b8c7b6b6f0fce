package facet.node.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import facet.device.Stream;
import facet.device.cpu.CpuDevice;
import facet.node.image.ImageException;
import facet.node.image.ModuleImage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LinkerTest {
    private static final String HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n";

    private static String read(String name) {
        try (InputStream stream = LinkerTest.class.getResourceAsStream(name)) {
            return new String(
                    Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** first calls a function of second, and counts in its variable; both print and have statics. */
    @Test
    void separatelyCompiledSourcesRunTogether() throws Exception {
        for (List<String> order :
                List.of(List.of("first.ptx", "second.ptx"), List.of("second.ptx", "first.ptx"))) {
            String text = Linker.link(order.stream().map(LinkerTest::read).toList());
            StringBuilder printed = new StringBuilder();
            try (CpuDevice device = CpuDevice.create();
                    Context context =
                            device.createContext(
                                    ContextOptions.of("link", 64L << 20)
                                            .withOutput(printed::append));
                    Arena arena = Arena.ofShared()) {
                LoadedModule module = context.load(text);
                Stream stream = context.createStream();
                long cells = context.allocate(256);
                stream.launch(
                        Launch.of(module.kernel("first"), Dim.of(1), Dim.of(32), cells)
                                .withShared(128));
                MemorySegment results = arena.allocate(128, 4);
                stream.copyFromDevice(results, cells);
                stream.synchronize();
                // twice(i + 1) is 2 * (i + 1); 3 comes from the template, chosen(0) is twice(0).
                assertEquals(2 * 8 + 3, results.getAtIndex(ValueLayout.JAVA_INT, 7));
                stream.launch(
                        Launch.of(module.kernel("second"), Dim.of(1), Dim.of(32), cells)
                                .withShared(128));
                stream.copyFromDevice(results, cells);
                stream.synchronize();
                assertEquals(1000 + 32 + 30, results.getAtIndex(ValueLayout.JAVA_INT, 7));
            }
            assertEquals("first 132\nsecond 200\n", printed.toString());
        }
    }

    @Test
    void staticNamesAreToldApart() throws Exception {
        String one = HEAD + ".global .u32 own = 1;\n.visible .global .u64 a = own;\n";
        String two = HEAD + ".global .u32 own = 2;\n.visible .global .u64 b = own;\n";
        String text = Linker.link(List.of(one, two));
        assertTrue(text.contains(".u32 own = 1"), text);
        assertTrue(text.contains(".u64 a = own;"), text);
        assertTrue(text.contains(".u32 own_2 = 2"), text);
        assertTrue(text.contains(".u64 b = own_2;"), text);
    }

    @Test
    void aStaticNameYieldsToAVisibleOne() throws Exception {
        String one = HEAD + ".global .u32 x = 1;\n.visible .global .u64 a = x;\n";
        String two = HEAD + ".visible .global .u32 x = 2;\n";
        String text = Linker.link(List.of(one, two));
        assertTrue(text.contains(".visible .global .u32 x = 2"), text);
        assertTrue(text.contains(".u64 a = x_1;"), text);
    }

    @Test
    void weakYieldsAndCommonGrows() throws Exception {
        String one =
                HEAD + ".weak .global .u32 w = 1;\n.common .global .b8 c[4];\n.extern .global .u32 s;\n";
        String two =
                HEAD + ".visible .global .u32 w = 2;\n.common .global .b8 c[16];\n.visible .global .u32 s;\n";
        String text = Linker.link(List.of(one, two));
        assertFalse(text.contains(".weak"), text);
        assertFalse(text.contains(".extern"), text);
        assertTrue(text.contains("w = 2"), text);
        assertFalse(text.contains("c[4]"), text);
        assertTrue(text.contains("c[16]"), text);
    }

    @Test
    void twoDefinitionsAreRefused() {
        String one = HEAD + ".visible .global .u32 x = 1;\n";
        LinkException e = assertThrows(LinkException.class, () -> Linker.link(List.of(one, one)));
        assertTrue(String.valueOf(e.getMessage()).contains("x is defined by input 1 and by input 2"));
    }

    @Test
    void headersAreTheNewest() throws Exception {
        String one = ".version 8.7\n.target sm_80, debug\n.address_size 64\n";
        String two = ".version 8.10\n.target sm_75\n.address_size 64\n";
        assertTrue(
                Linker.link(List.of(one, two)).startsWith(".version 8.10\n.target sm_80\n"));
    }

    @Test
    void opcodesKeepTheirNames() throws Exception {
        String body = ".func add() { add.s32 %r1, %r1, 1; call add; ret; }\n";
        String text = Linker.link(List.of(HEAD + body, HEAD + body));
        assertTrue(text.contains(".func add_2() { add.s32 %r1, %r1, 1; call add_2; ret; }"), text);
    }

    private static byte[] linkSet(String... texts) {
        int bytes = 16;
        for (String each : texts) {
            bytes += 64 + (each.length() + 7) / 8 * 8;
        }
        ByteBuffer set = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        set.putInt(0xBA55ED50).putShort((short) 0x8001).putShort((short) 16).putLong(bytes - 16);
        for (String each : texts) {
            int start = set.position();
            int payload = (each.length() + 7) / 8 * 8;
            set.putShort(start, (short) 1).putInt(start + 4, 64).putLong(start + 8, payload);
            set.putInt(start + 28, 75);
            set.put(start + 64, each.getBytes(StandardCharsets.UTF_8));
            set.position(start + 64 + payload);
        }
        return set.array();
    }

    @Test
    void linkSetsAreImages() throws Exception {
        String text = ModuleImage.ptx(linkSet(read("first.ptx"), read("second.ptx")), 89);
        assertTrue(text.contains(".entry first("));
        assertTrue(text.contains(".entry second("));
        ImageException e =
                assertThrows(
                        ImageException.class,
                        () -> ModuleImage.ptx(linkSet(read("first.ptx"), read("first.ptx")), 89));
        assertEquals(ImageException.Kind.LINK_FAILED, e.kind());
    }

    @Test
    void brokenTextsAreRefusedByTheTypedException() {
        long seed = Long.getLong("facet.seed", System.nanoTime());
        System.out.println("seed " + seed + " (-Dfacet.seed=" + seed + " repeats it)");
        Random random = new Random(seed);
        String first = read("first.ptx");
        for (int i = 0; i < 2000; i++) {
            StringBuilder text = new StringBuilder(first);
            for (int j = 0; j <= random.nextInt(4); j++) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.setCharAt(at, "{}();\"./*=[]%$a0 \n".charAt(random.nextInt(18)));
                    default -> text.setLength(at + 1);
                }
            }
            try {
                Linker.link(List.of(text.toString(), read("second.ptx")));
            } catch (LinkException e) {
                assertFalse(String.valueOf(e.getMessage()).isEmpty());
            }
        }
    }
}

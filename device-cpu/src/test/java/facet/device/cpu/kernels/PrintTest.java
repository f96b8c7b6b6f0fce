package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The device's printf, with what C prints. */
final class PrintTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @Test
    void formats() {
        gpu.kernel("print", "print_formats")
                .run(-42, 0xdeadbeef, -1234567890123L, 3.14159, 0xabcdL);
        assertEquals(
                """
                d=-42 u=3735928559 x=deadbeef X=DEADBEEF o=33653337357
                lld=-1234567890123 llu=18446742839141661493 llx=fffffee08e04fb35
                f=3.141590 e=3.141590e+00 g=3.14159 5.2f= 3.14
                s=text c=G percent=%
                [  -42] [-42  ] [-0042] [-42] [0xdeadbeef] [3.142e+00]
                p=0xabcd
                plain
                [     abc] [abc     ] [ab]
                -42 -42 -42
                """,
                gpu.printed());
    }

    @Test
    void largeAndSmallNumbers() {
        gpu.kernel("print", "print_formats").run(7, 10, 1L << 62, 1234567.0, 0x10000000000L);
        assertEquals(
                """
                d=7 u=10 x=a X=A o=12
                lld=4611686018427387904 llu=4611686018427387904 llx=4000000000000000
                f=1234567.000000 e=1.234567e+06 g=1.23457e+06 5.2f=1234567.00
                s=text c=H percent=%
                [    7] [7    ] [00007] [+7] [0xa] [1.235e+06]
                p=0x10000000000
                plain
                [     abc] [abc     ] [ab]
                7 7 7
                """,
                gpu.printed());
        gpu.kernel("print", "print_formats").run(300, 0, 0L, 1e-10, 0x8L);
        assertEquals(
                """
                d=300 u=0 x=0 X=0 o=0
                lld=0 llu=0 llx=0
                f=0.000000 e=1.000000e-10 g=1e-10 5.2f= 0.00
                s=text c=E percent=%
                [  300] [300  ] [00300] [+300] [0] [1.000e-10]
                p=0x8
                plain
                [     abc] [abc     ] [ab]
                300 44 300
                """,
                gpu.printed());
    }

    /** Lines of different threads come in any order, but whole. */
    @ParameterizedTest
    @ValueSource(ints = {1, 31, 64, 200})
    void manyThreads(int block) {
        gpu.kernel("print", "print_threads").grid(3).block(block).run(500);
        List<String> expected = new ArrayList<>();
        for (int b = 0; b < 3; b++) {
            for (int t = 0; t < block; t += 2) {
                expected.add("<" + b + ":" + (500 + t) + ">");
            }
        }
        Collections.sort(expected);
        assertEquals(expected, gpu.printed().lines().sorted().toList());
    }

    @Test
    void resultIsTheNumberOfArguments() {
        long out = gpu.allocate(8);
        gpu.kernel("print", "print_result").run(out);
        assertArrayEquals(new int[] {0, 2}, gpu.ints(out, 2));
        assertEquals("a\nb 1 2.500000\n", gpu.printed());
    }

    /** A kernel that prints what it is given, with arguments as they lie in memory. */
    private static final String SAY =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .extern .func (.param .b32 printed) vprintf(.param .b64 format, .param .b64 arguments);
            .visible .entry say(.param .u64 format, .param .u64 arguments)
            {
                .reg .b64 %rd<2>; .reg .b32 %r;
                ld.param.u64 %rd0, [format];
                ld.param.u64 %rd1, [arguments];
                {
                    .param .b64 given0; .param .b64 given1; .param .b32 got;
                    st.param.b64 [given0], %rd0;
                    st.param.b64 [given1], %rd1;
                    call (got), vprintf, (given0, given1);
                    ld.param.b32 %r, [got];
                }
                ret;
            }
            """;

    private static String say(String format, long... arguments) {
        byte[] text = (format + "\0").getBytes(StandardCharsets.UTF_8);
        int[] words = new int[text.length / 4 + 1];
        ByteBuffer.wrap(Arrays.copyOf(text, words.length * 4))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asIntBuffer()
                .get(words);
        int[] packed = new int[2 * arguments.length + 2];
        for (int i = 0; i < arguments.length; i++) {
            packed[2 * i] = (int) arguments[i];
            packed[2 * i + 1] = (int) (arguments[i] >>> 32);
        }
        try (LoadedModule module = gpu.context().load(SAY)) {
            gpu.stream()
                    .launch(
                            Launch.of(
                                    module.kernel("say"),
                                    Dim.of(1),
                                    Dim.of(1),
                                    gpu.upload(words),
                                    gpu.upload(packed)));
            gpu.stream().synchronize();
        }
        return gpu.printed();
    }

    private static final int LONGEST = 64 << 10;

    @Test
    void aCallPrintsNoMoreThanItMay() {
        int[] letters = new int[1 << 20];
        Arrays.fill(letters, 0x61616161);
        long text = gpu.upload(letters);
        assertEquals("a".repeat(LONGEST), say("%s", text));
        assertEquals("<" + "a".repeat(LONGEST - 1), say("<%s%s%s>", text, text, text));
        assertEquals("a".repeat(LONGEST), say("a".repeat(LONGEST + 100)));
        assertEquals(LONGEST, say("%9d".repeat(2 * LONGEST), new long[4 * LONGEST]).length());
    }

    @Test
    void widthsAndPrecisionsAreBounded() {
        int[] hostile = {Integer.MAX_VALUE, Integer.MIN_VALUE, -1 << 30};
        for (int each : hostile) {
            long width = each & 0xffff_ffffL;
            assertEquals(4096, say("%*d", width | 5L << 32).length(), "width " + each);
            assertEquals(4096, say("%.*d", width | 5L << 32).length(), "precision " + each);
            assertTrue(say("%.*f", width, 0).length() <= 4100, "places " + each);
        }
        assertEquals(4096, say("%99999999999999999999d", 5).length());
    }

    /** As in C: what lies behind the precision need not be there. */
    @Test
    void aPrecisionBoundsWhatIsRead() {
        long end = gpu.context().allocate(256);
        long text = gpu.upload(new int[] {0x64636261});
        assertEquals("abc abcd (nu", say("%.3s %.9s %.3s", text, text, 0));
        assertEquals("[]", say("[%.0s]", end + (1L << 40)));
    }
}

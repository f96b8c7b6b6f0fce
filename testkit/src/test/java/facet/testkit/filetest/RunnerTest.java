package facet.testkit.filetest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Device;
import facet.device.cpu.CpuDevice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The runner itself: what is wrong fails, and bless writes what was computed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RunnerTest {
    private static final String DOUBLE =
            """

            .version 9.0
            .target sm_75
            .address_size 64
            .visible .entry twice(.param .u64 a, .param .u64 d)
            {
                .reg .u32 %i;
                .reg .u64 %p, %o;
                .reg .f32 %x;
                mov.u32 %i, %tid.x;
                mul.wide.u32 %o, %i, 4;
                ld.param.u64 %p, [a]; add.u64 %p, %p, %o; ld.global.f32 %x, [%p];
                add.f32 %x, %x, %x;
                ld.param.u64 %p, [d]; add.u64 %p, %p, %o; st.global.f32 [%p], %x;
                ret;
            }
            """;
    private static final String HEADER =
            """
            // test: run
            // Doubles.
            // kernel: twice block=5
            // in: f32 a = 1.5 -0.0 nan 0x1p-149
            //     inf
            // out: f32 d[5]
            """;
    private static final String FAULT =
            """

            .version 9.0
            .target sm_75
            .address_size 64
            .visible .entry wild()
            {
                .reg .u64 %p;
                mov.u64 %p, 64;
                st.global.u64 [%p], %p;
                ret;
            }
            """;

    private final Device device = CpuDevice.create();
    private final FiletestRunner runner = new FiletestRunner(device);

    @AfterAll
    void close() {
        device.close();
    }

    private static String doubling(String expect) {
        return HEADER + expect + "\n" + DOUBLE;
    }

    @Test
    void aRightExpectationPasses() {
        Outcome outcome = runner.run(doubling("// expect: d = 3.0 -0.0 nan 0x1p-148 inf"));
        assertEquals(List.of(), outcome.mismatches());
    }

    @Test
    void aWrongExpectationFailsAtItsLine() {
        Outcome outcome = runner.run(doubling("// expect: d = 3.0 0.0 nan 0x1p-148 inf"));
        assertEquals(1, outcome.mismatches().size());
        Outcome.Mismatch mismatch = outcome.mismatches().getFirst();
        assertEquals(7, mismatch.line());
        assertTrue(mismatch.got().contains("at 1: 0.0 against -0.0"), mismatch.got());
    }

    @Test
    void aWrongCountFails() {
        assertFalse(runner.run(doubling("// expect: d = 3.0 -0.0 nan")).passed());
    }

    @Test
    void nearIsNotEqual() {
        String near = "= 3.0000002 -0.0 nan 0x1p-148 inf";
        assertFalse(runner.run(doubling("// expect: d " + near)).passed());
        assertTrue(runner.run(doubling("// expect: d ~1ulp " + near)).passed());
        assertTrue(runner.run(doubling("// expect: d ~2^-22 " + near)).passed());
        assertFalse(runner.run(doubling("// expect: d ~2^-30abs " + near)).passed());
    }

    @Test
    void blessWritesWhatWasComputed() {
        String wrong = doubling("// expect: d ~1ulp = 9.0\n//     8.0");
        String blessed = Bless.apply(wrong, runner.run(wrong).edits());
        assertTrue(runner.run(blessed).passed(), blessed);
        assertTrue(blessed.contains("// expect: d ~1ulp = 3.0 -0.0 nan:0x"), blessed);
        assertEquals(wrong.lines().count() - 1, blessed.lines().count());
        assertTrue(blessed.endsWith(DOUBLE));
    }

    @Test
    void aFaultIsAnError() {
        String kernel = "// test: run\n// kernel: wild\n";
        assertFalse(runner.run(kernel + FAULT).passed());
        assertTrue(runner.run(kernel + "// expect-error: 700\n" + FAULT).passed());
        String wrong = kernel + "// expect-error: 716 of another kind\n" + FAULT;
        Outcome outcome = runner.run(wrong);
        assertFalse(outcome.passed());
        assertTrue(runner.run(Bless.apply(wrong, outcome.edits())).passed());
    }

    @Test
    void aMissingFaultFails() {
        assertFalse(runner.run(doubling("// expect-error: 700")).passed());
    }

    @Test
    void whatLoadsIsNotRefused() {
        assertFalse(runner.run("// test: refuse\n// expect-error: 1:1\n" + FAULT).passed());
    }

    @Test
    void aRefusalNamesItsPlace() {
        String body = FAULT.replace("mov.u64", "move.u64");
        String right = "// test: refuse\n// expect-error: 10:5 move\n" + body;
        assertEquals(List.of(), runner.run(right).mismatches());
        String wrong = right.replace("10:5", "10:6");
        Outcome outcome = runner.run(wrong);
        assertFalse(outcome.passed());
        assertTrue(Bless.apply(wrong, outcome.edits()).contains(" 10:5 move\n"));
    }

    @Test
    void headersAreRead() {
        assertThrows(IllegalArgumentException.class, () -> runner.run(FAULT));
        String unknown = "// test: run\n// kernel: wild\n// expct: d = 1\n" + FAULT;
        assertThrows(IllegalArgumentException.class, () -> runner.run(unknown));
        String early = "// test: run\n// in: u32 a = 1\n// kernel: wild\n" + FAULT;
        assertThrows(IllegalArgumentException.class, () -> runner.run(early));
    }

    @Test
    void theMainClassCountsAndBlesses(@TempDir Path folder) throws IOException {
        Path good = folder.resolve("good.ptx");
        Path bad = folder.resolve("bad.ptx");
        Files.writeString(good, doubling("// expect: d = 3.0 -0.0 nan 0x1p-148 inf"));
        Files.writeString(bad, doubling("// expect: d = 0.0*5"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        List<String> roots = List.of(folder.toString());
        assertEquals(1, new FiletestMain(device, false, out).runAll(roots));
        assertTrue(bytes.toString(StandardCharsets.UTF_8).contains(bad + ":7: expected d = "));
        assertTrue(bytes.toString(StandardCharsets.UTF_8).endsWith("1 passed, 1 failed\n"));
        assertEquals(0, new FiletestMain(device, true, out).runAll(roots));
        assertEquals(0, new FiletestMain(device, false, out).runAll(roots));
    }

    @Test
    void printsArePartOfTheFile() {
        String module =
                """
                // test: print kinds
                // Registers of a kernel.

                .version 9.0
                .target sm_90
                .address_size 64

                .visible .entry k()
                {
                    .reg .f32 %f;
                    mov.f32 %f, 0f00000000;
                    ret;
                }
                """;
        Outcome missing = runner.run(module);
        assertFalse(missing.passed());
        String blessed = Bless.apply(module, missing.edits());
        assertEquals(module + "\n// prints:\n// k\n//   %f .f32: float\n", blessed);
        assertTrue(runner.run(blessed).passed());

        String wrong = blessed.replace(": float", ": int");
        Outcome differs = runner.run(wrong);
        assertEquals(
                "17: expected '%f .f32: int', got '%f .f32: float'",
                differs.mismatches().getFirst().toString());
        assertEquals(blessed, Bless.apply(wrong, differs.edits()));
        assertFalse(runner.run(blessed + "// and more\n").passed());
        assertThrows(
                IllegalArgumentException.class,
                () -> runner.run(module.replace("kinds", "nothing")));
    }
}

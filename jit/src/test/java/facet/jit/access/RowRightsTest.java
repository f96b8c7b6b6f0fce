package facet.jit.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.jit.Compiler;
import facet.jit.access.Access.Base;
import facet.jit.access.Access.Does;
import facet.jit.access.Trial.World;
import facet.jit.emit.Emitter;
import facet.jit.emit.Program;
import facet.jit.pass.InlineCalls;
import facet.jit.runtime.Lanes;
import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.Verifier;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows of another context's memory: read and written where that is allowed, to its last byte. */
final class RowRightsTest {
    private static final int PEER = 1024;

    /** Whether a launch faults whose first thread is so many bytes into the other memory. */
    private static boolean faults(Does does, int bits, int vectors, boolean writes, long at) {
        Access access = new Access(does, Where.GLOBAL, bits, 1, false, new Base.Wide(0), 0, null);
        long stride = bits / 8;
        AccessKernel kernel =
                new AccessKernel(
                        List.of(access),
                        0x7000_0000_0000L,
                        List.of(stride, stride, stride),
                        Math.max(2, vectors) * Lanes.COUNT,
                        Parting.NONE,
                        7);
        Trial trial = new Trial(0, 128, 1 << 20, PEER, writes, 0, 64, 0, new long[3]);
        trial.registers()[0] = trial.peer(kernel) + at;
        Module module = Parser.parse(AccessText.of(kernel));
        Verifier.verify(module);
        Function function = module.kernels().getFirst();
        Compiler compiler = new Compiler(module);
        Program program = new Program(Program.globals(module), compiler.graph(), false);
        Emitter.Emitted rows =
                Emitter.emitRows(
                                program,
                                InlineCalls.inline(compiler.graph(), function),
                                vectors * Lanes.COUNT)
                        .orElseThrow();
        try (World world = new World()) {
            world.fill(world.fresh(AccessOracle.arguments(kernel, trial)));
            return OneLaunch.faults(kernel, trial, world, rows, program.symbols());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "8, 1", "16, 1", "32, 1", "64, 1", "8, 2", "16, 2", "32, 2", "64, 2", "8, 4", "16, 4",
        "32, 4"
    })
    void areCheckedForWhatIsDoneThere(int bits, int vectors) {
        int bytes = Math.max(2, vectors) * Lanes.COUNT * bits / 8;
        int width = bits / 8;
        for (long at : new long[] {0, PEER - bytes}) {
            assertEquals(false, faults(Does.LOAD, bits, vectors, false, at));
            assertEquals(true, faults(Does.STORE, bits, vectors, false, at));
            assertEquals(false, faults(Does.STORE, bits, vectors, true, at));
        }
        for (long at : new long[] {-width, PEER - bytes + width}) {
            assertEquals(true, faults(Does.LOAD, bits, vectors, true, at));
            assertEquals(true, faults(Does.STORE, bits, vectors, true, at));
        }
    }
}

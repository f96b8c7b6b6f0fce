package facet.jit.access;

import facet.jit.CompiledKernel;
import facet.jit.Compiler;
import facet.jit.access.Access.Base;
import facet.jit.access.Checker.Verdict;
import facet.jit.access.Trial.World;
import facet.jit.emit.Emitter;
import facet.jit.emit.Program;
import facet.jit.pass.InlineCalls;
import facet.jit.runtime.Lanes;
import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.PtxException;
import facet.ptx.Verifier;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Draws kernels and launches, and compares what they do with what {@link Checker} says. */
final class AccessOracle implements AutoCloseable {
    private static final int TRIALS = 500;

    /** A kernel that has not ended once by then will not: it reaches for too much. */
    private static final int PATIENCE = 50;

    private final World world = new World();
    private long kernels;
    private long refused;
    private long rowKernels;
    private long launches;
    private long faults;
    private long accesses;
    private long peers;

    /** Launches of vector code that ended since the threads which may not do it did not. */
    private long kept;

    /** Accesses whose address was judged and compared, by scalar and by vector code. */
    long accesses() {
        return accesses;
    }

    String summary() {
        return "%,d accesses in %,d launches of %,d kernels (%,d also as vector code, %,d refused); %,d launches faulted, %,d reached another context, in %,d of vector code some threads kept away"
                .formatted(accesses, launches, kernels, rowKernels, refused, faults, peers, kept);
    }

    /** Otherwise it proves nothing. */
    boolean hasSeenEverything() {
        boolean few = kernels < 100;
        return (few || refused > 0)
                && peers > launches / 200
                && (few || kept > launches / 100)
                && rowKernels > kernels / 4
                && faults > 0
                && faults < launches;
    }

    /** Empty, or the first difference. */
    Optional<String> tryKernel(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        AccessKernel kernel = AccessGenerator.generate(random);
        String text = AccessText.of(kernel);
        kernels++;
        Module module = Parser.parse(text);
        boolean wrong = kernel.accesses().stream().anyMatch(AccessOracle::isOutsideParameter);
        try {
            Verifier.verify(module);
        } catch (PtxException e) {
            refused++;
            return wrong ? Optional.empty() : Optional.of("seed " + seed + ": " + e + "\n" + text);
        }
        if (wrong) {
            return Optional.of("seed " + seed + " was accepted\n" + text);
        }
        Function function = module.kernels().getFirst();
        Compiler compiler = new Compiler(module);
        CompiledKernel compiled = compiler.compile(function);
        Program program = new Program(Program.globals(module), compiler.graph(), false);
        Optional<Emitter.Emitted> rows =
                kernel.threads() == 1
                        ? Optional.empty()
                        : Emitter.emitRows(
                                program,
                                InlineCalls.inline(compiler.graph(), function),
                                seed % 2 == 0 ? Lanes.COUNT : 2 * Lanes.COUNT);
        rowKernels += rows.isPresent() ? 1 : 0;
        TrialGenerator trials = new TrialGenerator(kernel, random);
        long fruitless = launches - faults;
        for (int i = 0; i < TRIALS; i++) {
            if (i == PATIENCE && launches - faults == fruitless) {
                break;
            }
            Trial trial = trials.next();
            Optional<String> difference =
                    compare(kernel, trial, compiled.scalar(), compiled.symbols());
            if (difference.isEmpty() && rows.isPresent()) {
                difference = compare(kernel, trial, rows.get(), program.symbols());
            }
            if (difference.isPresent()) {
                return Optional.of(
                        "seed %d, trial %d: %s\n%s\n%s\nregisters %s"
                                .formatted(
                                        seed,
                                        i,
                                        difference.get(),
                                        text,
                                        trial,
                                        java.util.Arrays.toString(trial.registers())));
            }
        }
        return Optional.empty();
    }

    /** Parameters by name are read without a check, so that the verifier must refuse these. */
    private static boolean isOutsideParameter(Access access) {
        return access.where() == Where.PARAM
                && access.base() instanceof Base.Symbol
                && (access.offset() < 0
                        || access.offset() > AccessKernel.VARIABLE - access.width());
    }

    private Optional<String> compare(
            AccessKernel kernel, Trial trial, Emitter.Emitted code, List<String> symbols) {
        byte[] before = world.fresh(arguments(kernel, trial));
        byte[] after = before.clone();
        Checker checker = new Checker(kernel, trial, after);
        Verdict verdict = checker.judge();
        if (verdict == Verdict.UNSURE) {
            return Optional.empty();
        }
        world.fill(before);
        boolean faulted = OneLaunch.faults(kernel, trial, world, code, symbols);
        launches++;
        accesses += checker.decided();
        faults += faulted ? 1 : 0;
        peers += !faulted && checker.reachesPeer() ? 1 : 0;
        kept += !faulted && code.lanes() > 1 && checker.keepsAway() ? 1 : 0;
        if (verdict != Verdict.MAY_FAULT && faulted != (verdict == Verdict.FAULTS)) {
            return Optional.of(
                    faulted ? "it faulted, but may do that" : "it did not fault, but must");
        }
        return faulted ? outside(kernel, trial, before) : everything(after);
    }

    static byte[] arguments(AccessKernel kernel, Trial trial) {
        ByteBuffer arguments =
                ByteBuffer.allocate(AccessKernel.PARAMETERS).order(ByteOrder.LITTLE_ENDIAN);
        arguments.putLong(kernel.zone());
        for (long register : trial.registers()) {
            arguments.putLong(register);
        }
        while (arguments.hasRemaining()) {
            arguments.put((byte) (arguments.position() * 37));
        }
        arguments.putInt(AccessKernel.MASK, trial.mask());
        return arguments.array();
    }

    private Optional<String> everything(byte[] expected) {
        return same(expected, 0, World.BYTES);
    }

    /** What no access may change, whatever was done before the fault. */
    private Optional<String> outside(AccessKernel kernel, Trial trial, byte[] before) {
        long localEnd = World.LOCAL_AT + (long) kernel.threads() * trial.localBytes();
        long[][] ranges = {
            {0, World.SHARED_AT},
            {World.SHARED_AT + trial.sharedBytes(), World.LOCAL_AT},
            {localEnd, World.ZONE_AT - trial.low()},
            {World.ZONE_AT + World.ZONE_BYTES + trial.high(), World.PEER_AT},
            {World.PEER_AT + trial.peerBytes(), World.BYTES}
        };
        for (long[] range : ranges) {
            Optional<String> difference = same(before, range[0], range[1]);
            if (difference.isPresent()) {
                return difference;
            }
        }
        return Optional.empty();
    }

    private Optional<String> same(byte[] expected, long from, long to) {
        long at =
                MemorySegment.mismatch(
                        MemorySegment.ofArray(expected), from, to, world.memory(), from, to);
        return at < 0
                ? Optional.empty()
                : Optional.of("memory differs at %d of the world".formatted(from + at));
    }

    @Override
    public void close() {
        world.close();
    }
}

package facet.ptx;

import facet.ptx.PtxException.Kind;
import java.util.List;

/**
 * How much memory variables may take. What passes here fits into an int, sums included; what is
 * global or constant is held against the context's memory when the module is loaded.
 */
public final class StorageVerifier {
    /** Of a thread: its local variables and those that calls pass. As on all devices of CUDA. */
    public static final int MOST_LOCAL = 512 << 10;

    /** Of a block. More than any device has; what this one has is asked at the launch. */
    public static final int MOST_SHARED = 1 << 20;

    /** What a kernel may take since PTX ISA 8.1 (9.7.12.5, 5.1.6.1). */
    private static final long MOST_PARAMETERS = 32_764;

    /** The least that a variable takes of a frame, and its least alignment there. */
    public static final int FRAME_SLOT = 8;

    private StorageVerifier() {}

    static void verify(Variable variable) {
        if (variable.space().isShared() && variable.bytes() > MOST_SHARED) {
            throw new PtxException(
                    Kind.INVALID,
                    variable.position(),
                    variable.name()
                            + " takes "
                            + size(variable.bytes())
                            + " of shared memory; a block has at most "
                            + MOST_SHARED);
        }
    }

    static void verify(Function function) {
        if (function.kernel()) {
            parameters(function);
        }
        long frame = 0;
        if (!function.kernel()) {
            frame = frame(frame, function.results());
            frame = frame(frame, function.parameters());
        }
        if (function.body() != null) {
            body(frame, function.body());
        }
    }

    static void verify(Statement.Prototype prototype) {
        frame(frame(0, prototype.results()), prototype.parameters());
    }

    private static void parameters(Function kernel) {
        long bytes = 0;
        for (Variable each : kernel.parameters()) {
            bytes = Extent.append(bytes, Math.max(1, each.effectiveAlignment()), each.bytes());
        }
        if (bytes > MOST_PARAMETERS) {
            throw new PtxException(
                    Kind.INVALID,
                    kernel.position(),
                    "the parameters of "
                            + kernel.name()
                            + " take "
                            + size(bytes)
                            + "; at most "
                            + MOST_PARAMETERS
                            + " are possible: pass a pointer to them");
        }
    }

    private static long frame(long start, List<Variable> variables) {
        long end = start;
        for (Variable each : variables) {
            end = frame(end, each);
        }
        return end;
    }

    /** Scopes do not share their places, as their variables may be used after a jump. */
    private static long body(long start, List<Statement> statements) {
        long end = start;
        for (Statement each : statements) {
            if (each instanceof Statement.Local local) {
                Space space = local.variable().space();
                if (space == Space.LOCAL || space.isParam()) {
                    end = frame(end, local.variable());
                }
            } else if (each instanceof Statement.Scope inner) {
                end = body(end, inner.statements());
            }
        }
        return end;
    }

    /**
     * Where a thread's frame ends with one more variable in it.
     *
     * @throws PtxException when no thread has so much
     */
    public static long frame(long start, Variable variable) {
        long alignment = Math.max(variable.effectiveAlignment(), FRAME_SLOT);
        long end = Extent.append(start, alignment, Math.max(variable.bytes(), FRAME_SLOT));
        if (end > MOST_LOCAL) {
            throw new PtxException(
                    Kind.INVALID,
                    variable.position(),
                    "with "
                            + variable.name()
                            + " the variables of a thread take "
                            + size(end)
                            + " of local memory; it has at most "
                            + MOST_LOCAL
                            + ": use global memory");
        }
        return end;
    }

    private static String size(long bytes) {
        return bytes == Extent.BEYOND ? "more than can be counted" : bytes + " bytes";
    }
}

package facet.jit.matrix;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the elements of a matrix lie in the registers of a warp.
 *
 * <p>Element {@code e} of register {@code r} in lane {@code l} has the number {@code (r * 32 + l) *
 * perRegister + e}; {@link #places} says for each number where in the matrix, by rows, it belongs.
 * There is one object for each kind, so that they may be compared by identity.
 */
public final class Fragment {
    private static final int LANES = 32;
    private static final Map<Kind, Fragment> KNOWN = new ConcurrentHashMap<>();

    /** Which rule puts the elements into registers. */
    public enum Rule {
        /** {@code mma}: A by rows. */
        MMA_A,
        /** {@code mma}: B by columns. */
        MMA_B,
        /** {@code mma}: C and D. */
        MMA_C,
        /** {@code wmma}, which leaves it open: A or B in the order of a row-major matrix. */
        ROWS,
        /** The same in the order of a column-major one. */
        COLUMNS,
        /** {@code wmma}: C and D; an element has the same number in each type. */
        SUM,
        /** {@code mma.m8n8k4.f16}: four matrices, each of eight lanes. */
        QUAD_A_ROW,
        QUAD_A_COL,
        QUAD_B_ROW,
        QUAD_B_COL,
        QUAD_C
    }

    private record Kind(Rule rule, Element element, int rows, int columns, int registers) {}

    private final Kind kind;
    private final int[] places;
    private final boolean identity;

    private Fragment(Kind kind) {
        this.kind = kind;
        int per = kind.element.perRegister();
        places = new int[kind.registers * LANES * per];
        boolean same = true;
        for (int i = 0; i < places.length; i++) {
            places[i] = place(kind, i / per / LANES, i / per % LANES, i % per);
            same &= places[i] == i % (kind.rows * kind.columns);
        }
        identity = same;
    }

    /**
     * @param rows of the matrix; of the four together for {@code m8n8k4}
     * @param registers that each lane has for it
     */
    public static Fragment of(Rule rule, Element element, int rows, int columns, int registers) {
        return KNOWN.computeIfAbsent(
                new Kind(rule, element, rows, columns, registers), Fragment::new);
    }

    private static int place(Kind kind, int register, int lane, int e) {
        int per = kind.element.perRegister();
        int columns = kind.columns;
        int group = lane >>> 2;
        int inGroup = lane & 3;
        int size = kind.rows * columns;
        return switch (kind.rule) {
            case MMA_A -> {
                int half = kind.rows == 16 ? register & 1 : 0;
                int step = kind.rows == 16 ? register >>> 1 : register;
                yield (group + 8 * half) * columns + inGroup * per + step * 4 * per + e;
            }
            case MMA_B -> (inGroup * per + register * 4 * per + e) * columns + group;
            case MMA_C -> {
                int index = register * per + e;
                yield (group + 8 * (index >>> 1)) * columns + inGroup * 2 + (index & 1);
            }
            case ROWS -> ((register * LANES + lane) * per + e) % size;
            case COLUMNS -> {
                int index = ((register * LANES + lane) * per + e) % size;
                yield index % kind.rows * columns + index / kind.rows;
            }
            case SUM -> ((register * per + e) * LANES + lane) % size;
            case QUAD_A_ROW, QUAD_A_COL, QUAD_B_ROW, QUAD_B_COL, QUAD_C ->
                    quad(kind, register * per + e, lane);
        };
    }

    /** Lanes 0 to 3 and 16 to 19 have the first matrix, and so on (PTX ISA 9.7.14.5.1). */
    private static int quad(Kind kind, int i, int lane) {
        int own = lane & 3;
        int upper = lane >= 16 ? 4 : 0;
        int matrix = lane >>> 2 & 3;
        return switch (kind.rule) {
            case QUAD_A_ROW -> matrix * 32 + (own + upper) * 4 + i;
            case QUAD_A_COL -> matrix * 32 + (i + upper) * 4 + own;
            case QUAD_B_ROW -> matrix * 32 + own * 8 + i + upper;
            case QUAD_B_COL -> matrix * 32 + i * 8 + own + upper;
            default ->
                    kind.element == Element.F16
                            ? matrix * 64 + (own + upper) * 8 + i
                            : matrix * 64
                                    + ((lane & 1) + (i & 2) + upper) * 8
                                    + (i & 4)
                                    + (lane & 2)
                                    + (i & 1);
        };
    }

    public Element element() {
        return kind.element;
    }

    public int rows() {
        return kind.rows;
    }

    public int columns() {
        return kind.columns;
    }

    public int registers() {
        return kind.registers;
    }

    /** Whether numbers are places, as often as the matrix is there. */
    boolean isIdentity() {
        return identity;
    }

    int[] places() {
        return places;
    }
}

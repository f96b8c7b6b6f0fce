package facet.ptx;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code matrix.table} cannot say: the order of the layouts of A and B, and which threads of
 * four may give the metadata of a sparse A.
 */
final class MatrixVerifier {
    /** 32 bits of metadata say it for two rows of A and so many of its columns. */
    private static final int ROWS = 16;

    private MatrixVerifier() {}

    /** The rest of a sentence about the instruction, or null. */
    static @Nullable String problem(Instruction instruction) {
        if (instruction.opcode() != Opcode.MMA
                && !(instruction.opcode() == Opcode.WMMA && instruction.has(Modifier.MMA))) {
            return null;
        }
        if (!takesAnyLayout(instruction) && !isRowByColumn(instruction.suffixes())) {
            return "needs A by rows and B by columns, written .row.col";
        }
        if (isSparse(instruction)
                && instruction.operand(5) instanceof Operand.IntegerImmediate selector) {
            int most = 4 / contributors(instruction) - 1;
            if (selector.value() < 0 || selector.value() > most) {
                return "has the selector "
                        + selector.value()
                        + "; with this shape and type it is "
                        + (most == 0 ? "0" : "0 to " + most);
            }
        }
        return null;
    }

    static boolean isSparse(Instruction instruction) {
        return instruction.has(Modifier.SP) || instruction.has(Modifier.SP_ORDERED_METADATA);
    }

    /** How many threads of four hold metadata: an index has 2 bits, and two stand for a chunk. */
    private static int contributors(Instruction instruction) {
        Type type = instruction.typeAt(1);
        int chunk = type == Type.TF32 ? 2 : type != null && type.bits() == 4 ? 8 : 4;
        // bounded: a shape of the table
        return Math.max(ROWS * columns(instruction) / chunk * 4 / 32 / 8, 1);
    }

    private static int columns(Instruction instruction) {
        for (Suffix suffix : instruction.suffixes()) {
            int k = suffix.text().lastIndexOf('k');
            if (k > 0 && suffix.text().startsWith("m16n8")) {
                return Integer.parseInt(suffix.text().substring(k + 1));
            }
        }
        return 0;
    }

    private static boolean takesAnyLayout(Instruction instruction) {
        if (instruction.opcode() == Opcode.MMA) {
            return instruction.has(Modifier.M8N8K4) && instruction.typeAt(1) == Type.F16;
        }
        return !instruction.has(Modifier.M8N8K32) && !instruction.has(Modifier.M8N8K128);
    }

    private static boolean isRowByColumn(List<Suffix> suffixes) {
        return suffixes.indexOf(Modifier.ROW) < suffixes.indexOf(Modifier.COL);
    }
}

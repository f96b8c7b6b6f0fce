package facet.ptx;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of {@code [texture, sampler, {layer, x, y}]} of a texture or surface instruction. */
public record TextureOperands(
        Operand texture, @Nullable Operand sampler, List<Operand> coordinates) {

    /** Of an operand that the verifier has seen. */
    public static TextureOperands of(Operand operand) {
        List<Operand> elements = ((Operand.Indexed) operand).elements();
        return new TextureOperands(
                elements.getFirst(),
                elements.size() == 3 ? elements.get(1) : null,
                elements(elements.getLast()));
    }

    /** Braces may be left out around one. */
    public static List<Operand> elements(Operand operand) {
        return operand instanceof Operand.Vector vector ? vector.elements() : List.of(operand);
    }

    /** Whether so many are as many as are wanted: the fourth of three says nothing. */
    static boolean isCount(int count, int wanted) {
        return count == wanted || wanted == 3 && count == 4;
    }
}

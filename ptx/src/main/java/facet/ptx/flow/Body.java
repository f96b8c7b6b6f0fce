package facet.ptx.flow;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Register;
import facet.ptx.Statement;
import facet.ptx.Variable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A function body without scopes: one list of instructions, every name unique.
 *
 * <p>Labels, variables, prototypes and target lists that a nested scope declares again are renamed
 * ({@code param0} becomes {@code param0$2}) in the instructions that mean them.
 *
 * @param registers by {@link Register#id}
 * @param labels name to index of the instruction that follows, which may be {@code
 *     instructions.size()}
 * @param variables of the body, by unique name, in order of declaration
 */
public record Body(
        Function function,
        List<Instruction> instructions,
        List<Register> registers,
        Map<String, Integer> labels,
        Map<String, Variable> variables,
        Map<String, Statement.Prototype> prototypes,
        Map<String, Statement.Targets> targets) {

    /** The index of the instruction behind a label that the body has. */
    public int label(String name) {
        return found(name, labels.get(name));
    }

    /** A target list that the body has. */
    public Statement.Targets targets(String name) {
        return found(name, targets.get(name));
    }

    private <T> T found(String name, @Nullable T value) {
        if (value == null) {
            throw new IllegalStateException(function.name() + " does not define " + name);
        }
        return value;
    }
}

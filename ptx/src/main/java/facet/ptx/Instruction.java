package facet.ptx;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code @guard opcode.suffix.suffix operand, operand;}
 *
 * <p>The operands are in the order of the text: results first. {@code call} has, where present,
 * result {@link Operand.Arguments}, callee, argument {@link Operand.Arguments}, prototype or target
 * list {@link Operand.Symbol}.
 */
public record Instruction(
        Position position,
        @Nullable Guard guard,
        Opcode opcode,
        List<Suffix> suffixes,
        List<Operand> operands)
        implements Statement {

    /** {@code @%p1} or {@code @!%p1}. */
    public record Guard(Register predicate, boolean negated) {}

    public boolean has(Suffix suffix) {
        for (int i = 0; i < suffixes.size(); i++) {
            if (suffixes.get(i) == suffix) {
                return true;
            }
        }
        return false;
    }

    /** The n-th type among the suffixes, from 0; null when there are fewer. */
    public @Nullable Type typeAt(int n) {
        int seen = 0;
        for (int i = 0; i < suffixes.size(); i++) {
            if (suffixes.get(i) instanceof Type type && seen++ == n) {
                return type;
            }
        }
        return null;
    }

    /** The first type; an instruction that needs one and has none does not pass the verifier. */
    public Type type() {
        Type type = typeAt(0);
        if (type == null) {
            throw new PtxException(
                    PtxException.Kind.INVALID, position, opcode.text() + " needs a type");
        }
        return type;
    }

    /** The state space among the suffixes; null for the generic space. */
    public @Nullable Space space() {
        for (int i = 0; i < suffixes.size(); i++) {
            if (suffixes.get(i) instanceof Space space) {
                return space;
            }
        }
        return null;
    }

    public Operand operand(int n) {
        return operands.get(n);
    }

    /** The opcode with all suffixes, as written: {@code ld.global.nc.f32}. */
    public String mnemonic() {
        StringBuilder text = new StringBuilder(opcode.text());
        for (Suffix suffix : suffixes) {
            text.append('.').append(suffix.text());
        }
        return text.toString();
    }
}

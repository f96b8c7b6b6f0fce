package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Operand;
import facet.ptx.Register;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the registers and names of an inlined body are called in the caller.
 *
 * @param end where its {@code ret} goes, null for the outermost body
 */
record Renaming(
        Map<Integer, Register> registers, Map<String, String> symbols, @Nullable Operand end) {
    static final Renaming NONE = new Renaming(Map.of(), Map.of(), null);

    String symbol(String name) {
        return symbols.getOrDefault(name, name);
    }

    private Register register(Register register) {
        return registers.getOrDefault(register.id(), register);
    }

    Instruction apply(Instruction instruction) {
        if (this == NONE) {
            return instruction;
        }
        Instruction.Guard guard = instruction.guard();
        return new Instruction(
                instruction.position(),
                guard == null
                        ? null
                        : new Instruction.Guard(register(guard.predicate()), guard.negated()),
                instruction.opcode(),
                instruction.suffixes(),
                all(instruction.operands()));
    }

    private List<Operand> all(List<Operand> operands) {
        return operands.stream().map(this::apply).toList();
    }

    private Operand apply(Operand operand) {
        return switch (operand) {
            case Register register -> register(register);
            case Operand.Element element ->
                    new Operand.Element(register(element.register()), element.lane());
            case Operand.Symbol symbol ->
                    new Operand.Symbol(symbol(symbol.name()), symbol.offset());
            case Operand.Address address ->
                    new Operand.Address(
                            address.base() == null ? null : apply(address.base()),
                            address.offset());
            case Operand.Vector vector -> new Operand.Vector(all(vector.elements()));
            case Operand.NotPredicate not -> new Operand.NotPredicate(register(not.predicate()));
            case Operand.PredicatePair pair ->
                    new Operand.PredicatePair(apply(pair.first()), apply(pair.second()));
            case Operand.Arguments list -> new Operand.Arguments(all(list.elements()));
            case Operand.Indexed list -> new Operand.Indexed(all(list.elements()));
            case Operand.Special special -> special;
            case Operand.IntegerImmediate immediate -> immediate;
            case Operand.FloatImmediate immediate -> immediate;
            case Operand.Sink sink -> sink;
        };
    }
}

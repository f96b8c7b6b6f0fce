package facet.ptx.flow;

import facet.ptx.Operand;
import facet.ptx.Register;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Other names for the symbols in operands; what does not change stays the same object. */
final class Rename {
    private Rename() {}

    // An unchanged operand is the same object.
    @SuppressWarnings("ReferenceEquality")
    static List<Operand> operands(List<Operand> operands, UnaryOperator<String> names) {
        List<Operand> changed = null;
        for (int i = 0; i < operands.size(); i++) {
            Operand old = operands.get(i);
            Operand replacement = operand(old, names);
            if (replacement != old && changed == null) {
                changed = new ArrayList<>(operands);
            }
            if (changed != null) {
                changed.set(i, replacement);
            }
        }
        return changed == null ? operands : List.copyOf(changed);
    }

    // An unchanged operand, or list of them, is the same object.
    @SuppressWarnings("ReferenceEquality")
    static Operand operand(Operand operand, UnaryOperator<String> names) {
        return switch (operand) {
            case Operand.Symbol symbol -> {
                String name = names.apply(symbol.name());
                yield name.equals(symbol.name())
                        ? symbol
                        : new Operand.Symbol(name, symbol.offset());
            }
            case Operand.Address address -> {
                Operand base = address.base();
                Operand renamed = base == null ? null : operand(base, names);
                yield renamed == base ? address : new Operand.Address(renamed, address.offset());
            }
            case Operand.Vector vector -> {
                List<Operand> elements = operands(vector.elements(), names);
                yield elements == vector.elements() ? vector : new Operand.Vector(elements);
            }
            case Operand.Arguments arguments -> {
                List<Operand> elements = operands(arguments.elements(), names);
                yield elements == arguments.elements()
                        ? arguments
                        : new Operand.Arguments(elements);
            }
            case Operand.Indexed indexed -> {
                List<Operand> elements = operands(indexed.elements(), names);
                yield elements == indexed.elements() ? indexed : new Operand.Indexed(elements);
            }
            case Operand.PredicatePair pair -> pair;
            case Register register -> register;
            case Operand.Element element -> element;
            case Operand.Special special -> special;
            case Operand.IntegerImmediate immediate -> immediate;
            case Operand.FloatImmediate immediate -> immediate;
            case Operand.NotPredicate predicate -> predicate;
            case Operand.Sink sink -> sink;
        };
    }
}

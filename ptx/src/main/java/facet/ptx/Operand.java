package facet.ptx;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an instruction reads, writes or names (PTX ISA 6). */
public sealed interface Operand
        permits Register,
                Operand.Element,
                Operand.Special,
                Operand.IntegerImmediate,
                Operand.FloatImmediate,
                Operand.Symbol,
                Operand.Address,
                Operand.Vector,
                Operand.NotPredicate,
                Operand.PredicatePair,
                Operand.Arguments,
                Operand.Indexed,
                Operand.Sink {

    /** {@code %v.y}: one lane of a vector register. */
    record Element(Register register, int lane) implements Operand {}

    /**
     * {@code %tid.x}: a predefined register; {@code lane} is 0 where it has no components, {@link
     * #WHOLE} for {@code %tid} as a vector, 3 for {@code .w}, which reads as zero.
     */
    record Special(SpecialRegister register, int lane) implements Operand {
        public static final int WHOLE = -1;
    }

    /** An integer as two's complement; {@code unsigned} keeps a {@code U} behind the literal. */
    record IntegerImmediate(long value, boolean unsigned) implements Operand {}

    /** A float as the bits of its type: F32 for {@code 0f3F800000}, F64 for {@code 0d…} and 1.5. */
    record FloatImmediate(Type type, long bits) implements Operand {}

    /** The name of a variable, function, label, prototype or target list, plus an offset. */
    record Symbol(String name, long offset) implements Operand {}

    /** {@code [base+offset]}; the base is a register, an element, a symbol or absent. */
    record Address(@Nullable Operand base, long offset) implements Operand {}

    /** {@code {%r1, %r2}}. */
    record Vector(List<Operand> elements) implements Operand {}

    /** {@code !%p1}. */
    record NotPredicate(Register predicate) implements Operand {}

    /** {@code %p1|%p2}; either side may be the sink. Also {@code %r1|%p1} of shfl and match. */
    record PredicatePair(Operand first, Operand second) implements Operand {}

    /** {@code (param0, param1)} of a call. */
    record Arguments(List<Operand> elements) implements Operand {}

    /** {@code [tex, {%f1, %f2}]}: the bracketed list of texture, surface and bulk copies. */
    record Indexed(List<Operand> elements) implements Operand {}

    /** {@code _}: the result is not wanted. */
    record Sink() implements Operand {}

    /** The operands that it is made of; none where it is one by itself. */
    default List<Operand> parts() {
        return switch (this) {
            case Vector vector -> vector.elements();
            case Arguments arguments -> arguments.elements();
            case Indexed indexed -> indexed.elements();
            case Address address -> address.base() == null ? List.of() : List.of(address.base());
            case Element element -> List.of(element.register());
            case NotPredicate not -> List.of(not.predicate());
            case PredicatePair pair -> List.of(pair.first(), pair.second());
            case Register _, Special _, IntegerImmediate _, FloatImmediate _, Symbol _, Sink _ ->
                    List.of();
        };
    }
}

package facet.ptx;

import facet.ptx.Type.Kind;

/**
 * Which registers and constants an operand of a type takes (PTX ISA 9.2, tables 24 to 27).
 *
 * <pre>
 * operand     register of the same size            constant
 * .bX         any but a predicate                  integer, float of that size
 * .uX .sX     .bX .uX .sX                          integer
 * .f32 .f64   the same or .bX                      float
 * .f16 …x2    the same or .bX                      none; .u16x2 .s16x2 likewise
 * .pred       .pred                                integer
 * </pre>
 *
 * Where a register may be wider, a .bX register is taken for every type, a .uX or .sX register for
 * integers and bits.
 */
final class TypeRules {
    private TypeRules() {}

    static boolean fits(Type register, Type wanted, boolean wider) {
        if (register == wanted) {
            return true;
        }
        if (register.kind() == Kind.PREDICATE
                || wanted.kind() == Kind.PREDICATE
                || register.kind() == Kind.OPAQUE
                || wanted.kind() == Kind.OPAQUE) {
            return false;
        }
        if (register.bits() == wanted.bits()) {
            if (register.kind() == Kind.BITS || wanted.kind() == Kind.BITS) {
                return true;
            }
            return isInteger(register)
                    && isInteger(wanted)
                    && !register.isPacked()
                    && !wanted.isPacked();
        }
        if (!wider || register.bits() < wanted.bits()) {
            return false;
        }
        return register.kind() == Kind.BITS
                || isInteger(register) && (isInteger(wanted) || wanted.kind() == Kind.BITS);
    }

    static boolean takesInteger(Type wanted) {
        return !wanted.isFloat() && !wanted.isPacked();
    }

    static boolean takesFloat(Type wanted, Type constant) {
        return switch (wanted) {
            case F32, F64 -> true;
            case B32, B64 -> wanted.bits() == constant.bits();
            default -> false;
        };
    }

    /** A special register of 32 bits may be read as 16. */
    static boolean takesSpecial(Type wanted, Type special) {
        if (wanted.isFloat() || wanted.kind() == Kind.PREDICATE) {
            return false;
        }
        return wanted.bits() == special.bits() || wanted.bits() == 16 && special.bits() == 32;
    }

    /** What may be declared instead: {@code .f32 or .b32}. */
    static String accepted(Type wanted) {
        return switch (wanted.kind()) {
            case PREDICATE -> ".pred";
            case BITS -> "any type of " + wanted.bits() + " bits";
            case UNSIGNED, SIGNED ->
                    wanted.isPacked()
                            ? ".b" + wanted.bits()
                            : ".b%1$d, .u%1$d or .s%1$d".formatted(wanted.bits());
            case FLOAT -> "." + wanted.text() + " or .b" + wanted.bits();
            case OPAQUE -> "." + wanted.text();
        };
    }

    private static boolean isInteger(Type type) {
        return type.kind() == Kind.UNSIGNED || type.kind() == Kind.SIGNED;
    }
}

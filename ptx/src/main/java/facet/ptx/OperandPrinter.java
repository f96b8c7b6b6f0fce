package facet.ptx;

import java.util.List;

/** Operands as text. */
final class OperandPrinter {
    private final StringBuilder out;

    OperandPrinter(StringBuilder out) {
        this.out = out;
    }

    /** Nothing at all when the list is empty. */
    void list(List<Operand> operands, String before, String after) {
        if (operands.isEmpty()) {
            return;
        }
        out.append(before);
        elements(operands);
        out.append(after);
    }

    private void elements(List<Operand> operands) {
        String separator = "";
        for (Operand each : operands) {
            out.append(separator);
            operand(each);
            separator = ", ";
        }
    }

    private void operand(Operand operand) {
        switch (operand) {
            case Register register -> out.append(register.name());
            case Operand.Element element ->
                    out.append(element.register().name())
                            .append('.')
                            .append("xyzw".charAt(element.lane()));
            case Operand.Special special -> out.append(special.register().text(special.lane()));
            case Operand.IntegerImmediate immediate -> integer(immediate);
            case Operand.FloatImmediate immediate ->
                    floating(out, immediate.type(), immediate.bits());
            case Operand.Symbol symbol -> {
                out.append(symbol.name());
                offset(out, symbol.offset());
            }
            case Operand.Address address -> {
                out.append('[');
                address(address);
                out.append(']');
            }
            case Operand.Vector vector -> {
                out.append('{');
                elements(vector.elements());
                out.append('}');
            }
            case Operand.NotPredicate not -> out.append('!').append(not.predicate().name());
            case Operand.PredicatePair pair -> {
                operand(pair.first());
                out.append('|');
                operand(pair.second());
            }
            case Operand.Arguments arguments -> {
                out.append('(');
                elements(arguments.elements());
                out.append(')');
            }
            case Operand.Indexed indexed -> indexed(indexed);
            case Operand.Sink _ -> out.append('_');
        }
    }

    private void indexed(Operand.Indexed indexed) {
        String separator = "[";
        for (Operand each : indexed.elements()) {
            out.append(separator);
            if (each instanceof Operand.Address address) {
                address(address);
            } else {
                operand(each);
            }
            separator = ", ";
        }
        out.append(']');
    }

    private void address(Operand.Address address) {
        Operand base = address.base();
        if (base == null) {
            number(out, address.offset());
            return;
        }
        operand(base);
        offset(out, address.offset());
    }

    private void integer(Operand.IntegerImmediate immediate) {
        if (immediate.unsigned()) {
            out.append(Long.toUnsignedString(immediate.value())).append('U');
        } else {
            number(out, immediate.value());
        }
    }

    /** The least number has no literal: its digits alone would be unsigned. */
    static void number(StringBuilder out, long value) {
        if (value == Long.MIN_VALUE) {
            out.append(value + 1).append("-1");
        } else {
            out.append(value);
        }
    }

    static void offset(StringBuilder out, long offset) {
        if (offset != 0) {
            out.append('+');
            number(out, offset);
        }
    }

    static void floating(StringBuilder out, Type type, long bits) {
        int digits = type == Type.F32 ? 8 : 16;
        out.append(type == Type.F32 ? "0f" : "0d");
        for (int i = digits - 1; i >= 0; i--) {
            out.append("0123456789ABCDEF".charAt((int) (bits >>> (4 * i)) & 15));
        }
    }
}

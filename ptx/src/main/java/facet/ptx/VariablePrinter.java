package facet.ptx;

import java.util.List;

/** Declarations of variables, parameters and registers as text. */
final class VariablePrinter {
    private final StringBuilder out;

    VariablePrinter(StringBuilder out) {
        this.out = out;
    }

    void parameters(List<Variable> parameters) {
        String separator = "(";
        for (Variable each : parameters) {
            out.append(separator);
            variable(each);
            separator = ", ";
        }
        out.append(parameters.isEmpty() ? "()" : ")");
    }

    void registers(Statement.Registers registers) {
        out.append(".reg ");
        lanes(registers.lanes());
        out.append('.').append(registers.type().text());
        String separator = " ";
        for (Statement.Registers.Name name : registers.names()) {
            out.append(separator).append(name.text());
            if (name.count() > 0) {
                out.append('<').append(name.count()).append('>');
            }
            separator = ", ";
        }
        out.append(";\n");
    }

    void variable(Variable variable) {
        if (variable.linkage() != Linkage.NONE) {
            out.append(variable.linkage().text()).append(' ');
        }
        out.append('.').append(variable.space().text()).append(' ');
        attributes(variable.attributes());
        align(variable.alignment());
        lanes(variable.lanes());
        out.append('.').append(variable.type().text()).append(' ');
        pointer(variable);
        out.append(variable.name());
        for (long dimension : variable.dimensions()) {
            out.append('[').append(dimension == 0 ? "" : Long.toString(dimension)).append(']');
        }
        if (!variable.initializers().isEmpty()) {
            out.append(" = ");
            if (!variable.isArray() && variable.lanes() == 1) {
                initializer(variable.initializers().getFirst());
            } else {
                braces(variable.initializers());
            }
        }
    }

    private void pointer(Variable variable) {
        Variable.Pointer pointer = variable.pointer();
        if (pointer == null) {
            return;
        }
        out.append(".ptr ");
        if (pointer.space() != null) {
            out.append('.').append(pointer.space().text()).append(' ');
        }
        align(pointer.alignment());
    }

    private void align(int alignment) {
        if (alignment != 0) {
            out.append(".align ").append(alignment).append(' ');
        }
    }

    private void lanes(int lanes) {
        if (lanes > 1) {
            out.append(".v").append(lanes).append(' ');
        }
    }

    private void attributes(List<Variable.Attribute> attributes) {
        if (attributes.isEmpty()) {
            return;
        }
        String separator = ".attribute(";
        for (Variable.Attribute each : attributes) {
            out.append(separator).append('.').append(each.name());
            numbers(each.values());
            separator = ", ";
        }
        out.append(") ");
    }

    /** {@code (1, 2)}, or nothing. */
    void numbers(List<Long> values) {
        String separator = "(";
        for (long value : values) {
            out.append(separator);
            OperandPrinter.number(out, value);
            separator = ", ";
        }
        out.append(values.isEmpty() ? "" : ")");
    }

    private void braces(List<Initializer> values) {
        out.append('{');
        String separator = "";
        for (Initializer each : values) {
            out.append(separator);
            initializer(each);
            separator = ", ";
        }
        out.append('}');
    }

    private void initializer(Initializer value) {
        switch (value) {
            case Initializer.IntegerValue integer -> OperandPrinter.number(out, integer.value());
            case Initializer.FloatValue number ->
                    OperandPrinter.floating(out, number.type(), number.bits());
            case Initializer.Address address -> address(address);
            case Initializer.Nested nested -> braces(nested.elements());
        }
    }

    private void address(Initializer.Address address) {
        if (address.mask() != 0) {
            out.append("0x").append(Long.toHexString(address.mask())).append('(');
        }
        out.append(address.generic() ? "generic(" : "").append(address.symbol());
        out.append(address.generic() ? ")" : "");
        OperandPrinter.offset(out, address.offset());
        if (address.mask() != 0) {
            out.append(')');
        }
    }
}

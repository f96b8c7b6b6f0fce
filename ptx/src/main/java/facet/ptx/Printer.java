package facet.ptx;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@link Module} to canonical PTX text: {@code parse(print(m))} equals {@code m}.
 *
 * <p>Comments and layout are not kept; constants are printed by value, floats as exact bits.
 */
public final class Printer {
    private final StringBuilder out = new StringBuilder(1 << 14);
    private final VariablePrinter variables = new VariablePrinter(out);
    private final OperandPrinter operands = new OperandPrinter(out);

    private Printer() {}

    public static String print(Module module) {
        Printer printer = new Printer();
        printer.module(module);
        return printer.out.toString();
    }

    /** One instruction without guard and line end, for messages and listings. */
    public static String print(Instruction instruction) {
        Printer printer = new Printer();
        printer.instruction(instruction);
        return printer.out.toString();
    }

    private void module(Module module) {
        int version = module.version();
        out.append(".version ").append(version / 10).append('.').append(version % 10);
        out.append("\n.target ").append(String.join(", ", module.targets()));
        out.append("\n.address_size ").append(module.addressSize()).append('\n');
        for (Declaration each : module.declarations()) {
            out.append('\n');
            declaration(each);
        }
    }

    private void declaration(Declaration declaration) {
        switch (declaration) {
            case Function function -> function(function);
            case Declaration.Global global -> {
                variables.variable(global.variable());
                out.append(";\n");
            }
            case Declaration.File file -> {
                out.append(".file ").append(file.index()).append(" \"").append(file.name());
                out.append('"');
                for (long stamp : file.stamps()) {
                    out.append(", ");
                    OperandPrinter.number(out, stamp);
                }
                out.append('\n');
            }
            case Declaration.Section section ->
                    out.append(".section ")
                            .append(section.name())
                            .append("\n{")
                            .append(section.content())
                            .append("}\n");
            case Declaration.Alias alias ->
                    out.append(".alias ")
                            .append(alias.name())
                            .append(", ")
                            .append(alias.target())
                            .append(";\n");
            case Declaration.Pragma pragma -> pragma(pragma.texts());
        }
    }

    private void function(Function function) {
        if (function.linkage() != Linkage.NONE) {
            out.append(function.linkage().text()).append(' ');
        }
        out.append(function.kernel() ? ".entry " : ".func ");
        for (Function.Directive each : function.directives()) {
            if (each.name().equals("attribute")) {
                attribute(each);
            }
        }
        if (!function.results().isEmpty()) {
            variables.parameters(function.results());
            out.append(' ');
        }
        out.append(function.name());
        variables.parameters(function.parameters());
        function.directives().forEach(this::directive);
        List<Statement> body = function.body();
        if (body == null) {
            out.append(";\n");
            return;
        }
        out.append('\n');
        scope(body, 0);
    }

    private void directive(Function.Directive directive) {
        if (directive.name().equals("attribute")) {
            return;
        }
        out.append("\n.").append(directive.name());
        if (!directive.texts().isEmpty()) {
            out.append(' ').append(quoted(directive.texts())).append(';');
        }
        String separator = " ";
        for (long value : directive.values()) {
            out.append(separator);
            OperandPrinter.number(out, value);
            separator = ", ";
        }
    }

    private void attribute(Function.Directive directive) {
        out.append(".attribute(.").append(directive.texts().getFirst());
        variables.numbers(directive.values());
        out.append(") ");
    }

    private void pragma(List<String> texts) {
        out.append(".pragma ").append(quoted(texts)).append(";\n");
    }

    private static String quoted(List<String> texts) {
        return "\"" + String.join("\", \"", texts) + "\"";
    }

    private void scope(List<Statement> statements, int depth) {
        out.repeat("    ", depth).append("{\n");
        for (Statement each : statements) {
            statement(each, depth + 1);
        }
        out.repeat("    ", depth).append("}\n");
    }

    private void statement(Statement statement, int depth) {
        if (!(statement instanceof Statement.Label) && !(statement instanceof Statement.Scope)) {
            out.repeat("    ", depth);
        }
        switch (statement) {
            case Instruction instruction -> {
                guard(instruction.guard());
                instruction(instruction);
                out.append(";\n");
            }
            case Statement.Label label -> out.append(label.name()).append(":\n");
            case Statement.Registers registers -> variables.registers(registers);
            case Statement.Local local -> {
                variables.variable(local.variable());
                out.append(";\n");
            }
            case Statement.Scope scope -> scope(scope.statements(), depth);
            case Statement.Location location -> location(location);
            case Statement.Pragma pragma -> pragma(pragma.texts());
            case Statement.Prototype prototype -> prototype(prototype);
            case Statement.Targets targets ->
                    out.append(targets.name())
                            .append(targets.branches() ? ": .branchtargets " : ": .calltargets ")
                            .append(String.join(", ", targets.names()))
                            .append(";\n");
        }
    }

    private void guard(Instruction.@Nullable Guard guard) {
        if (guard != null) {
            out.append(guard.negated() ? "@!" : "@").append(guard.predicate().name()).append(' ');
        }
    }

    private void instruction(Instruction instruction) {
        out.append(instruction.opcode().text());
        boolean unified = instruction.has(Modifier.UNIFIED);
        for (Suffix suffix : instruction.suffixes()) {
            if (suffix != Modifier.UNIFIED) {
                out.append('.').append(suffix.text());
            }
        }
        if (unified && instruction.operands().size() >= 2) {
            operands.list(instruction.operands().subList(0, 2), " ", ".unified");
            operands.list(
                    instruction.operands().subList(2, instruction.operands().size()), ", ", "");
        } else {
            operands.list(instruction.operands(), " ", "");
        }
    }

    private void location(Statement.Location location) {
        out.append(".loc ").append(location.file()).append(' ').append(location.line());
        out.append(' ').append(location.column());
        if (location.inlined() != null) {
            out.append(", ").append(location.inlined());
        }
        out.append('\n');
    }

    private void prototype(Statement.Prototype prototype) {
        out.append(prototype.name()).append(": .callprototype ");
        variables.parameters(prototype.results());
        out.append(" _ ");
        variables.parameters(prototype.parameters());
        out.append(prototype.noReturn() ? " .noreturn;\n" : ";\n");
    }
}

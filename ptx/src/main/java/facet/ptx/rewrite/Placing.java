package facet.ptx.rewrite;

import facet.ptx.Declaration;
import facet.ptx.Function;
import facet.ptx.Initializer;
import facet.ptx.Instruction;
import facet.ptx.Linkage;
import facet.ptx.Module;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Parser;
import facet.ptx.Position;
import facet.ptx.Printer;
import facet.ptx.PtxException;
import facet.ptx.PtxException.Kind;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Statement;
import facet.ptx.Type;
import facet.ptx.Variable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Makes variables lie where a launcher wants them. A driver chooses the addresses of variables; one
 * that the host is to see at the same address is therefore reached through a pointer. The variable
 * itself stays, with its initial value and without its attributes: whoever loads the module copies
 * it to its place and writes the pointer, before the first launch.
 */
public final class Placing {
    private final FreshNames fresh;
    private final Map<String, String> pointers = new LinkedHashMap<>();

    private Placing(FreshNames fresh) {
        this.fresh = fresh;
    }

    /**
     * @param pointers by name of the variable: the variable of 8 bytes that is to hold its address
     */
    public record Placed(String text, Map<String, String> pointers) {}

    /**
     * @param wanted which variables of the module, in global memory
     * @throws PtxException when the text is wrong, or one of them cannot be elsewhere
     */
    public static Placed place(String text, Predicate<Variable> wanted) {
        Module module = Parser.parse(text);
        Placing placing = new Placing(FreshNames.of(text));
        for (Declaration each : module.declarations()) {
            if (each instanceof Declaration.Global global && placing.takes(global, wanted)) {
                String name = global.variable().name();
                placing.pointers.put(name, placing.fresh.variable("at_" + placing.pointers.size()));
            }
        }
        if (placing.pointers.isEmpty()) {
            return new Placed(text, Map.of());
        }
        List<Declaration> declarations = new ArrayList<>();
        placing.pointers
                .values()
                .forEach(each ->
                        declarations.add(
                                new Declaration.Global(
                                        Code.variable(Space.GLOBAL, Type.U64, each))));
        for (Declaration each : module.declarations()) {
            declarations.add(placing.declaration(each));
        }
        return new Placed(
                Printer.print(
                        new Module(
                                module.version(),
                                module.targets(),
                                module.addressSize(),
                                declarations)),
                Map.copyOf(placing.pointers));
    }

    private boolean takes(Declaration.Global global, Predicate<Variable> wanted) {
        Variable variable = global.variable();
        return variable.space() == Space.GLOBAL
                && variable.linkage() != Linkage.EXTERN
                && wanted.test(variable);
    }

    private Declaration declaration(Declaration declaration) {
        return switch (declaration) {
            case Declaration.Global global -> new Declaration.Global(variable(global.variable()));
            case Function function -> function(function);
            case Declaration.File _,
                    Declaration.Section _,
                    Declaration.Alias _,
                    Declaration.Pragma _ ->
                    declaration;
        };
    }

    private Variable variable(Variable variable) {
        refuseAddresses(variable, variable.initializers());
        if (!pointers.containsKey(variable.name())) {
            return variable;
        }
        return new Variable(
                variable.position(),
                variable.linkage(),
                variable.space(),
                variable.alignment(),
                variable.type(),
                variable.lanes(),
                variable.name(),
                variable.dimensions(),
                variable.initializers(),
                variable.pointer());
    }

    private void refuseAddresses(Variable variable, List<Initializer> values) {
        for (Initializer each : values) {
            if (each instanceof Initializer.Nested nested) {
                refuseAddresses(variable, nested.elements());
            } else if (each instanceof Initializer.Address address
                    && pointers.containsKey(address.symbol())) {
                throw new PtxException(
                        Kind.UNSUPPORTED,
                        variable.position(),
                        variable.name()
                                + " begins with the address of "
                                + address.symbol()
                                + ", which is known when the module is there");
            }
        }
    }

    private Function function(Function function) {
        List<Statement> body = function.body();
        if (body == null) {
            return function;
        }
        Set<String> used = new LinkedHashSet<>();
        List<Statement> inner = statements(body, used);
        List<Statement> all = new ArrayList<>();
        if (!used.isEmpty()) {
            all.add(
                    Code.declare(
                            Type.B64, used.stream().map(each -> register(each).name()).toList()));
        }
        all.addAll(inner);
        return Code.with(function, all);
    }

    private Register register(String variable) {
        return Code.register("%" + pointers.get(variable), Type.B64);
    }

    private List<Statement> statements(List<Statement> statements, Set<String> used) {
        List<Statement> all = new ArrayList<>();
        for (Statement each : statements) {
            switch (each) {
                case Statement.Scope scope ->
                        all.add(new Statement.Scope(statements(scope.statements(), used)));
                case Instruction instruction -> add(instruction, all, used);
                case Statement.Local local -> {
                    if (pointers.containsKey(local.variable().name())) {
                        throw new PtxException(
                                Kind.UNSUPPORTED,
                                local.variable().position(),
                                local.variable().name() + " hides a variable of the module");
                    }
                    all.add(local);
                }
                case Statement.Label _,
                        Statement.Registers _,
                        Statement.Location _,
                        Statement.Pragma _,
                        Statement.Prototype _,
                        Statement.Targets _ ->
                        all.add(each);
            }
        }
        return all;
    }

    /** Before each use: a use may be reached on any way. */
    private void add(Instruction instruction, List<Statement> all, Set<String> used) {
        Set<String> here = new LinkedHashSet<>();
        List<Operand> operands =
                instruction.operands().stream()
                        .map(each -> operand(each, instruction.position(), here))
                        .toList();
        for (String each : here) {
            String pointer = pointers.get(each);
            all.add(
                    Code.of(
                            Opcode.LD,
                            List.of(Space.GLOBAL, Type.U64),
                            register(each),
                            Code.at(pointer == null ? each : pointer, 0)));
        }
        used.addAll(here);
        all.add(
                here.isEmpty()
                        ? instruction
                        : new Instruction(
                                instruction.position(),
                                instruction.guard(),
                                instruction.opcode(),
                                instruction.suffixes(),
                                operands));
    }

    private Operand operand(Operand operand, Position position, Set<String> here) {
        return switch (operand) {
            case Operand.Symbol symbol when pointers.containsKey(symbol.name()) -> {
                if (symbol.offset() != 0) {
                    throw new PtxException(
                            Kind.UNSUPPORTED,
                            position,
                            "an address in " + symbol.name() + " beside its first byte");
                }
                here.add(symbol.name());
                yield register(symbol.name());
            }
            case Operand.Address address
                    when address.base() instanceof Operand.Symbol symbol
                            && pointers.containsKey(symbol.name()) -> {
                here.add(symbol.name());
                yield new Operand.Address(
                        register(symbol.name()), Math.addExact(symbol.offset(), address.offset()));
            }
            case Operand.Vector vector ->
                    new Operand.Vector(
                            vector.elements().stream()
                                    .map(each -> operand(each, position, here))
                                    .toList());
            case Operand.Indexed indexed ->
                    new Operand.Indexed(
                            indexed.elements().stream()
                                    .map(each -> operand(each, position, here))
                                    .toList());
            default -> operand;
        };
    }
}

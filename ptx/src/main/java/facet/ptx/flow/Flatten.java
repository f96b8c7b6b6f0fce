package facet.ptx.flow;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Limits;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Position;
import facet.ptx.PtxException;
import facet.ptx.Register;
import facet.ptx.Statement;
import facet.ptx.Variable;
import facet.ptx.Work;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes the scopes out of a function's body.
 *
 * <p>A scope is entered with all names it declares, so that a use in front of the declaration finds
 * it. A first walk learns which names the body takes from outside; a name declared inside keeps its
 * spelling unless that one is taken.
 */
public final class Flatten {
    private final List<Instruction> instructions = new ArrayList<>();
    private final List<Register> registers = new ArrayList<>();
    private final Map<String, Integer> labels = new LinkedHashMap<>();
    private final Map<String, Variable> variables = new LinkedHashMap<>();
    private final Map<String, Statement.Prototype> prototypes = new LinkedHashMap<>();
    private final Map<String, Statement.Targets> targets = new LinkedHashMap<>();
    private final Scopes scopes;

    private Flatten(Scopes scopes) {
        this.scopes = scopes;
    }

    /**
     * @throws PtxException when a branch or target list names no label, or a scope declares a name
     *     twice
     */
    public static Body flatten(Function function) {
        List<Statement> body = function.body();
        if (body == null) {
            throw new PtxException(
                    PtxException.Kind.INVALID,
                    function.position(),
                    "'" + function.name() + "' is only declared, it has no body");
        }
        Flatten flatten = new Flatten(Scopes.of(function, body));
        function.results().forEach(each -> RegisterNames.add(each, flatten.registers));
        function.parameters().forEach(each -> RegisterNames.add(each, flatten.registers));
        flatten.statements(body);
        flatten.checkTargets();
        return new Body(
                function,
                List.copyOf(flatten.instructions),
                List.copyOf(flatten.registers),
                Collections.unmodifiableMap(flatten.labels),
                Collections.unmodifiableMap(flatten.variables),
                Collections.unmodifiableMap(flatten.prototypes),
                Collections.unmodifiableMap(flatten.targets));
    }

    private void statements(List<Statement> statements) {
        scopes.enter(statements);
        for (Statement each : statements) {
            switch (each) {
                case Instruction instruction -> instructions.add(rename(instruction));
                case Statement.Label label ->
                        labels.put(scopes.resolve(label.name()), instructions.size());
                case Statement.Registers declared -> RegisterNames.add(declared, registers);
                case Statement.Local local -> add(local.variable());
                case Statement.Scope scope -> statements(scope.statements());
                case Statement.Prototype prototype -> add(prototype);
                case Statement.Targets list -> add(list);
                case Statement.Location _, Statement.Pragma _ -> {}
            }
        }
        scopes.leave();
    }

    private void add(Variable variable) {
        String name = scopes.resolve(variable.name());
        variables.put(
                name,
                name.equals(variable.name())
                        ? variable
                        : new Variable(
                                variable.position(),
                                variable.linkage(),
                                variable.space(),
                                variable.alignment(),
                                variable.type(),
                                variable.lanes(),
                                name,
                                variable.dimensions(),
                                variable.initializers(),
                                variable.pointer(),
                                variable.attributes()));
    }

    private void add(Statement.Prototype prototype) {
        String name = scopes.resolve(prototype.name());
        prototypes.put(
                name,
                new Statement.Prototype(
                        prototype.position(),
                        name,
                        prototype.results(),
                        prototype.parameters(),
                        prototype.noReturn()));
    }

    private void add(Statement.Targets list) {
        String name = scopes.resolve(list.name());
        List<String> names = list.names().stream().map(scopes::resolve).toList();
        targets.put(name, new Statement.Targets(list.position(), name, list.branches(), names));
    }

    // Rename gives the same list back when no name changes; comparing the elements is needless.
    @SuppressWarnings("ReferenceEquality")
    private Instruction rename(Instruction instruction) {
        Work.step();
        List<Operand> operands = Rename.operands(instruction.operands(), scopes::resolve);
        Instruction result =
                operands == instruction.operands()
                        ? instruction
                        : new Instruction(
                                instruction.position(),
                                instruction.guard(),
                                instruction.opcode(),
                                instruction.suffixes(),
                                operands);
        if (result.opcode() == Opcode.BRA
                && !(operands.size() == 1
                        && operands.getFirst() instanceof Operand.Symbol symbol
                        && scopes.isLabel(symbol.name()))) {
            throw unknown("label", instruction.position(), instruction);
        }
        return result;
    }

    private static PtxException unknown(String what, Position position, Instruction instruction) {
        Operand last = instruction.operands().isEmpty() ? null : instruction.operands().getLast();
        String name = last instanceof Operand.Symbol symbol ? "'" + symbol.name() + "'" : "";
        return new PtxException(
                PtxException.Kind.INVALID,
                position,
                "'" + instruction.mnemonic() + "' names no " + what + " in its scope: " + name);
    }

    private void checkTargets() {
        for (Statement.Targets list : targets.values()) {
            for (String name : list.names()) {
                if (list.branches() && !labels.containsKey(name)) {
                    throw new PtxException(
                            PtxException.Kind.INVALID,
                            list.position(),
                            "'" + list.name() + "' names no label in its scope: '" + name + "'");
                }
            }
        }
        long ways = 0;
        for (Instruction each : instructions) {
            if (each.opcode() == Opcode.BRX
                    && !(each.operands().size() == 2
                            && each.operand(1) instanceof Operand.Symbol symbol
                            && targets.containsKey(symbol.name()))) {
                throw unknown("target list", each.position(), each);
            }
            if (each.opcode() == Opcode.BRX && each.operand(1) instanceof Operand.Symbol symbol) {
                Statement.Targets list = targets.get(symbol.name());
                ways += list == null ? 0 : list.names().size();
                Limits.check(
                        each.position(),
                        "targets of branches in a function",
                        ways,
                        Limits.BRANCH_TARGETS);
            }
        }
    }
}

package facet.ptx.rewrite;

import facet.ptx.Declaration;
import facet.ptx.Function;
import facet.ptx.Initializer;
import facet.ptx.Instruction;
import facet.ptx.Module;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Statement;
import facet.ptx.Work;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads a module once: the facts of each body, and functions whose address somebody takes. */
final class Scan {
    /** By name, in the order of the text; functions that have a body. */
    final Map<String, Facts> bodies = new LinkedHashMap<>();

    /** Functions and kernels whose address is taken, after aliases. */
    final Set<String> addresses = new TreeSet<>();

    private final Map<String, Function> functions = new HashMap<>();
    private final Map<String, String> aliases = new HashMap<>();

    private Scan() {}

    static Scan of(Module module) {
        Scan scan = new Scan();
        for (Declaration each : module.declarations()) {
            scan.declare(each);
        }
        for (Declaration each : module.declarations()) {
            if (each instanceof Declaration.Global global) {
                scan.initializers(global.variable().initializers());
            } else if (each instanceof Function function && function.body() != null) {
                scan.body(function, function.body());
            }
        }
        return scan;
    }

    /** The function that a name means, also by another one; null for what is no function. */
    @Nullable Function function(String name) {
        return functions.get(target(name));
    }

    String target(String name) {
        return aliases.getOrDefault(name, name);
    }

    private void declare(Declaration declaration) {
        switch (declaration) {
            case Function function -> {
                if (function.body() != null || !functions.containsKey(function.name())) {
                    functions.put(function.name(), function);
                }
            }
            case Declaration.Alias alias -> aliases.put(alias.name(), alias.target());
            case Declaration.Global _,
                    Declaration.File _,
                    Declaration.Section _,
                    Declaration.Pragma _ -> {}
        }
    }

    private void initializers(List<Initializer> values) {
        for (Initializer each : values) {
            Work.step();
            switch (each) {
                case Initializer.Address address -> taken(address.symbol());
                case Initializer.Nested nested -> initializers(nested.elements());
                case Initializer.IntegerValue _, Initializer.FloatValue _ -> {}
            }
        }
    }

    private void taken(String name) {
        if (function(name) != null) {
            addresses.add(target(name));
        }
    }

    private void body(Function function, List<Statement> body) {
        Facts facts = bodies.computeIfAbsent(function.name(), name -> new Facts(function));
        if (function.kernel()) {
            facts.always(function.position(), Causes.of(function));
        }
        statements(facts, body);
    }

    private void statements(Facts facts, List<Statement> statements) {
        for (Statement each : statements) {
            Work.step();
            switch (each) {
                case Instruction instruction -> instruction(facts, instruction);
                case Statement.Scope scope -> statements(facts, scope.statements());
                case Statement.Targets targets -> {
                    if (!targets.branches()) {
                        targets.names().forEach(this::taken);
                    }
                }
                case Statement.Local local -> initializers(local.variable().initializers());
                case Statement.Label _,
                        Statement.Registers _,
                        Statement.Location _,
                        Statement.Pragma _,
                        Statement.Prototype _ -> {}
            }
        }
    }

    private void instruction(Facts facts, Instruction instruction) {
        boolean kernel = facts.function.kernel();
        facts.always(instruction.position(), Causes.of(instruction));
        facts.persistent(instruction.position(), Causes.ofPersistent(instruction, kernel));
        Meetings.note(facts, instruction);
        if (instruction.opcode() == Opcode.EXIT && !kernel) {
            facts.own |= Hidden.ENDED.bit();
        } else if (instruction.opcode() == Opcode.CP) {
            facts.own |= Hidden.COPIES;
        }
        List<Operand> operands = instruction.operands();
        int callee = instruction.opcode() == Opcode.CALL ? Calls.callee(instruction) : -1;
        for (int i = 0; i < operands.size(); i++) {
            if (i == callee) {
                call(facts, instruction, operands.get(i));
            } else {
                operand(facts, instruction, operands.get(i));
            }
        }
    }

    private void call(Facts facts, Instruction instruction, Operand callee) {
        if (!(callee instanceof Operand.Symbol symbol)) {
            facts.indirect = true;
            return;
        }
        String name = target(symbol.name());
        Function function = functions.get(name);
        if (function == null || function.body() == null) {
            facts.externs.add(name);
            facts.always(instruction.position(), Causes.ofExtern(name));
        } else {
            facts.callees.add(name);
        }
    }

    private void operand(Facts facts, Instruction instruction, Operand operand) {
        switch (operand) {
            case Operand.Special special -> special(facts, instruction, special);
            case Operand.Symbol symbol -> taken(symbol.name());
            case Operand.Address address -> {
                if (address.base() != null) {
                    operand(facts, instruction, address.base());
                }
            }
            case Operand.Vector vector -> operands(facts, instruction, vector.elements());
            case Operand.Arguments list -> operands(facts, instruction, list.elements());
            case Operand.Indexed list -> operands(facts, instruction, list.elements());
            case Operand.PredicatePair _,
                    Operand.Element _,
                    Operand.IntegerImmediate _,
                    Operand.FloatImmediate _,
                    Operand.NotPredicate _,
                    Operand.Sink _,
                    facet.ptx.Register _ -> {}
        }
    }

    private void operands(Facts facts, Instruction instruction, List<Operand> operands) {
        operands.forEach(each -> operand(facts, instruction, each));
    }

    private static void special(Facts facts, Instruction instruction, Operand.Special special) {
        facts.always(instruction.position(), Causes.of(special));
        Hidden hidden = Hidden.of(special);
        if (hidden != null) {
            facts.own |= hidden.bit();
            if (!SpecialReads.canReplace(instruction)) {
                facts.always(
                        instruction.position(),
                        "reads "
                                + special.register().text(special.lane())
                                + " with "
                                + instruction.mnemonic()
                                + "; move it to a register with mov.u32");
            }
        } else if (special.lane() == Operand.Special.WHOLE && Hidden.whole(special) != 0) {
            facts.own |= Hidden.whole(special);
            if (!SpecialReads.canReplaceWhole(instruction)) {
                facts.always(
                        instruction.position(),
                        "reads all of "
                                + special.register().text()
                                + " into one register; read .x, .y and .z");
            }
        }
    }
}

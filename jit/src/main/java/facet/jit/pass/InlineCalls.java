package facet.jit.pass;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Limits;
import facet.ptx.Linkage;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Position;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Statement;
import facet.ptx.Suffix;
import facet.ptx.Type;
import facet.ptx.Variable;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Replaces calls by the body of the callee where {@link CallGraph#isInlined} asks for it. The
 * callee's parameters become the caller's {@code .param} variables, {@code ret} a branch behind the
 * call. An indirect call that may reach such a function becomes a chain of comparisons first. The
 * result always ends with {@code ret}, which PTX leaves out where nothing follows.
 */
public final class InlineCalls {
    private final CallGraph graph;
    private final List<Instruction> instructions = new ArrayList<>();
    private final List<Register> registers;
    private final Map<String, Integer> labels = new HashMap<>();
    private final Map<String, Variable> variables;
    private final Map<String, Statement.Prototype> prototypes;
    private final Map<String, Statement.Targets> targets;
    private int copies;

    private InlineCalls(CallGraph graph, Body body) {
        this.graph = graph;
        this.registers = new ArrayList<>(body.registers());
        this.variables = new LinkedHashMap<>(body.variables());
        this.prototypes = new HashMap<>(body.prototypes());
        this.targets = new HashMap<>(body.targets());
    }

    public static Body inline(CallGraph graph, Function function) {
        Body body = graph.body(function);
        InlineCalls pass = new InlineCalls(graph, body);
        pass.copy(body, Renaming.NONE);
        pass.add(function.position(), null, Opcode.RET, List.of());
        return new Body(
                function,
                List.copyOf(pass.instructions),
                List.copyOf(pass.registers),
                Map.copyOf(pass.labels),
                pass.variables,
                Map.copyOf(pass.prototypes),
                Map.copyOf(pass.targets));
    }

    private void copy(Body body, Renaming names) {
        Map<Integer, List<String>> at = new HashMap<>();
        body.labels()
                .forEach((name, index) ->
                        at.computeIfAbsent(index, i -> new ArrayList<>()).add(name));
        for (int i = 0; i <= body.instructions().size(); i++) {
            for (String label : at.getOrDefault(i, List.of())) {
                labels.put(names.symbol(label), instructions.size());
            }
            if (i < body.instructions().size()) {
                place(names.apply(body.instructions().get(i)), names);
            }
        }
    }

    private void place(Instruction instruction, Renaming names) {
        if (instruction.opcode() == Opcode.RET && names.end() != null) {
            add(instruction.position(), instruction.guard(), Opcode.BRA, List.of(), names.end());
        } else if (instruction.opcode() == Opcode.CALL) {
            call(instruction);
        } else {
            append(instruction);
        }
    }

    private void append(Instruction instruction) {
        Work.step();
        instructions.add(instruction);
        Limits.check(
                instruction.position(),
                "instructions in a kernel with what is called in it",
                instructions.size(),
                Limits.INLINED_INSTRUCTIONS);
    }

    private void call(Instruction call) {
        Optional<String> name = CallGraph.calleeOf(call);
        if (name.isEmpty()) {
            if (graph.anyAddressedMeets()) {
                dispatch(call, graph.addressTaken());
            } else {
                append(call);
            }
            return;
        }
        Optional<Function> callee = graph.resolve(name.get()).filter(graph::isInlined);
        if (callee.isEmpty()) {
            append(call);
            return;
        }
        expand(call, callee.get());
    }

    /** {@code if (pointer == f) f(…) else if (pointer == g) g(…) else trap}. */
    private void dispatch(Instruction call, List<Function> reachable) {
        Position position = call.position();
        Operand pointer =
                call.operands().stream()
                        .filter(Register.class::isInstance)
                        .findFirst()
                        .orElseThrow();
        int results = call.operands().indexOf(pointer);
        Operand given = results + 1 < call.operands().size() ? call.operand(results + 1) : null;
        int count = given instanceof Operand.Arguments list ? list.elements().size() : 0;
        String end = "$dispatched" + ++copies;
        Instruction.Guard skip = null;
        if (call.guard() != null) {
            skip = new Instruction.Guard(call.guard().predicate(), !call.guard().negated());
            add(position, skip, Opcode.BRA, List.of(), symbol(end));
        }
        for (Function function : reachable) {
            if (function.parameters().size() != count
                    || function.results().size() != Math.min(results, 1)) {
                continue;
            }
            String next = "$next" + ++copies;
            Register matches = register(Type.PRED);
            Register address = register(Type.B64);
            add(position, null, Opcode.MOV, List.of(Type.B64), address, symbol(function.name()));
            add(
                    position,
                    null,
                    Opcode.SETP,
                    List.of(Modifier.NE, Type.B64),
                    matches,
                    pointer,
                    address);
            add(
                    position,
                    new Instruction.Guard(matches, false),
                    Opcode.BRA,
                    List.of(),
                    symbol(next));
            List<Operand> operands = new ArrayList<>(call.operands());
            operands.set(results, symbol(function.name()));
            call(new Instruction(position, null, Opcode.CALL, call.suffixes(), operands));
            add(position, null, Opcode.BRA, List.of(), symbol(end));
            labels.put(next, instructions.size());
        }
        add(position, null, Opcode.TRAP, List.of());
        labels.put(end, instructions.size());
    }

    private void expand(Instruction call, Function callee) {
        Limits.check(
                call.position(),
                "calls of functions with barriers, warp operations or spin loops in a kernel",
                ++copies,
                Limits.INLINED_CALLS);
        String prefix = "$" + copies + "$";
        Operand end = symbol(prefix + "end");
        Map<String, String> symbols = new HashMap<>();
        List<Operand> lists =
                call.operands().stream().filter(Operand.Arguments.class::isInstance).toList();
        List<Operand> results = List.of();
        List<Operand> given = List.of();
        if (!callee.results().isEmpty()) {
            results = ((Operand.Arguments) lists.getFirst()).elements();
        }
        if (!callee.parameters().isEmpty()) {
            given = ((Operand.Arguments) lists.getLast()).elements();
        }
        String after = prefix + "after";
        if (call.guard() != null) {
            Instruction.Guard skip =
                    new Instruction.Guard(call.guard().predicate(), !call.guard().negated());
            add(call.position(), skip, Opcode.BRA, List.of(), symbol(after));
        }
        Body body = graph.body(callee);
        Map<Integer, Register> renamed = new HashMap<>();
        Work.steps(body.registers().size() + body.variables().size() + body.labels().size());
        Limits.check(
                call.position(),
                "registers in a kernel with what is called in it",
                (long) registers.size() + body.registers().size(),
                Limits.REGISTERS);
        for (Register register : body.registers()) {
            Register fresh =
                    new Register(
                            register.name(), register.type(), register.lanes(), registers.size());
            registers.add(fresh);
            renamed.put(register.id(), fresh);
        }
        body.variables()
                .forEach((name, variable) -> {
                    symbols.put(name, prefix + name);
                    variables.put(prefix + name, variable);
                });
        body.labels().keySet().forEach(name -> symbols.put(name, prefix + name));
        body.prototypes()
                .forEach((name, prototype) -> {
                    symbols.put(name, prefix + name);
                    prototypes.put(prefix + name, prototype);
                });
        body.targets()
                .forEach((name, list) -> {
                    symbols.put(name, prefix + name);
                    targets.put(
                            prefix + name,
                            new Statement.Targets(
                                    list.position(),
                                    prefix + name,
                                    list.branches(),
                                    list.branches()
                                            ? list.names().stream()
                                                    .map(each -> prefix + each)
                                                    .toList()
                                            : list.names()));
                });
        for (int i = 0; i < callee.parameters().size(); i++) {
            Variable formal = callee.parameters().get(i);
            if (formal.space() == Space.REG) {
                Register inside = inside(body, formal, renamed);
                if (given.get(i) instanceof Operand.Symbol variable) {
                    load(call.position(), inside, variable.name(), formal);
                } else {
                    move(call.position(), formal, inside, given.get(i));
                }
            } else {
                bind(call, formal, given.get(i), symbols, prefix, true);
            }
        }
        for (int i = 0; i < callee.results().size(); i++) {
            if (callee.results().get(i).space() != Space.REG) {
                bind(call, callee.results().get(i), results.get(i), symbols, prefix, false);
            }
        }
        // What a function allocates on the stack goes when it returns.
        boolean allocates =
                body.instructions().stream().anyMatch(each -> each.opcode() == Opcode.ALLOCA);
        Register stack = allocates ? register(Type.B64) : null;
        if (stack != null) {
            add(call.position(), null, Opcode.STACKSAVE, List.of(Type.U64), stack);
        }
        Operand ending = stack != null ? symbol(prefix + "ret") : end;
        copy(body, new Renaming(renamed, symbols, ending));
        labels.put(prefix + "ret", instructions.size());
        if (stack != null) {
            add(call.position(), null, Opcode.STACKRESTORE, List.of(Type.U64), stack);
        }
        labels.put(prefix + "end", instructions.size());
        for (int i = 0; i < callee.results().size(); i++) {
            Variable formal = callee.results().get(i);
            if (formal.space() == Space.REG) {
                Register inside = inside(body, formal, renamed);
                if (results.get(i) instanceof Operand.Symbol variable) {
                    store(call.position(), variable.name(), inside, formal);
                } else if (results.get(i) instanceof Register register) {
                    move(call.position(), formal, register, inside);
                }
            } else if (results.get(i) instanceof Register register) {
                load(
                        call.position(),
                        register,
                        Objects.requireNonNull(symbols.get(formal.name())),
                        formal);
            }
        }
        labels.put(after, instructions.size());
    }

    /** Lets the callee's formal name mean the caller's variable, or a new one for a plain value. */
    private void bind(
            Instruction call,
            Variable formal,
            Operand actual,
            Map<String, String> symbols,
            String prefix,
            boolean input) {
        if (actual instanceof Operand.Symbol symbol) {
            symbols.put(formal.name(), symbol.name());
            return;
        }
        String name = prefix + formal.name();
        symbols.put(formal.name(), name);
        variables.put(
                name,
                new Variable(
                        call.position(),
                        Linkage.NONE,
                        Space.PARAM,
                        formal.alignment(),
                        formal.type(),
                        formal.lanes(),
                        name,
                        formal.dimensions(),
                        List.of(),
                        null));
        if (input) {
            store(call.position(), name, actual, formal);
        }
    }

    /** The copy of a register that the callee declares as a parameter. */
    private static Register inside(Body body, Variable formal, Map<Integer, Register> renamed) {
        return body.registers().stream()
                .filter(each -> each.name().equals(formal.name()))
                .map(each -> renamed.get(each.id()))
                .findFirst()
                .orElseThrow();
    }

    private void move(Position position, Variable formal, Operand into, Operand from) {
        Type type = formal.type() == Type.PRED ? Type.PRED : Type.ofBits(formal.type().bits());
        add(position, null, Opcode.MOV, List.of(type), into, from);
    }

    private void store(Position position, String name, Operand from, Variable formal) {
        add(
                position,
                null,
                Opcode.ST,
                List.of(Space.PARAM, Type.ofBits(formal.type().bits())),
                new Operand.Address(symbol(name), 0),
                from);
    }

    private void load(Position position, Register into, String name, Variable formal) {
        add(
                position,
                null,
                Opcode.LD,
                List.of(Space.PARAM, Type.ofBits(formal.type().bits())),
                into,
                new Operand.Address(symbol(name), 0));
    }

    private Register register(Type type) {
        Register register = new Register("%inlined" + registers.size(), type, 1, registers.size());
        registers.add(register);
        return register;
    }

    private static Operand.Symbol symbol(String name) {
        return new Operand.Symbol(name, 0);
    }

    private void add(
            Position position,
            Instruction.@org.jspecify.annotations.Nullable Guard guard,
            Opcode opcode,
            List<Suffix> suffixes,
            Operand... operands) {
        append(new Instruction(position, guard, opcode, suffixes, List.of(operands)));
    }
}

package facet.ptx.flow;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Module;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Suffix;
import facet.ptx.Type;
import facet.ptx.Variable;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The provenance of every register of a kernel and of the functions it calls, whatever the order in
 * which they run: one set a register, one for each parameter of a call, one for all local and
 * shared memory. Repeated until nothing grows.
 */
final class ProvenanceFlow {
    private final Function kernel;
    private final ProvenanceNames names;
    private final Map<String, Body> bodies = new LinkedHashMap<>();
    private final Map<String, Provenance[]> registers = new HashMap<>();
    private final Map<String, Provenance> parameters = new HashMap<>();
    private Provenance memory = Provenance.NUMBER;
    private boolean changed;

    private ProvenanceFlow(Module module, Function kernel) {
        this.kernel = kernel;
        names = new ProvenanceNames(module, kernel);
    }

    static ProvenanceFlow of(Module module, Function kernel) {
        ProvenanceFlow flow = new ProvenanceFlow(module, kernel);
        flow.enter(kernel);
        do {
            flow.changed = false;
            for (Body body : List.copyOf(flow.bodies.values())) {
                for (Instruction instruction : body.instructions()) {
                    flow.step(body, instruction);
                }
            }
        } while (flow.changed);
        return flow;
    }

    Collection<Body> bodies() {
        return bodies.values();
    }

    private Body enter(Function function) {
        Body known = bodies.get(function.name());
        if (known != null) {
            return known;
        }
        Body body = Flatten.flatten(function);
        Provenance[] values = new Provenance[body.registers().size()];
        Arrays.fill(values, Provenance.NUMBER);
        bodies.put(function.name(), body);
        registers.put(function.name(), values);
        changed = true;
        return body;
    }

    private Provenance[] registers(Body body) {
        return Objects.requireNonNull(
                registers.get(body.function().name()), "enter() adds them with the body");
    }

    private void step(Body body, Instruction instruction) {
        switch (instruction.opcode()) {
            case LD, LDU -> load(body, instruction);
            case ST -> store(body, instruction, instruction.operand(0), instruction.operand(1));
            case RED -> store(body, instruction, instruction.operand(0), instruction.operand(1));
            case ATOM -> {
                for (int i = 2; i < instruction.operands().size(); i++) {
                    store(body, instruction, instruction.operand(1), instruction.operand(i));
                }
                Provenance found = fetch(body, instruction, instruction.operand(1), 0);
                define(body, instruction.operand(0), found);
            }
            case CALL -> call(body, instruction);
            // What is copied from global memory may be addresses.
            case CP -> remember(Provenance.UNKNOWN);
            default -> {
                if (DefUse.hasResult(instruction)) {
                    define(body, instruction.operand(0), compute(body, instruction));
                }
            }
        }
    }

    private Provenance compute(Body body, Instruction instruction) {
        List<Operand> operands = instruction.operands();
        return switch (instruction.opcode()) {
            case MOV -> {
                boolean packs =
                        operands.get(0) instanceof Operand.Vector
                                || operands.get(1) instanceof Operand.Vector;
                Provenance source = value(body, operands.get(1));
                yield packs ? source.number() : source;
            }
            case ADD, SUB, AND, OR, XOR, NOT, MIN, MAX, CVTA, CVT, MAPA, BFI, SELP, SLCT ->
                    narrow(instruction, all(body, operands, 1));
            case MAD ->
                    narrow(
                            instruction,
                            all(body, operands.subList(0, 3), 1)
                                    .number()
                                    .join(value(body, operands.get(3))));
            case ALLOCA, STACKSAVE -> Provenance.OWN;
            default -> all(body, operands, 1).number();
        };
    }

    /** An address has 64 bits, in shared and local memory 32. */
    private static Provenance narrow(Instruction instruction, Provenance provenance) {
        if (provenance.isOnlyOwn() || instruction.opcode() == Opcode.MAPA) {
            return provenance;
        }
        if (instruction.has(Modifier.WIDE) || instruction.opcode() == Opcode.SLCT) {
            return provenance;
        }
        for (Suffix suffix : instruction.suffixes()) {
            if (suffix instanceof Type type && type.bits() < 64) {
                return provenance.number();
            }
        }
        return provenance;
    }

    private Provenance all(Body body, List<Operand> operands, int from) {
        Provenance all = Provenance.NUMBER;
        for (int i = from; i < operands.size(); i++) {
            all = all.join(value(body, operands.get(i)));
        }
        return all;
    }

    private Provenance value(Body body, Operand operand) {
        return switch (operand) {
            case Register register -> registers(body)[register.id()];
            case Operand.Element element -> registers(body)[element.register().id()];
            case Operand.Symbol symbol -> names.symbol(body, symbol.name());
            case Operand.Address address ->
                    address.base() == null ? Provenance.NUMBER : value(body, address.base());
            case Operand.Vector vector -> all(body, vector.elements(), 0);
            case Operand.PredicatePair pair ->
                    value(body, pair.first()).join(value(body, pair.second()));
            case Operand.Arguments arguments -> all(body, arguments.elements(), 0);
            case Operand.Indexed indexed -> all(body, indexed.elements(), 0);
            case Operand.NotPredicate _,
                    Operand.Special _,
                    Operand.IntegerImmediate _,
                    Operand.FloatImmediate _,
                    Operand.Sink _ ->
                    Provenance.NUMBER;
        };
    }

    Provenance address(Body body, Operand operand) {
        return value(body, operand);
    }

    private void load(Body body, Instruction instruction) {
        Operand result = instruction.operand(0);
        if (result instanceof Operand.Vector vector) {
            for (int i = 0; i < vector.elements().size(); i++) {
                define(
                        body,
                        vector.elements().get(i),
                        fetch(body, instruction, instruction.operand(1), i));
            }
            return;
        }
        int lanes = result instanceof Register register ? register.lanes() : 1;
        for (int i = 0; i < lanes; i++) {
            define(body, result, fetch(body, instruction, instruction.operand(1), i));
        }
    }

    /** What the n-th element of a load may be. */
    private Provenance fetch(Body body, Instruction instruction, Operand from, int n) {
        int bits = instruction.type().bits();
        Space space = instruction.space();
        if (space != null && space.isParam()) {
            return parameter(body, from, bits, n * (long) (bits / 8));
        }
        if (space != null && (space.isShared() || space == Space.LOCAL)) {
            return memory.load(bits);
        }
        Provenance address = address(body, from);
        Provenance found =
                address.isOnlyOwn() ? memory.load(bits) : bits < 64 ? Provenance.PIECE : null;
        if (found != null) {
            return found;
        }
        boolean constant =
                !address.unknown()
                        && !address.roots().isEmpty()
                        && address.roots().stream()
                                .allMatch(r -> r instanceof Provenance.Root.ParameterSpace);
        return constant ? anywhere(address) : Provenance.UNKNOWN;
    }

    /** Of kernel parameters whose address was taken: any address in them. */
    private static Provenance anywhere(Provenance address) {
        Provenance found = Provenance.NUMBER;
        for (Provenance.Root root : address.roots()) {
            if (root instanceof Provenance.Root.ParameterSpace space) {
                found =
                        found.join(
                                Provenance.of(
                                        new Provenance.Root.Parameter(
                                                space.index(), WriteSet.Target.ANYWHERE)));
            }
        }
        return found;
    }

    private Provenance parameter(Body body, Operand from, int bits, long skip) {
        Operand.Address address = (Operand.Address) from;
        if (!(address.base() instanceof Operand.Symbol symbol)) {
            Provenance base = address(body, from);
            boolean known = !base.unknown() && !base.roots().isEmpty();
            return bits < 64 ? Provenance.PIECE : known ? anywhere(base) : Provenance.UNKNOWN;
        }
        int index = ProvenanceNames.parameterIndex(body, symbol.name());
        boolean own = index >= 0 && !body.variables().containsKey(symbol.name());
        if (own && names.isKernel(body)) {
            Variable variable = kernel.parameters().get(index);
            if (bits < 64) {
                return variable.isArray() || variable.bytes() >= 8
                        ? Provenance.PIECE
                        : Provenance.NUMBER;
            }
            Provenance found = Provenance.NUMBER;
            for (long byteOffset = 0; byteOffset < bits / 8; byteOffset += 8) {
                long offset = address.offset() + skip + byteOffset;
                found = found.join(Provenance.of(new Provenance.Root.Parameter(index, offset)));
            }
            return found;
        }
        return parameters.getOrDefault(key(body, symbol.name()), Provenance.NUMBER).load(bits);
    }

    private void store(Body body, Instruction instruction, Operand to, Operand what) {
        Provenance stored = value(body, what);
        if (instruction.type().bits() < 64) {
            stored = stored.number();
        }
        Space space = instruction.space();
        if (space != null && space.isParam()) {
            Operand base = ((Operand.Address) to).base();
            if (base instanceof Operand.Symbol symbol) {
                pass(key(body, symbol.name()), stored);
            } else {
                remember(stored);
            }
            return;
        }
        if (space == Space.GLOBAL) {
            return;
        }
        Provenance address = address(body, to);
        boolean elsewhere =
                !address.unknown()
                        && !address.roots().isEmpty()
                        && address.roots().stream()
                                .noneMatch(root -> root instanceof Provenance.Root.Own);
        if (!elsewhere) {
            remember(stored);
        }
    }

    private void remember(Provenance stored) {
        Provenance joined = memory.join(stored);
        changed |= !joined.equals(memory);
        memory = joined;
    }

    private void pass(String key, Provenance value) {
        Provenance old = parameters.getOrDefault(key, Provenance.NUMBER);
        Provenance joined = old.join(value);
        changed |= !joined.equals(old);
        parameters.put(key, joined);
    }

    private static String key(Body body, String variable) {
        return key(body.function(), variable);
    }

    private static String key(Function function, String variable) {
        return function.name() + " " + variable;
    }

    private void define(Body body, Operand result, Provenance value) {
        switch (result) {
            case Register register -> raise(body, register, value);
            case Operand.Element element -> raise(body, element.register(), value);
            case Operand.Vector vector ->
                    vector.elements().forEach(each -> define(body, each, value));
            case Operand.PredicatePair pair -> define(body, pair.first(), value);
            default -> {}
        }
    }

    private void raise(Body body, Register register, Provenance value) {
        Provenance[] values = registers(body);
        Provenance joined = values[register.id()].join(value);
        changed |= !joined.equals(values[register.id()]);
        values[register.id()] = joined;
    }

    /** Whether all that the call can do is in the bodies, or nothing. */
    boolean isKnownCall(Instruction call) {
        Function callee = names.callee(call);
        return callee != null && (callee.body() != null || WriteSet.isHarmless(callee.name()));
    }

    private void call(Body body, Instruction call) {
        List<Operand> results =
                call.operand(0) instanceof Operand.Arguments list ? list.elements() : List.of();
        int at = call.operand(0) instanceof Operand.Arguments ? 1 : 0;
        List<Operand> arguments =
                call.operands().size() > at + 1
                                && call.operand(at + 1) instanceof Operand.Arguments list
                        ? list.elements()
                        : List.of();
        Function callee = names.callee(call);
        if (callee == null || callee.body() == null) {
            results.forEach(each -> assign(body, each, Provenance.UNKNOWN));
            return;
        }
        Body other = enter(callee);
        for (int i = 0; i < Math.min(arguments.size(), callee.parameters().size()); i++) {
            assign(other, callee.parameters().get(i), argument(body, arguments.get(i)));
        }
        for (int i = 0; i < Math.min(results.size(), callee.results().size()); i++) {
            assign(body, results.get(i), result(other, callee.results().get(i)));
        }
    }

    private Provenance argument(Body body, Operand operand) {
        return operand instanceof Operand.Symbol symbol
                ? parameters.getOrDefault(key(body, symbol.name()), Provenance.NUMBER)
                : value(body, operand);
    }

    private Provenance result(Body body, Variable variable) {
        if (variable.space() != Space.REG) {
            return parameters.getOrDefault(key(body, variable.name()), Provenance.NUMBER);
        }
        return value(body, named(body, variable.name()));
    }

    private void assign(Body body, Operand to, Provenance value) {
        if (to instanceof Operand.Symbol symbol) {
            pass(key(body, symbol.name()), value);
        } else {
            define(body, to, value);
        }
    }

    private void assign(Body body, Variable to, Provenance value) {
        if (to.space() == Space.REG) {
            define(body, named(body, to.name()), value);
        } else {
            pass(key(body, to.name()), value);
        }
    }

    /** The parameters in registers come first, so the first of the name is meant. */
    private static Register named(Body body, String name) {
        for (Register register : body.registers()) {
            if (register.name().equals(name)) {
                return register;
            }
        }
        throw new IllegalStateException(name + " is no register of " + body.function().name());
    }
}

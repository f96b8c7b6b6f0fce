package facet.jit.pass;

import facet.ptx.Declaration;
import facet.ptx.Function;
import facet.ptx.Initializer;
import facet.ptx.Instruction;
import facet.ptx.Module;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.PtxException;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import facet.ptx.flow.Flatten;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The functions of a module and who calls whom. A function in which threads may wait for each other
 * or keep step is inlined into its kernels, since only kernels are split into regions; a very long
 * one too, since the JVM does not compile it whole.
 */
public final class CallGraph {
    private static final int LONG_FUNCTION = 600;
    private static final int SHORT_FUNCTION = 100;

    private final Map<String, Function> definitions = new LinkedHashMap<>();
    private final Map<String, Integer> indices = new HashMap<>();
    private final Map<String, Body> bodies = new HashMap<>();
    private final Map<String, Set<String>> callees = new HashMap<>();
    private final Set<String> addressTaken = new LinkedHashSet<>();
    private final Set<String> kernelsTaken = new LinkedHashSet<>();
    private final Map<String, String> aliases = new HashMap<>();
    private final List<Function> addressed;

    /**
     * Functions in which, or below which, threads meet; loops spin; lanes keep step; memory is
     * watched.
     */
    private final Set<String> meeting;

    private final Set<String> spinning;
    private final Set<String> inStep;
    private final Set<String> observing;

    /** Those that may call themselves. */
    private final Set<String> recursion;

    private final boolean addressedMeets;

    public CallGraph(Module module) {
        for (Declaration each : module.declarations()) {
            if (each instanceof Function function && function.body() != null) {
                definitions.put(function.name(), function);
                indices.putIfAbsent(function.name(), indices.size());
            } else if (each instanceof Function function) {
                Builtin.find(function.name()).ifPresent(builtin -> builtin.check(function));
            } else if (each instanceof Declaration.Alias alias) {
                aliases.put(alias.name(), alias.target());
            }
        }
        for (Declaration each : module.declarations()) {
            if (each instanceof Declaration.Global global) {
                global.variable().initializers().forEach(this::noteAddresses);
            }
        }
        for (Function function : definitions.values()) {
            Body body = Flatten.flatten(function);
            Work.steps(body.instructions().size());
            bodies.put(function.name(), body);
            Set<String> called = new HashSet<>();
            for (Instruction instruction : body.instructions()) {
                note(instruction, called);
            }
            callees.put(function.name(), called);
        }
        addressed = addressTaken.stream().map(definitions::get).toList();
        Map<String, List<String>> callers = callers();
        meeting = reaching(CallGraph::meets, callers);
        spinning = reaching(CallGraph::spins, callers);
        inStep = reaching(WarpOrder::mayKeepStep, callers);
        observing = reaching(CallGraph::observes, callers);
        recursion = Recursion.in(callees);
        addressedMeets = addressed.stream().anyMatch(this::meets);
    }

    private void noteAddresses(Initializer initializer) {
        switch (initializer) {
            case Initializer.Address address -> noteAddress(address.symbol());
            case Initializer.Nested nested -> nested.elements().forEach(this::noteAddresses);
            case Initializer.IntegerValue ignored -> {}
            case Initializer.FloatValue ignored -> {}
        }
    }

    private void noteAddress(String name) {
        resolve(name).ifPresent(f -> (f.kernel() ? kernelsTaken : addressTaken).add(f.name()));
    }

    private void note(Instruction instruction, Set<String> called) {
        if (instruction.opcode() == Opcode.CALL) {
            Optional<String> callee = calleeOf(instruction);
            if (callee.isPresent()) {
                if (resolve(callee.get()).isEmpty() && Builtin.find(callee.get()).isEmpty()) {
                    throw PtxException.lacking(
                            instruction.position(),
                            callee.get(),
                            "call of " + callee.get() + ", " + undefined(callee.get()));
                }
                resolve(callee.get()).ifPresent(function -> called.add(function.name()));
            }
            return;
        }
        if (instruction.opcode() == Opcode.MOV) {
            for (Operand operand : instruction.operands()) {
                if (operand instanceof Operand.Symbol symbol) {
                    noteAddress(symbol.name());
                }
            }
        }
    }

    private static String undefined(String name) {
        return Builtin.plainName(name).startsWith("cuda")
                ? "a function of the device runtime that this device does not have; call it on"
                        + " the host"
                : "which this module only declares; link the module that defines it, or compile"
                        + " without -rdc=true";
    }

    /** The name after {@code call}, empty when the callee is in a register. */
    public static Optional<String> calleeOf(Instruction call) {
        for (Operand operand : call.operands()) {
            if (operand instanceof Operand.Symbol symbol) {
                return Optional.of(symbol.name());
            }
            if (operand instanceof facet.ptx.Register) {
                return Optional.empty();
            }
        }
        throw new PtxException(PtxException.Kind.INVALID, call.position(), "call without a callee");
    }

    public Optional<Function> resolve(String name) {
        return Optional.ofNullable(definitions.get(aliases.getOrDefault(name, name)));
    }

    public Body body(Function function) {
        return body(function.name());
    }

    private Body body(String name) {
        return Objects.requireNonNull(bodies.get(name), name);
    }

    /** Number of a function in the module, which function pointers are made of. */
    public int index(Function function) {
        return Objects.requireNonNull(indices.get(function.name()), function.name());
    }

    /** The function that the module defines by this name. */
    public Optional<Function> definition(String name) {
        return Optional.ofNullable(definitions.get(name));
    }

    /** Functions that an indirect call may reach. */
    public List<Function> addressTaken() {
        return addressed;
    }

    /** Kernels that other kernels may launch: their addresses are in the text. */
    public List<Function> kernelsTaken() {
        return kernelsTaken.stream()
                .map(name -> Objects.requireNonNull(definitions.get(name)))
                .toList();
    }

    /** The function of the device that a call names, where no function of the module does. */
    public Optional<Builtin> builtin(String name) {
        return resolve(name).isPresent() ? Optional.empty() : Builtin.find(name);
    }

    /** Whether threads may meet in the function or in what it calls. */
    public boolean meets(Function function) {
        return meeting.contains(function.name());
    }

    /** Whether threads may meet in what an indirect call reaches. */
    boolean anyAddressedMeets() {
        return addressedMeets;
    }

    /** Whether a call of the function is replaced by its body. */
    public boolean isInlined(Function function) {
        boolean recursive = recursion.contains(function.name());
        if (meets(function)) {
            if (recursive) {
                throw new PtxException(
                        PtxException.Kind.UNSUPPORTED,
                        function.position(),
                        "function "
                                + function.name()
                                + " is recursive and contains a barrier or warp"
                                + " operation; take that out of the recursion");
            }
            return true;
        }
        int size = body(function).instructions().size();
        return !recursive
                && (size > LONG_FUNCTION
                        || spinning.contains(function.name())
                        || inStep.contains(function.name())
                        // A loop around a call of such a function may wait for another thread.
                        || size <= SHORT_FUNCTION && observing.contains(function.name()));
    }

    private static boolean spins(Body body) {
        List<Instruction> instructions = body.instructions();
        Observations observations = new Observations(body);
        for (int i = 0; i < instructions.size(); i++) {
            for (int target : Synchronization.targets(body, instructions.get(i))) {
                if (target <= i && observations.maySpin(target, i)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean meets(Body body) {
        return body.instructions().stream().anyMatch(Synchronization::isMeeting);
    }

    private static boolean observes(Body body) {
        return body.instructions().stream().anyMatch(Synchronization::isObservation);
    }

    /** Functions of which the test is true, and all that call them, directly or through others. */
    private Set<String> reaching(Predicate<Body> test, Map<String, List<String>> callers) {
        Set<String> found = new HashSet<>();
        List<String> open = new ArrayList<>();
        for (Map.Entry<String, Body> each : bodies.entrySet()) {
            Work.steps(each.getValue().instructions().size());
            if (test.test(each.getValue()) && found.add(each.getKey())) {
                open.add(each.getKey());
            }
        }
        while (!open.isEmpty()) {
            for (String caller : callers.getOrDefault(open.removeLast(), List.of())) {
                Work.step();
                if (found.add(caller)) {
                    open.add(caller);
                }
            }
        }
        return found;
    }

    private Map<String, List<String>> callers() {
        Map<String, List<String>> callers = new HashMap<>();
        callees.forEach((caller, called) -> {
            for (String each : called) {
                callers.computeIfAbsent(each, name -> new ArrayList<>()).add(caller);
            }
        });
        return callers;
    }

    /** The function and what it may call, directly or through others. */
    public List<Function> reachable(Function function) {
        Work.steps(body(function).instructions().size());
        Set<String> start = new LinkedHashSet<>(callees(function.name()));
        boolean indirect =
                body(function).instructions().stream()
                        .anyMatch(each -> each.opcode() == Opcode.CALL && calleeOf(each).isEmpty());
        if (indirect) {
            start.addAll(addressTaken);
        }
        Set<String> names = closure(start);
        names.add(function.name());
        return names.stream().map(name -> Objects.requireNonNull(definitions.get(name))).toList();
    }

    private Set<String> callees(String name) {
        return Objects.requireNonNull(callees.get(name), name);
    }

    private Set<String> closure(Set<String> start) {
        Set<String> seen = new LinkedHashSet<>(start);
        List<String> open = new ArrayList<>(start);
        while (!open.isEmpty()) {
            for (String next : callees(open.removeLast())) {
                Work.step();
                if (seen.add(next)) {
                    open.add(next);
                }
            }
        }
        return seen;
    }
}

package facet.jit.pass;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Limits;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Position;
import facet.ptx.Register;
import facet.ptx.Type;
import facet.ptx.flow.Body;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Replaces calls by the body of the callee where {@link CallGraph#isInlined} asks for it. The
 * callee's parameters become the caller's {@code .param} variables, {@code ret} a branch behind the
 * call. An indirect call that may reach such a function becomes a chain of comparisons first. The
 * result always ends with {@code ret}, which PTX leaves out where nothing follows.
 */
public final class InlineCalls {
    private final CallGraph graph;
    private final GrowingBody into;
    private int copies;

    private InlineCalls(CallGraph graph, Body body) {
        this.graph = graph;
        this.into = new GrowingBody(body);
    }

    CallGraph graph() {
        return graph;
    }

    GrowingBody into() {
        return into;
    }

    public static Body inline(CallGraph graph, Function function) {
        Body body = graph.body(function);
        InlineCalls pass = new InlineCalls(graph, body);
        pass.copy(body, Renaming.NONE);
        pass.into.add(function.position(), null, Opcode.RET, List.of());
        return UnreadAtomics.replaced(pass.into.of(function));
    }

    void copy(Body body, Renaming names) {
        Map<Integer, List<String>> at = new HashMap<>();
        body.labels()
                .forEach((name, index) ->
                        at.computeIfAbsent(index, i -> new ArrayList<>()).add(name));
        for (int i = 0; i <= body.instructions().size(); i++) {
            for (String label : at.getOrDefault(i, List.of())) {
                into.label(names.symbol(label));
            }
            if (i < body.instructions().size()) {
                place(names.apply(body.instructions().get(i)), names);
            }
        }
    }

    private void place(Instruction instruction, Renaming names) {
        if (instruction.opcode() == Opcode.RET && names.end() != null) {
            into.add(
                    instruction.position(),
                    instruction.guard(),
                    Opcode.BRA,
                    List.of(),
                    names.end());
        } else if (instruction.opcode() == Opcode.CALL) {
            call(instruction);
        } else {
            into.append(instruction);
        }
    }

    private void call(Instruction call) {
        Optional<String> name = CallGraph.calleeOf(call);
        if (name.isEmpty()) {
            if (graph.anyAddressedMeets()) {
                dispatch(call, graph.addressTaken());
            } else {
                into.append(call);
            }
            return;
        }
        Optional<Function> callee = graph.resolve(name.get()).filter(graph::isInlined);
        if (callee.isEmpty()) {
            into.append(call);
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
            into.add(position, skip, Opcode.BRA, List.of(), GrowingBody.symbol(end));
        }
        for (Function function : reachable) {
            if (function.parameters().size() != count
                    || function.results().size() != Math.min(results, 1)) {
                continue;
            }
            String next = "$next" + ++copies;
            Register matches = into.register(Type.PRED);
            Register address = into.register(Type.B64);
            into.add(
                    position,
                    null,
                    Opcode.MOV,
                    List.of(Type.B64),
                    address,
                    GrowingBody.symbol(function.name()));
            into.add(
                    position,
                    null,
                    Opcode.SETP,
                    List.of(Modifier.NE, Type.B64),
                    matches,
                    pointer,
                    address);
            into.add(
                    position,
                    new Instruction.Guard(matches, false),
                    Opcode.BRA,
                    List.of(),
                    GrowingBody.symbol(next));
            List<Operand> operands = new ArrayList<>(call.operands());
            operands.set(results, GrowingBody.symbol(function.name()));
            call(new Instruction(position, null, Opcode.CALL, call.suffixes(), operands));
            into.add(position, null, Opcode.BRA, List.of(), GrowingBody.symbol(end));
            into.label(next);
        }
        into.add(position, null, Opcode.TRAP, List.of());
        into.label(end);
    }

    private void expand(Instruction call, Function callee) {
        Limits.check(
                call.position(),
                "calls of functions with barriers, warp operations or spin loops in a kernel",
                ++copies,
                Limits.INLINED_CALLS);
        new InlinedCall(this, copies, call, callee).emit();
    }
}

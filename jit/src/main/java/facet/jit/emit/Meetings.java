package facet.jit.emit;

import facet.jit.pass.Kinds.Kind;
import facet.jit.runtime.Site;
import facet.jit.runtime.Site.Operation;
import facet.jit.runtime.Site.Value;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * Barriers and warp operations: leaves the operands where {@link facet.jit.runtime.BlockRunner}
 * finds them and describes the meeting.
 */
final class Meetings {
    private final RegionFlow unit;

    Meetings(RegionFlow unit) {
        this.unit = unit;
    }

    /** Registers that the meeting itself writes as a whole. */
    static List<Register> results(Instruction instruction) {
        return facet.ptx.flow.DefUse.definitions(instruction).stream()
                .filter(register -> register.lanes() == 1)
                .toList();
    }

    /** Stores the operands and returns the site. */
    Site describe(Instruction instruction, int next) {
        if (MatrixMeetings.handles(instruction)) {
            return Site.of(
                    new MatrixMeetings(unit, instruction, next).task(),
                    next,
                    instruction.position().line());
        }
        Operation operation = operation(instruction);
        Operand result = hasResult(instruction) ? instruction.operand(0) : new Operand.Sink();
        Operand first = result instanceof Operand.PredicatePair pair ? pair.first() : result;
        Operand second =
                result instanceof Operand.PredicatePair pair ? pair.second() : new Operand.Sink();
        List<Value> inputs = new ArrayList<>();
        int start = hasResult(instruction) ? 1 : 0;
        for (int i = start; i < instruction.operands().size(); i++) {
            Type type = type(instruction, operation, i - start);
            inputs.add(value(instruction.operand(i), type, next, i));
        }
        return new Site(
                operation,
                next,
                List.copyOf(inputs),
                slot(first),
                slot(second),
                instruction.position().line(),
                null);
    }

    private static boolean hasResult(Instruction instruction) {
        return switch (instruction.opcode()) {
            case BAR, BARRIER -> instruction.has(Modifier.RED);
            default -> true;
        };
    }

    private int slot(Operand operand) {
        return switch (operand) {
            case Register register -> unit.slots.of(register, 0);
            case Operand.Element element -> unit.slots.of(element.register(), element.lane());
            case Operand.Special _,
                    Operand.IntegerImmediate _,
                    Operand.FloatImmediate _,
                    Operand.Symbol _,
                    Operand.Address _,
                    Operand.Vector _,
                    Operand.NotPredicate _,
                    Operand.PredicatePair _,
                    Operand.Arguments _,
                    Operand.Indexed _,
                    Operand.Sink _ ->
                    -1;
        };
    }

    private static Type type(Instruction instruction, Operation operation, int input) {
        return switch (operation) {
            case VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT -> input == 0 ? Type.PRED : Type.B32;
            case MATCH_ANY, MATCH_ALL -> input == 0 ? instruction.type() : Type.B32;
            case BARRIER_POPC, BARRIER_AND, BARRIER_OR ->
                    input == inputsOf(instruction) - 1 ? Type.PRED : Type.B32;
            default -> Type.B32;
        };
    }

    private static int inputsOf(Instruction instruction) {
        return instruction.operands().size() - 1;
    }

    private Value value(Operand operand, Type type, int next, int number) {
        boolean wide = Kind.of(type) == Kind.LONG;
        if (operand instanceof Operand.IntegerImmediate immediate) {
            return Value.constant(wide ? immediate.value() : (int) immediate.value());
        }
        int slot = unit.slots.temporary(next, number, wide);
        unit.saveOperand(slot, operand, type);
        return new Value(slot, wide, 0);
    }

    private static Operation operation(Instruction instruction) {
        return switch (instruction.opcode()) {
            case BAR, BARRIER -> barrier(instruction);
            case SHFL ->
                    instruction.has(Modifier.UP)
                            ? Operation.SHUFFLE_UP
                            : instruction.has(Modifier.DOWN)
                                    ? Operation.SHUFFLE_DOWN
                                    : instruction.has(Modifier.BFLY)
                                            ? Operation.SHUFFLE_BFLY
                                            : Operation.SHUFFLE_IDX;
            case VOTE ->
                    instruction.has(Modifier.ALL)
                            ? Operation.VOTE_ALL
                            : instruction.has(Modifier.ANY)
                                    ? Operation.VOTE_ANY
                                    : instruction.has(Modifier.UNI)
                                            ? Operation.VOTE_UNI
                                            : Operation.VOTE_BALLOT;
            case MATCH -> instruction.has(Modifier.ALL) ? Operation.MATCH_ALL : Operation.MATCH_ANY;
            case REDUX -> reduction(instruction);
            case ACTIVEMASK -> Operation.ACTIVE_MASK;
            case ELECT -> Operation.ELECT;
            default -> throw Unit.unsupported(instruction, "no meeting of threads");
        };
    }

    private static Operation barrier(Instruction instruction) {
        if (instruction.has(Modifier.CLUSTER)) {
            return instruction.has(Modifier.ARRIVE)
                    ? Operation.CLUSTER_ARRIVE
                    : Operation.CLUSTER_WAIT;
        }
        if (instruction.opcode() == Opcode.BAR && instruction.has(Modifier.WARP)) {
            return Operation.WARP_BARRIER;
        }
        if (instruction.has(Modifier.ARRIVE)) {
            return Operation.BARRIER_ARRIVE;
        }
        if (instruction.has(Modifier.RED)) {
            return instruction.has(Modifier.POPC)
                    ? Operation.BARRIER_POPC
                    : instruction.has(Modifier.AND) ? Operation.BARRIER_AND : Operation.BARRIER_OR;
        }
        return Operation.BARRIER;
    }

    private static Operation reduction(Instruction instruction) {
        boolean minimum = instruction.has(Modifier.MIN);
        if (instruction.type() == Type.F32) {
            boolean magnitude = instruction.has(Modifier.ABS);
            boolean propagates = instruction.has(Modifier.PROPAGATE_NAN);
            return Operation.valueOf(
                    "REDUCE_"
                            + (minimum ? "MIN" : "MAX")
                            + (magnitude ? "_ABS" : "")
                            + (propagates ? "_NAN" : "")
                            + "_F32");
        }
        if (minimum || instruction.has(Modifier.MAX)) {
            return Operation.valueOf(
                    "REDUCE_"
                            + (minimum ? "MIN_" : "MAX_")
                            + (instruction.type().isSigned() ? "S32" : "U32"));
        }
        return instruction.has(Modifier.ADD)
                ? Operation.REDUCE_ADD
                : instruction.has(Modifier.AND)
                        ? Operation.REDUCE_AND
                        : instruction.has(Modifier.OR) ? Operation.REDUCE_OR : Operation.REDUCE_XOR;
    }
}

package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_Integer;
import static java.lang.constant.ConstantDescs.CD_int;

import facet.jit.emit.Vectorization.Way;
import facet.ptx.Instruction;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/** Instructions that some lanes of a row do: those that have parted, or whose guard says so. */
final class MaskedRuns {
    private static final MethodTypeDesc TRAILING_ZEROS = MethodTypeDesc.of(CD_int, CD_int);

    private final VectorUnit unit;
    private final CodeBuilder code;
    private final Vectorization ways;
    private final MaskedSections masked;

    MaskedRuns(VectorUnit unit, Vectorization ways, MaskedSections masked) {
        this.unit = unit;
        this.code = unit.code;
        this.ways = ways;
        this.masked = masked;
    }

    /** A store of the lanes whose guard says so. */
    void guardedRow(Instruction instruction, BitSet live) {
        Instruction.Guard guard = Objects.requireNonNull(instruction.guard());
        Label nobody = code.newLabel();
        int bits = code.allocateLocal(TypeKind.INT);
        unit.registers.push(guard.predicate(), "Pred");
        if (guard.negated()) {
            code.loadConstant(unit.allLanes()).ixor();
        }
        code.istore(bits).iload(bits).ifeq(nobody);
        unit.line(instruction);
        new MaskedAccesses(unit, () -> code.iload(bits))
                .emit(instruction, () -> unit.byLane(List.of(instruction), live));
        code.labelBinding(nobody);
    }

    /** For lanes that have parted from others; what accesses memory goes lane by lane. */
    void straight(int from, int to) {
        RowOperations operations = new RowOperations(unit, Copies.NONE);
        unit.groups.begin(AccessGroups.NONE);
        int i = from;
        while (i < to) {
            Instruction instruction = unit.body.instructions().get(i);
            BitSet live = unit.plan.liveness().liveBefore(i);
            if (isRow(instruction)) {
                List<Instruction> one = List.of(instruction);
                new MaskedAccesses(unit, masked::pushMask)
                        .emit(instruction, () -> unit.byLane(one, live));
                i++;
                continue;
            }
            if (way(instruction) == Way.LANES) {
                int end = i + 1;
                while (end < to
                        && way(unit.body.instructions().get(end)) == Way.LANES
                        && !isRow(unit.body.instructions().get(end))) {
                    end++;
                }
                unit.byLane(unit.body.instructions().subList(i, end), live);
                i = end;
                continue;
            }
            unit.line(instruction);
            if (way(instruction) == Way.VECTOR) {
                unit.dispatch.guarded(instruction, () -> operations.emit(instruction));
            } else if (isAccess(instruction)) {
                // A fault is one of the lanes that are here.
                unit.blaming(
                        () -> {
                            masked.pushMask();
                            code.invokestatic(CD_Integer, "numberOfTrailingZeros", TRAILING_ZEROS);
                        },
                        () -> unit.dispatch.emit(instruction));
            } else {
                unit.dispatch.emit(instruction);
            }
            i++;
        }
    }

    private Way way(Instruction instruction) {
        Way way = ways.way(instruction);
        return way == Way.VECTOR && isAccess(instruction) ? Way.LANES : way;
    }

    private boolean isRow(Instruction instruction) {
        return isAccess(instruction)
                && ways.way(instruction) == Way.VECTOR
                && MaskedAccesses.handles(instruction);
    }

    private static boolean isAccess(Instruction instruction) {
        return switch (instruction.opcode()) {
            case LD, LDU, ST -> true;
            default -> false;
        };
    }
}

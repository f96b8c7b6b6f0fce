package facet.ptx.flow;

import facet.ptx.Instruction;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.flow.ControlFlow.Block;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which registers and branches are the same in all threads that run together.
 *
 * <p>One {@link Shape} a register, the join over its definitions; {@link ShapeTransfer} has the
 * table of instructions. A branch on a value that is not uniform diverges, and what {@link
 * Divergence} says of it makes registers varying; both are repeated until nothing changes. A
 * register that may be read before it is written is varying.
 *
 * <p>Together means: threads that diverge at a branch join again at its immediate post dominator.
 * {@link #of} compares all threads of a block. {@link #alongX} compares threads of one row, in
 * which {@code %tid.y} and {@code %tid.z} are the same: right for a group of threads that never
 * crosses rows.
 */
public final class Uniformity {
    private final ControlFlow flow;
    private final @Nullable Shape[] shapes;
    private final BitSet divergent = new BitSet();
    private final BitSet divergentBranches = new BitSet();
    private final ShapeTransfer transfer;

    private Uniformity(ControlFlow flow, boolean rows) {
        this.flow = flow;
        // One more for the carry flag CC.CF.
        shapes = new Shape[flow.body().registers().size() + 1];
        transfer = new ShapeTransfer(flow.body(), rows, shapes);
    }

    public static Uniformity of(ControlFlow flow) {
        return solved(new Uniformity(flow, false));
    }

    public static Uniformity alongX(ControlFlow flow) {
        return solved(new Uniformity(flow, true));
    }

    private static Uniformity solved(Uniformity uniformity) {
        uniformity.solve();
        return uniformity;
    }

    private void solve() {
        Liveness liveness = Liveness.of(flow);
        Dominators postDominators = flow.postDominators();
        liveness.liveIn(0).stream().forEach(id -> shapes[id] = Shape.VARYING);
        boolean changed = true;
        while (changed) {
            propagate();
            changed = false;
            for (Block block : flow.blocks()) {
                int index = block.index();
                if (!divergentBranches.get(index) && diverges(block)) {
                    divergentBranches.set(index);
                    changed = true;
                    spread(Divergence.of(flow, postDominators, index), liveness);
                }
            }
        }
    }

    private void propagate() {
        int[] order = flow.reversePostOrder();
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int block : order) {
                Block each = flow.blocks().get(block);
                for (int i = each.start(); i < each.end(); i++) {
                    changed |= define(flow.body().instructions().get(i));
                }
            }
        }
    }

    private boolean define(Instruction instruction) {
        boolean changed = false;
        if (transfer.writesCarry(instruction)) {
            changed = raise(shapes.length - 1, transfer.carry(instruction));
        }
        List<Register> definitions = DefUse.definitions(instruction);
        if (definitions.isEmpty()) {
            return changed;
        }
        Shape shape = transfer.result(instruction);
        Instruction.Guard guard = instruction.guard();
        if (guard != null && shape != null) {
            Shape chosen = shapes[guard.predicate().id()];
            shape = chosen == null ? null : chosen.isUniform() ? shape : Shape.VARYING;
        }
        if (shape == null) {
            return changed;
        }
        for (Register register : definitions) {
            boolean scalar = register.lanes() == 1;
            changed |= raise(register.id(), scalar || shape.isUniform() ? shape : Shape.VARYING);
        }
        return changed;
    }

    private boolean raise(int id, @Nullable Shape shape) {
        Shape old = shapes[id];
        if (shape == null || shape.equals(old)) {
            return false;
        }
        Shape joined = old == null ? shape : old.join(shape);
        shapes[id] = joined;
        return !joined.equals(old);
    }

    /** Whether threads may leave the block in different directions. */
    private boolean diverges(Block block) {
        if (block.end() == block.start()) {
            return false;
        }
        Instruction last = flow.body().instructions().get(block.end() - 1);
        return switch (last.opcode()) {
            case BRA, RET, EXIT, TRAP -> isGuardVarying(last);
            case BRX -> isGuardVarying(last) || !isUniform(shapeOf(last.operand(0)));
            default -> false;
        };
    }

    private boolean isGuardVarying(Instruction instruction) {
        Instruction.Guard guard = instruction.guard();
        return guard != null && !isUniform(shapes[guard.predicate().id()]);
    }

    private static boolean isUniform(@Nullable Shape shape) {
        return shape == null || shape.isUniform();
    }

    private void spread(Divergence divergence, Liveness liveness) {
        divergent.or(divergence.region());
        BitSet defined = new BitSet();
        divergence.region().stream()
                .forEach(block -> {
                    Block each = flow.blocks().get(block);
                    for (int i = each.start(); i < each.end(); i++) {
                        Instruction instruction = flow.body().instructions().get(i);
                        DefUse.definitions(instruction)
                                .forEach(register -> defined.set(register.id()));
                        if (transfer.writesCarry(instruction)) {
                            shapes[shapes.length - 1] = Shape.VARYING;
                        }
                    }
                });
        divergence.meetings().stream()
                .forEach(block -> {
                    BitSet met = liveness.liveIn(block);
                    met.and(defined);
                    met.stream().forEach(id -> shapes[id] = Shape.VARYING);
                });
    }

    /** The shape wherever the register is read; varying for one that is never written. */
    public Shape shapeOf(Register register) {
        Shape shape = shapes[register.id()];
        return shape == null ? Shape.VARYING : shape;
    }

    /** The shape of a source operand; of an address, that of base plus offset. */
    public Shape shapeOf(Operand operand) {
        Shape shape = transfer.source(operand);
        return shape == null ? Shape.VARYING : shape;
    }

    /** The shape of the first address among the operands, in bytes. */
    public Shape addressShape(int instructionIndex) {
        for (Operand operand : flow.body().instructions().get(instructionIndex).operands()) {
            if (operand instanceof Operand.Address) {
                return shapeOf(operand);
            }
        }
        return Shape.VARYING;
    }

    /** Whether some threads may run the block without the others, early exits included. */
    public boolean divergent(int block) {
        return divergent.get(block);
    }

    /** Whether threads may leave the block in different directions. */
    public boolean divergentBranch(int block) {
        return divergentBranches.get(block);
    }

    @Override
    public String toString() {
        return Arrays.toString(shapes) + " divergent " + divergent;
    }
}

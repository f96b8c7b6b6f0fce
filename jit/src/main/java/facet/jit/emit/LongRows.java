package facet.jit.emit;

import facet.jit.emit.Vectorization.Way;
import facet.jit.pass.LaneShapes;
import facet.jit.pass.Neighbours;
import facet.jit.pass.Sections;
import facet.jit.pass.Synchronization;
import facet.jit.pass.WarpOrder;
import facet.jit.runtime.Lanes;
import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.SpecialRegister;
import facet.ptx.Type;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import facet.ptx.flow.ControlFlow;
import facet.ptx.flow.DefUse;
import facet.ptx.flow.Liveness;
import facet.ptx.flow.Shape;
import java.util.BitSet;

/**
 * How many threads a row may have beyond {@link Lanes#WIDE}. A row does its whole loop before the
 * next one begins. Where threads step through memory by the size of the grid, rows of few threads
 * touch a little of every page, one row after the other; long ones go through it nearly as it lies.
 *
 * <p>Only of kernels in which threads have nothing to do with each other and all of a row go the
 * same way, by an index: bits for lanes that part are an int's, and warps are no longer than it.
 */
final class LongRows {
    /** Vectors that the values of a row may take at a time: registers are few. */
    private static final int MOST_VECTORS = Lanes.COUNT < 16 ? 12 : 24;

    /** Bytecodes of a method. It is slow until C2 has compiled it, the more so the longer it is. */
    private static final int MOST_CODE = Emitter.METHOD_LIMIT / 2;

    /** Of one vector operation. */
    private static final int VECTOR_CODE = 40;

    private static final int ONCE_CODE = 16;

    private final Body body;
    private final LaneShapes shapes;
    private final Vectorization ways;

    LongRows(Body body, Sections sections, Vectorization ways) {
        this.body = body;
        this.shapes = sections.shapes();
        this.ways = ways;
    }

    /** The most threads that a row of this body may have, of so many that would fit its blocks. */
    int lanes(int fitting) {
        int lanes = fitting;
        if (lanes > Lanes.WIDE && !isSimple()) {
            return Lanes.WIDE;
        }
        int live = lanes > Lanes.WIDE ? mostLive() : 0;
        while (lanes > Lanes.WIDE
                && (live * (lanes / Lanes.COUNT) > MOST_VECTORS
                        || length(lanes) > MOST_CODE
                        || !quotientsAgree(lanes))) {
            lanes /= 2;
        }
        return lanes;
    }

    /** About how many bytecodes the body takes. */
    private int length(int lanes) {
        return body.instructions().stream()
                .mapToInt(each ->
                        switch (ways.way(each)) {
                            case VECTOR -> VECTOR_CODE * vectors(each, lanes);
                            case LANES -> 3 * VECTOR_CODE * lanes / Lanes.COUNT;
                            case ONCE -> ONCE_CODE;
                        })
                .sum();
    }

    private int vectors(Instruction instruction, int lanes) {
        boolean access =
                instruction.operands().stream().anyMatch(Operand.Address.class::isInstance);
        if (!access || ways.copies().isLoad(instruction)) {
            return access ? 1 : 2 * lanes / Lanes.COUNT;
        }
        int value = instruction.opcode() == Opcode.ST ? 1 : 0;
        int count = Addresses.elements(instruction.operand(value)).size();
        int bytes = Math.multiplyExact(lanes, instruction.type().bytes(count));
        int vectors = bytes / (Lanes.COUNT * Integer.BYTES);
        // What is parted into its values is brought into another order twice.
        return ways.copies().loadOf(instruction) != null ? 2 * vectors : Math.max(4, 4 * vectors);
    }

    private boolean isSimple() {
        BitSet ofBlock = ofBlock();
        return body.instructions().stream().allMatch(each -> isSimple(each, ofBlock))
                && body.registers().stream()
                        .noneMatch(each -> each.type() == Type.PRED && shapes.of(each).isVarying())
                && WarpOrder.cuts(body).isEmpty()
                && Neighbours.cuts(body).isEmpty()
                && (isPlain() || streams());
    }

    private boolean isSimple(Instruction instruction, BitSet ofBlock) {
        boolean meets = Synchronization.isMeeting(instruction);
        return (!meets || instruction.opcode() == Opcode.BAR)
                && instruction.space() != Space.LOCAL
                && (instruction.guard() == null
                        || shapes.of(instruction.guard().predicate()).isUniform())
                && (!shapes.isEndTest(instruction)
                        || DefUse.uses(instruction).stream()
                                .anyMatch(each -> ofBlock.get(each.id())))
                && instruction.operands().stream().noneMatch(LongRows::tellsWarp);
    }

    /**
     * Registers that depend on which block it is. A comparison of these seldom parts a row; one of
     * the thread's number alone does in every block, where rows are long.
     */
    private BitSet ofBlock() {
        BitSet found = new BitSet();
        boolean changed = true;
        while (changed) {
            int before = found.cardinality();
            Work.steps(body.instructions().size());
            for (Instruction instruction : body.instructions()) {
                boolean depends =
                        DefUse.uses(instruction).stream().anyMatch(each -> found.get(each.id()))
                                || instruction.operands().stream().anyMatch(LongRows::isBlock);
                if (depends) {
                    DefUse.definitions(instruction).forEach(each -> found.set(each.id()));
                }
            }
            changed = found.cardinality() != before;
        }
        return found;
    }

    private static boolean isBlock(Operand operand) {
        return operand instanceof Operand.Special special
                && special.register() == SpecialRegister.CTAID;
    }

    /** Whether threads neither meet nor do anything one by one. */
    private boolean isPlain() {
        return body.instructions().stream()
                .noneMatch(each ->
                        Synchronization.isMeeting(each)
                                || ways.way(each) == Way.LANES
                                || each.space() != null && each.space().isShared());
    }

    /** Whether there is a loop in which rows access memory of the context. */
    private boolean streams() {
        for (int i = 0; i < body.instructions().size(); i++) {
            for (int target : Synchronization.targets(body, body.instructions().get(i))) {
                if (target <= i
                        && body.instructions().subList(target, i).stream()
                                .anyMatch(each ->
                                        each.space() == Space.GLOBAL
                                                && ways.way(each) == Way.VECTOR)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean tellsWarp(Operand operand) {
        return operand instanceof Operand.Special special
                && special.register() != SpecialRegister.TID
                && special.register() != SpecialRegister.NTID
                && special.register() != SpecialRegister.CTAID
                && special.register() != SpecialRegister.NCTAID;
    }

    /** Whether quotients by a constant can be the same in a row of so many. */
    private boolean quotientsAgree(int lanes) {
        return body.instructions().stream()
                .filter(shapes::isEndResult)
                .allMatch(each ->
                        !(each.operand(2) instanceof Operand.IntegerImmediate by)
                                || shapes.of(each.operand(1)) instanceof Shape.Affine affine
                                        && LaneShapes.isCoarse(each, affine, by.value(), lanes));
    }

    /** Vectors of {@link Lanes#COUNT} values that are there at a time, without what is copied. */
    private int mostLive() {
        Liveness liveness = Liveness.of(ControlFlow.of(body));
        int most = 0;
        for (int i = 0; i < body.instructions().size(); i++) {
            Instruction instruction = body.instructions().get(i);
            BitSet live = (BitSet) liveness.liveBefore(i).clone();
            Work.steps(1 + live.size() / Long.SIZE);
            DefUse.definitions(instruction).forEach(each -> live.set(each.id()));
            most = Math.max(most, live.stream().map(this::vectors).sum());
        }
        return most;
    }

    private int vectors(int id) {
        Register register = body.registers().get(id);
        return !shapes.of(register).isVarying() || ways.copies().isCopied(register)
                ? 0
                : register.type().bits() == 64 ? 2 : 1;
    }
}

package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Type;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import facet.ptx.flow.DefUse;
import facet.ptx.flow.Shape;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How registers differ between neighbouring threads of a row that run in lockstep.
 *
 * <p>This says nothing about threads that took different ways: vector code leaves for scalar code
 * as soon as its threads would part, and looks again at what it takes for uniform when it comes
 * back. So only data counts, and a load from one address gives one value.
 */
public final class LaneShapes {
    private static final int LONGEST_ROW = 32;

    private final Body body;
    private final @Nullable Shape[] shapes;
    private final Set<Instruction> parted;

    private LaneShapes(Body body, Set<Instruction> parted) {
        this.body = body;
        this.shapes = new Shape[body.registers().size()];
        this.parted = parted;
    }

    public static LaneShapes of(Body body) {
        return of(body, Set.of(), new BitSet());
    }

    /**
     * @param parted instructions, by identity, that may be run for some lanes alone: nothing is
     *     decided there by the ends of a row
     * @param varying registers, by number, that lanes leave with different values
     */
    static LaneShapes of(Body body, Set<Instruction> parted, BitSet varying) {
        LaneShapes analysis = new LaneShapes(body, parted);
        varying.stream().forEach(id -> analysis.shapes[id] = Shape.VARYING);
        boolean changed = true;
        while (changed) {
            changed = false;
            Work.steps(body.instructions().size());
            for (Instruction instruction : body.instructions()) {
                changed |= analysis.update(instruction);
            }
        }
        return analysis;
    }

    public Shape of(Register register) {
        Shape shape = shapes[register.id()];
        return shape == null ? Shape.UNIFORM : shape;
    }

    public Shape of(Operand operand) {
        return switch (operand) {
            case Register register -> of(register);
            case Operand.NotPredicate not -> of(not.predicate());
            case Operand.Special special -> special(special);
            case Operand.IntegerImmediate ignored -> Shape.UNIFORM;
            case Operand.FloatImmediate ignored -> Shape.UNIFORM;
            case Operand.Symbol ignored -> Shape.UNIFORM;
            case Operand.Address address ->
                    address.base() == null ? Shape.UNIFORM : of(address.base());
            case Operand.Vector vector -> all(vector.elements());
            case Operand.Indexed indexed -> all(indexed.elements());
            case Operand.Element _, Operand.PredicatePair _, Operand.Arguments _, Operand.Sink _ ->
                    Shape.VARYING;
        };
    }

    private Shape all(List<Operand> operands) {
        return operands.stream().allMatch(each -> of(each).isUniform())
                ? Shape.UNIFORM
                : Shape.VARYING;
    }

    private static Shape special(Operand.Special special) {
        return switch (special.register()) {
            case TID ->
                    switch (special.lane()) {
                        case 0 -> Shape.affine(1, true);
                        case Operand.Special.WHOLE -> Shape.VARYING;
                        default -> Shape.UNIFORM;
                    };
            case LANEID -> Shape.affine(1, true);
            case LANEMASK_EQ, LANEMASK_GE, LANEMASK_GT, LANEMASK_LE, LANEMASK_LT -> Shape.VARYING;
            default -> Shape.UNIFORM;
        };
    }

    private boolean update(Instruction instruction) {
        boolean changed = false;
        List<Register> definitions = DefUse.definitions(instruction);
        if (definitions.isEmpty()) {
            return false;
        }
        Shape result = result(instruction);
        if (instruction.guard() != null && !of(instruction.guard().predicate()).isUniform()) {
            result = Shape.VARYING;
        }
        for (Register register : definitions) {
            Shape old = shapes[register.id()];
            Shape now = old == null ? result : old.equals(result) ? old : Shape.VARYING;
            changed |= !now.equals(old);
            shapes[register.id()] = now;
        }
        return changed;
    }

    private Shape result(Instruction instruction) {
        return switch (instruction.opcode()) {
            case MOV -> move(instruction);
            case CVTA -> of(instruction.operand(1));
            case ADD -> isLinear(instruction) ? sum(instruction, 1) : uniform(instruction);
            case SUB -> isLinear(instruction) ? sum(instruction, -1) : uniform(instruction);
            case NOT, NEG -> isLinear(instruction) ? negated(instruction) : uniform(instruction);
            case DIV, SHR -> isEndResult(instruction) ? Shape.UNIFORM : uniform(instruction);
            case REM ->
                    isEndResult(instruction) ? of(instruction.operand(1)) : uniform(instruction);
            case MUL -> multiply(instruction);
            case MAD -> multiplyAdd(instruction);
            case SHL ->
                    isLinear(instruction)
                                    && instruction.operand(2) instanceof Operand.IntegerImmediate by
                                    && by.value() >= 0
                                    && by.value() < 31
                            ? scale(of(instruction.operand(1)), 1L << by.value())
                            : uniform(instruction);
            case CVT -> convert(instruction);
            case SETP -> isEndTest(instruction) ? Shape.UNIFORM : uniform(instruction);
            case SELP ->
                    of(instruction.operand(3)).isUniform()
                                    && of(instruction.operand(1)).equals(of(instruction.operand(2)))
                            ? of(instruction.operand(1))
                            : Shape.VARYING;
            case LD, LDU -> load(instruction);
            case ATOM, CALL, MBARRIER, ALLOCA, STACKSAVE -> Shape.VARYING;
            default ->
                    Synchronization.isMeeting(instruction) ? Shape.VARYING : uniform(instruction);
        };
    }

    /** Parts of an affine value are not affine. */
    private Shape move(Instruction instruction) {
        boolean parts =
                instruction.operand(0) instanceof Operand.Vector || instruction.type().bits() == 16;
        return parts ? uniform(instruction) : of(instruction.operand(1));
    }

    private Shape uniform(Instruction instruction) {
        List<Operand> operands = instruction.operands();
        return all(operands.subList(1, operands.size()));
    }

    /** Integer arithmetic of 32 or 64 bits, where strides can be added. */
    private static boolean isLinear(Instruction instruction) {
        Type type = instruction.type();
        return !type.isFloat()
                && !type.isPacked()
                && (type.bits() == 32 || type.bits() == 64)
                && !instruction.has(Modifier.SAT)
                && !instruction.has(Modifier.CC);
    }

    private static @Nullable Long stride(Shape shape) {
        return switch (shape) {
            case Shape.Uniform ignored -> 0L;
            case Shape.Affine affine -> affine.stride();
            case Shape.Varying ignored -> null;
        };
    }

    private static Shape affine(@Nullable Long a, @Nullable Long b, long sign) {
        if (a == null || b == null || Math.abs(a + sign * b) >= 1 << 20) {
            return Shape.VARYING;
        }
        return Shape.affine(a + sign * b, true);
    }

    private Shape sum(Instruction instruction, long sign) {
        return affine(stride(of(instruction.operand(1))), stride(of(instruction.operand(2))), sign);
    }

    private static Shape scale(Shape shape, long by) {
        Long stride = stride(shape);
        boolean huge = stride != null && stride != 0 && Math.abs(by) >= 1 << 20;
        return stride == null || huge ? Shape.VARYING : Shape.affine(stride * by, true);
    }

    private Shape product(Instruction instruction) {
        Operand a = instruction.operand(1);
        Operand b = instruction.operand(2);
        if (of(a).isUniform() && of(b).isUniform()) {
            return Shape.UNIFORM;
        }
        if (b instanceof Operand.IntegerImmediate by) {
            return scale(of(a), factor(instruction, by.value()));
        }
        return a instanceof Operand.IntegerImmediate by
                ? scale(of(b), factor(instruction, by.value()))
                : Shape.VARYING;
    }

    /** A constant factor as the instruction reads it, which matters where the product is wider. */
    private static long factor(Instruction instruction, long value) {
        if (!instruction.has(Modifier.WIDE)) {
            return value;
        }
        return instruction.type().isSigned() ? (int) value : value & 0xffff_ffffL;
    }

    private Shape multiply(Instruction instruction) {
        boolean lo = instruction.has(Modifier.LO) && isLinear(instruction);
        boolean wide =
                instruction.has(Modifier.WIDE)
                        && instruction.type().bits() == 32
                        && !parted.contains(instruction);
        return lo || wide ? product(instruction) : uniform(instruction);
    }

    private Shape multiplyAdd(Instruction instruction) {
        boolean lo = instruction.has(Modifier.LO) && isLinear(instruction);
        boolean wide =
                instruction.has(Modifier.WIDE)
                        && instruction.type().bits() == 32
                        && !parted.contains(instruction);
        return lo || wide
                ? affine(stride(product(instruction)), stride(of(instruction.operand(3))), 1)
                : uniform(instruction);
    }

    private Shape convert(Instruction instruction) {
        Type to = instruction.type();
        Type from = instruction.typeAt(1);
        boolean integers =
                from != null
                        && !to.isFloat()
                        && !from.isFloat()
                        && to.bits() >= 32
                        && from.bits() >= 32
                        && (to.bits() <= from.bits() || !parted.contains(instruction));
        return integers && !instruction.has(Modifier.SAT)
                ? of(instruction.operand(1))
                : uniform(instruction);
    }

    /** Whether the value of an affine register changes its width, so that it must not wrap. */
    public boolean isWidening(Instruction instruction) {
        if (parted.contains(instruction)) {
            return false;
        }
        if (instruction.opcode() == Opcode.MUL || instruction.opcode() == Opcode.MAD) {
            return instruction.has(Modifier.WIDE)
                    && (of(instruction.operand(1)) instanceof Shape.Affine
                            || of(instruction.operand(2)) instanceof Shape.Affine);
        }
        Type from = instruction.typeAt(1);
        return instruction.opcode() == Opcode.CVT
                && from != null
                && instruction.type().bits() > from.bits()
                && of(instruction.operand(1)) instanceof Shape.Affine;
    }

    /** A comparison of an affine with a uniform value: its ends decide for all between. */
    public boolean isEndTest(Instruction instruction) {
        if (instruction.opcode() != Opcode.SETP
                || instruction.operands().size() != 3
                || parted.contains(instruction)) {
            return false;
        }
        Type type = instruction.type();
        Shape a = of(instruction.operand(1));
        Shape b = of(instruction.operand(2));
        boolean one = isGentle(a) && b.isUniform() || isGentle(b) && a.isUniform();
        return one
                && !type.isFloat()
                && type.bits() >= 32
                && instruction.operand(0) instanceof Register;
    }

    /** {@code ~x} is {@code -x - 1}. */
    private Shape negated(Instruction instruction) {
        return affine(0L, stride(of(instruction.operand(1))), -1);
    }

    /**
     * An affine value divided by a uniform one, or shifted right: when the ends of a row have the
     * same quotient, all between have, and remainders differ as the values do.
     */
    public boolean isEndResult(Instruction instruction) {
        boolean division = instruction.opcode() == Opcode.DIV || instruction.opcode() == Opcode.REM;
        return (division || instruction.opcode() == Opcode.SHR)
                && !instruction.type().isFloat()
                && !instruction.type().isPacked()
                && instruction.type().bits() == 32
                && !parted.contains(instruction)
                && of(instruction.operand(1)) instanceof Shape.Affine affine
                && isGentle(affine)
                && (instruction.operand(2) instanceof Operand.IntegerImmediate by
                        ? isCoarse(instruction, affine, by.value(), LONGEST_ROW)
                        : division && of(instruction.operand(2)).isUniform());
    }

    /** Whether quotients, or what is left of a shift, can be the same in a row at all. */
    public static boolean isCoarse(
            Instruction instruction, Shape.Affine affine, long by, int lanes) {
        boolean division = instruction.opcode() != Opcode.SHR;
        long divisor = division ? Math.abs((long) (int) by) : by >= 0 && by < 31 ? 1L << by : 0;
        return Math.abs(affine.stride()) * lanes <= divisor; // bounded: a stride is gentle
    }

    /** A stride so small that a row of lanes spans no more than an int. */
    public static boolean isGentle(Shape shape) {
        return shape instanceof Shape.Affine affine && Math.abs(affine.stride()) < 1 << 20;
    }

    /** Whether the memory is the thread's own, so that one address means many places. */
    public boolean isPrivate(Instruction instruction, Operand.Address address) {
        Space space = instruction.space();
        if (space == null || space == Space.LOCAL) {
            return true;
        }
        return space.isParam()
                && !(address.base() instanceof Operand.Symbol symbol
                        && body.function().parameters().stream()
                                .anyMatch(each -> each.name().equals(symbol.name())));
    }

    private Shape load(Instruction instruction) {
        Operand.Address address = (Operand.Address) instruction.operand(1);
        boolean one = of(address).isUniform() && !isPrivate(instruction, address);
        return one && !Synchronization.isObservation(instruction) ? Shape.UNIFORM : Shape.VARYING;
    }
}

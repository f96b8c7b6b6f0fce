package facet.ptx.flow;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a result from the shapes of the sources.
 *
 * <pre>
 * %tid.x                                    Affine(1)
 * %tid.y %tid.z                             Varying; Uniform along x
 * %laneid %warpid %smid %clock… masks       Varying
 * other special registers, constants        Uniform
 * address of .local or a call's .param      Varying; of other variables Uniform
 * add sub neg not                           sum, difference, negation of strides
 * mul.lo mad.lo shl by a constant           stride times the constant
 * mul.wide mad.wide by a constant           the same, inexact
 * cvt, integers of 32 and 64 bits           stride kept; inexact when it widens
 * cvta, mov                                 kept; Varying for .local
 * selp                                      join of both where the predicate is uniform
 * ld.const ld.global.nc ldu ld.param        Uniform where the address is; .param of kernels only
 * other ld, atom, shfl, vote, match, call   Varying
 * bar.red of the whole block                Uniform
 * everything else                           Uniform where all sources are, else Varying
 * </pre>
 *
 * A null shape is that of a register not reached yet.
 */
final class ShapeTransfer {
    private final Body body;
    private final @Nullable Shape[] shapes;
    private final ShapeSources sources;

    /**
     * @param rows whether threads of one row are compared
     * @param shapes by register, then that of the carry flag; read, never written
     */
    ShapeTransfer(Body body, boolean rows, @Nullable Shape[] shapes) {
        this.body = body;
        this.shapes = shapes;
        sources = new ShapeSources(body, rows, shapes);
    }

    boolean writesCarry(Instruction instruction) {
        return instruction.has(Modifier.CC);
    }

    @Nullable Shape carry(Instruction instruction) {
        Shape shape = ifAllUniform(instruction);
        boolean guarded = instruction.guard() != null;
        return guarded ? Shape.VARYING : shape;
    }

    @Nullable Shape result(Instruction instruction) {
        return switch (instruction.opcode()) {
            case MOV -> move(instruction);
            case CVTA -> addressOf(instruction);
            case ADD -> linear(instruction) ? add(instruction, 1) : ifAllUniform(instruction);
            case SUB -> linear(instruction) ? add(instruction, -1) : ifAllUniform(instruction);
            case NEG, NOT ->
                    linear(instruction)
                            ? scale(source(instruction.operand(1)), -1, true)
                            : ifAllUniform(instruction);
            case MUL -> multiply(instruction);
            case MAD -> multiplyAdd(instruction);
            case SHL -> shiftLeft(instruction);
            case CVT -> convert(instruction);
            case SELP -> select(instruction);
            case LD, LDU -> load(instruction);
            case BAR, BARRIER -> instruction.operands().size() == 3 ? Shape.UNIFORM : Shape.VARYING;
            case ADDC, SUBC, MADC -> {
                Shape carry = shapes[shapes.length - 1];
                yield carry != null && !carry.isUniform()
                        ? Shape.VARYING
                        : ifAllUniform(instruction);
            }
            case ATOM,
                    SHFL,
                    VOTE,
                    MATCH,
                    ACTIVEMASK,
                    REDUX,
                    ELECT,
                    MBARRIER,
                    CALL,
                    ALLOCA,
                    STACKSAVE,
                    TEX,
                    TLD4,
                    SULD,
                    WMMA,
                    MMA,
                    LDMATRIX,
                    MOVMATRIX,
                    WGMMA,
                    TCGEN05,
                    MULTIMEM ->
                    Shape.VARYING;
            default -> ifAllUniform(instruction);
        };
    }

    /** Integer arithmetic that wraps around: an affine value stays one. */
    private static boolean linear(Instruction instruction) {
        Type type = instruction.typeAt(0);
        return type != null
                && !type.isFloat()
                && !type.isPacked()
                && type.bits() >= 16
                && !instruction.has(Modifier.SAT);
    }

    private @Nullable Shape move(Instruction instruction) {
        Operand source = instruction.operand(1);
        boolean packs =
                source instanceof Operand.Vector
                        || instruction.operand(0) instanceof Operand.Vector;
        Type type = instruction.typeAt(0);
        boolean cut =
                source instanceof Operand.Special special
                        && type != null
                        && type.bits() < special.register().type().bits();
        return packs || cut ? ifAllUniform(instruction) : source(source);
    }

    private @Nullable Shape addressOf(Instruction instruction) {
        return instruction.space() == Space.LOCAL ? Shape.VARYING : source(instruction.operand(1));
    }

    private @Nullable Shape add(Instruction instruction, int sign) {
        Shape first = source(instruction.operand(1));
        Shape second = source(instruction.operand(2));
        return fit(sum(first, scale(second, sign, true)), instruction.type().bits());
    }

    /** Strides of a narrow value count modulo its width; the signed one is what widening wants. */
    private static @Nullable Shape fit(@Nullable Shape shape, int bits) {
        if (!(shape instanceof Shape.Affine affine)) {
            return shape;
        }
        int unused = 64 - bits;
        return Shape.affine(affine.stride() << unused >> unused, affine.exact());
    }

    private static @Nullable Shape sum(@Nullable Shape a, @Nullable Shape b) {
        if (a == null || b == null) {
            return null;
        }
        // Two inexact ones may wrap at different threads, which their ends would not show.
        if (a.isVarying() || b.isVarying() || !exact(a) && !exact(b)) {
            return Shape.VARYING;
        }
        return Shape.affine(stride(a) + stride(b), exact(a) && exact(b));
    }

    private static @Nullable Shape scale(@Nullable Shape shape, long factor, boolean exact) {
        if (!(shape instanceof Shape.Affine affine)) {
            return shape;
        }
        return Shape.affine(affine.stride() * factor, exact && affine.exact());
    }

    private static long stride(Shape shape) {
        return shape instanceof Shape.Affine affine ? affine.stride() : 0;
    }

    private static boolean exact(Shape shape) {
        return !(shape instanceof Shape.Affine affine) || affine.exact();
    }

    private @Nullable Shape multiply(Instruction instruction) {
        return product(instruction, instruction.operand(1), instruction.operand(2));
    }

    private @Nullable Shape product(Instruction instruction, Operand first, Operand second) {
        boolean wide = instruction.has(Modifier.WIDE);
        Long right = sources.constant(second);
        Long constant = right != null ? right : sources.constant(first);
        if (!linear(instruction) || !(wide || instruction.has(Modifier.LO)) || constant == null) {
            return ShapeSources.bothUniform(source(first), source(second));
        }
        Shape other = source(right != null ? first : second);
        long factor = constant;
        Type type = instruction.typeAt(0);
        if (wide && type != null && factor != truncate(factor, type)) {
            return ShapeSources.bothUniform(other, other);
        }
        Shape scaled = scale(other, factor, !wide);
        return wide || type == null ? scaled : fit(scaled, type.bits());
    }

    private static long truncate(long value, Type type) {
        int shift = 64 - type.bits();
        return type.isSigned() ? value << shift >> shift : value << shift >>> shift;
    }

    private @Nullable Shape multiplyAdd(Instruction instruction) {
        if (!linear(instruction) || instruction.has(Modifier.HI)) {
            return ifAllUniform(instruction);
        }
        Shape product = product(instruction, instruction.operand(1), instruction.operand(2));
        Shape sum = sum(product, source(instruction.operand(3)));
        return instruction.has(Modifier.WIDE) ? sum : fit(sum, instruction.type().bits());
    }

    private @Nullable Shape shiftLeft(Instruction instruction) {
        Long amount = sources.constant(instruction.operand(2));
        if (amount == null || amount < 0 || amount >= instruction.type().bits()) {
            return ifAllUniform(instruction);
        }
        Shape shape = scale(source(instruction.operand(1)), 1L << amount, true);
        return fit(shape, instruction.type().bits());
    }

    private @Nullable Shape convert(Instruction instruction) {
        Type to = instruction.typeAt(0);
        Type from = instruction.typeAt(1);
        Shape shape = source(instruction.operand(1));
        if (!(shape instanceof Shape.Affine affine)) {
            return ifAllUniform(instruction);
        }
        if (to == null || from == null) {
            return Shape.VARYING;
        }
        boolean plain =
                !to.isFloat()
                        && !from.isFloat()
                        && to.bits() >= 32
                        && from.bits() >= 32
                        && !instruction.has(Modifier.SAT)
                        && instruction.operand(0) instanceof Register result
                        && result.type().bits() == to.bits();
        if (!plain) {
            return Shape.VARYING;
        }
        // Reading the low half of a wider register is the same as narrowing it first.
        boolean widens = to.bits() > from.bits();
        Shape kept = Shape.affine(affine.stride(), affine.exact() && !widens);
        return fit(kept, Math.min(to.bits(), from.bits()));
    }

    private @Nullable Shape select(Instruction instruction) {
        Shape chosen = source(instruction.operand(3));
        Shape a = source(instruction.operand(1));
        Shape b = source(instruction.operand(2));
        if (chosen == null || a == null || b == null) {
            return null;
        }
        return chosen.isUniform() ? a.join(b) : Shape.VARYING;
    }

    private @Nullable Shape load(Instruction instruction) {
        Space space = instruction.space();
        boolean constant =
                space == Space.CONST
                        || instruction.opcode() == Opcode.LDU
                        || instruction.has(Modifier.NC)
                        || (space != null && space.isParam() && body.function().kernel());
        if (!constant) {
            return Shape.VARYING;
        }
        Shape address = source(instruction.operand(1));
        return address == null || address.isUniform() ? address : Shape.VARYING;
    }

    private @Nullable Shape ifAllUniform(Instruction instruction) {
        List<Operand> operands = instruction.operands();
        boolean known = true;
        for (int i = DefUse.hasResult(instruction) ? 1 : 0; i < operands.size(); i++) {
            Shape shape = source(operands.get(i));
            if (shape == null) {
                known = false;
            } else if (!shape.isUniform()) {
                return Shape.VARYING;
            }
        }
        return known ? Shape.UNIFORM : null;
    }

    @Nullable Shape source(Operand operand) {
        return sources.of(operand);
    }
}

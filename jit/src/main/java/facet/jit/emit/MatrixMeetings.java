package facet.jit.emit;

import facet.jit.matrix.Element;
import facet.jit.matrix.Fragment;
import facet.jit.matrix.Fragment.Rule;
import facet.jit.matrix.Multiplication;
import facet.jit.matrix.Pointer;
import facet.jit.matrix.Registers;
import facet.jit.matrix.Rounding;
import facet.jit.matrix.Rows;
import facet.jit.matrix.Sparsity;
import facet.jit.matrix.Transfer;
import facet.jit.matrix.Transposition;
import facet.jit.runtime.WarpTask;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Suffix;
import facet.ptx.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Matrix instructions: the registers and addresses of a warp, and what is done with them. */
final class MatrixMeetings {
    private final RegionFlow unit;
    private final Instruction instruction;
    private final int next;
    private int temporaries;

    /**
     * @param next region behind the instruction
     */
    MatrixMeetings(RegionFlow unit, Instruction instruction, int next) {
        this.unit = unit;
        this.instruction = instruction;
        this.next = next;
    }

    static boolean handles(Instruction instruction) {
        return switch (instruction.opcode()) {
            case WMMA, MMA, LDMATRIX, STMATRIX, MOVMATRIX -> true;
            default -> false;
        };
    }

    WarpTask task() {
        return switch (instruction.opcode()) {
            case WMMA -> instruction.has(Modifier.MMA) ? multiplication() : transfer();
            case MMA -> multiplication();
            case LDMATRIX -> new Rows(results(0), false, isTransposed(), pointer(1));
            case STMATRIX -> new Rows(inputs(1, Type.B32), true, isTransposed(), pointer(0));
            case MOVMATRIX -> new Transposition(results(0), inputs(1, Type.B32));
            default -> throw Unit.unsupported(instruction, "no matrix instruction");
        };
    }

    private boolean isTransposed() {
        return instruction.has(Modifier.TRANS);
    }

    // ---- registers

    private Registers results(int operand) {
        List<Integer> slots = new ArrayList<>();
        for (Operand each : Addresses.elements(instruction.operand(operand))) {
            slots.add(
                    switch (each) {
                        case Register register -> unit.slots.of(register, 0);
                        case Operand.Element element ->
                                unit.slots.of(element.register(), element.lane());
                        default -> -1;
                    });
        }
        return new Registers(slots);
    }

    private Registers inputs(int operand, Type type) {
        List<Integer> slots = new ArrayList<>();
        for (Operand each : Addresses.elements(instruction.operand(operand))) {
            slots.add(input(each, type));
        }
        return new Registers(slots);
    }

    /** A register that nobody wrote since the region began is in its slot already. */
    private int input(Operand operand, Type type) {
        boolean wide = type.bits() == 64;
        if (operand instanceof Register register && register.type().bits() == type.bits()) {
            int slot = unit.slots.of(register, 0);
            if (unit.written.get(register.id()) || unit.isStart()) {
                unit.saveOperand(slot, register, wide ? Type.B64 : Type.B32);
            }
            return slot;
        }
        int slot = unit.slots.temporary(next, temporaries++, wide);
        unit.saveOperand(slot, operand, wide ? Type.B64 : Type.B32);
        return slot;
    }

    private Pointer pointer(int operand) {
        Operand.Address address = (Operand.Address) instruction.operand(operand);
        Space space = instruction.space();
        return switch (address.base()) {
            case null -> new Pointer(space, -1, true, address.offset());
            case Register register when register.type().bits() == 32 ->
                    new Pointer(space, input(register, Type.B32), false, address.offset());
            case Operand.Symbol symbol -> {
                Space own = new Symbols(unit).place(symbol.name()).space();
                yield new Pointer(
                        space == null ? own : space,
                        input(symbol, Type.B64),
                        true,
                        address.offset());
            }
            case Operand base -> new Pointer(space, input(base, Type.B64), true, address.offset());
        };
    }

    // ---- shapes

    private record Size(int m, int n, int k) {}

    private Size size() {
        for (Suffix suffix : instruction.suffixes()) {
            String text = suffix.text();
            int n = text.indexOf('n');
            int k = text.indexOf('k');
            if (text.startsWith("m") && n > 0 && k > n && suffix != Modifier.MASK) {
                return new Size(
                        Integer.parseInt(text, 1, n, 10),
                        Integer.parseInt(text, n + 1, k, 10),
                        Integer.parseInt(text, k + 1, text.length(), 10));
            }
        }
        throw Unit.unsupported(instruction, "has no shape");
    }

    /** The n-th layout among the suffixes, A's before B's. */
    private boolean isByColumns(int n) {
        int seen = 0;
        for (Suffix suffix : instruction.suffixes()) {
            if ((suffix == Modifier.ROW || suffix == Modifier.COL) && seen++ == n) {
                return suffix == Modifier.COL;
            }
        }
        throw Unit.unsupported(instruction, "has no layout");
    }

    private Element element(int n) {
        return Element.of(Objects.requireNonNull(instruction.typeAt(n)));
    }

    private int count(int operand) {
        return Addresses.elements(instruction.operand(operand)).size();
    }

    // ---- wmma.load, wmma.store

    private WarpTask transfer() {
        boolean store = instruction.has(Modifier.STORE);
        int list = store ? 1 : 0;
        Element element = element(0);
        Size size = size();
        boolean byColumns = isByColumns(0);
        int depth = size.k / element.width();
        Rule linear = byColumns ? Rule.COLUMNS : Rule.ROWS;
        Fragment fragment =
                instruction.has(Modifier.A)
                        ? Fragment.of(linear, element, size.m, depth, count(list))
                        : instruction.has(Modifier.B)
                                ? Fragment.of(linear, element, depth, size.n, count(list))
                                : Fragment.of(Rule.SUM, element, size.m, size.n, count(list));
        int line = byColumns ? fragment.rows() : fragment.columns();
        Registers registers =
                store
                        ? inputs(
                                list,
                                Objects.requireNonNull(instruction.typeAt(0)) == Type.F64
                                        ? Type.B64
                                        : Type.B32)
                        : results(list);
        Pointer pointer = pointer(store ? 0 : 1);
        boolean given = instruction.operands().size() > 2;
        if (given && instruction.operand(2) instanceof Operand.IntegerImmediate stride) {
            return new Transfer(
                    fragment,
                    registers,
                    store,
                    byColumns,
                    pointer,
                    -1,
                    Integer.toUnsignedLong((int) stride.value()));
        }
        int slot = given ? input(instruction.operand(2), Type.B32) : -1;
        long stride = (long) line * element.width();
        return new Transfer(fragment, registers, store, byColumns, pointer, slot, stride);
    }

    // ---- mma, wmma.mma

    private WarpTask multiplication() {
        Size size = size();
        boolean brief = instruction.typeAt(2) == null;
        Element result = element(0);
        // wmma of f16 names the types of D and C only.
        Element left = brief ? Element.F16 : element(1);
        Element right = brief ? Element.F16 : element(2);
        Element sum = element(brief ? 1 : 3);
        boolean sparse =
                instruction.has(Modifier.SP) || instruction.has(Modifier.SP_ORDERED_METADATA);
        boolean quad = instruction.opcode() == Opcode.MMA && left == Element.F16 && size.m == 8;
        int count = quad ? 4 : 1;
        int depth = size.k / left.width();
        Rule ruleA;
        Rule ruleB;
        Rule ruleC;
        if (quad) {
            ruleA = isByColumns(0) ? Rule.QUAD_A_COL : Rule.QUAD_A_ROW;
            ruleB = isByColumns(1) ? Rule.QUAD_B_COL : Rule.QUAD_B_ROW;
            ruleC = Rule.QUAD_C;
        } else if (instruction.opcode() == Opcode.WMMA) {
            ruleA = isByColumns(0) ? Rule.COLUMNS : Rule.ROWS;
            ruleB = isByColumns(1) ? Rule.COLUMNS : Rule.ROWS;
            ruleC = Rule.SUM;
        } else {
            ruleA = Rule.MMA_A;
            ruleB = Rule.MMA_B;
            ruleC = Rule.MMA_C;
        }
        int depthA = sparse ? depth / 2 : depth;
        Type inputType = left == Element.F64 ? Type.B64 : Type.B32;
        Type sumType = sum == Element.F64 ? Type.B64 : Type.B32;
        return new Multiplication(
                Fragment.of(ruleA, left, size.m * count, depthA, count(1)),
                Fragment.of(ruleB, right, depth * count, size.n, count(2)),
                Fragment.of(ruleC, sum, size.m * count, size.n, count(3)),
                Fragment.of(ruleC, result, size.m * count, size.n, count(0)),
                count,
                results(0),
                inputs(1, inputType),
                inputs(2, inputType),
                inputs(3, sumType),
                new Multiplication.Mode(
                        rounding(),
                        instruction.has(Modifier.SATFINITE),
                        instruction.has(Modifier.XOR)),
                sparse ? sparsity(left, size) : null);
    }

    private Sparsity sparsity(Element element, Size size) {
        int chunk = element == Element.TF32 ? 2 : element.bits() == 4 ? 8 : 4;
        // Four bits for each chunk of 16 rows, 32 of them in a lane, eight groups of lanes.
        int contributors = 16 * size.k / chunk * 4 / 32 / 8;
        Operand.IntegerImmediate selector = (Operand.IntegerImmediate) instruction.operand(5);
        return new Sparsity(
                input(instruction.operand(4), Type.B32), (int) selector.value(), contributors);
    }

    private Rounding rounding() {
        return instruction.has(Modifier.RZ)
                ? Rounding.ZERO
                : instruction.has(Modifier.RM)
                        ? Rounding.DOWN
                        : instruction.has(Modifier.RP) ? Rounding.UP : Rounding.NEAREST;
    }
}

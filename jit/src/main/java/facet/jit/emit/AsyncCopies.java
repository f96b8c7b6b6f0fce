package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import facet.jit.runtime.AsyncCopy;
import facet.jit.runtime.MbarrierUnsafe;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Suffix;
import facet.ptx.Type;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/**
 * {@code cp.async} (PTX ISA 9.7.9.25.3): copies at once, which PTX allows, so that there is nothing
 * to wait for and groups need no record.
 */
final class AsyncCopies {
    private static final ClassDesc COPY = ClassDesc.of(AsyncCopy.class.getName());
    private static final ClassDesc MBARRIER = ClassDesc.of(MbarrierUnsafe.class.getName());

    private final Unit unit;

    AsyncCopies(Unit unit) {
        this.unit = unit;
    }

    void emit(Instruction instruction) {
        if (instruction.has(Modifier.MBARRIER)) {
            arrive(instruction);
        } else if (!instruction.operands().isEmpty()
                && instruction.operand(0) instanceof Operand.Address) {
            copy(instruction);
        }
    }

    /** All copies have ended: with {@code .noinc} one arrival, else one more that is expected. */
    private void arrive(Instruction instruction) {
        new Addresses(unit).pushRaw(instruction, instruction.operand(0), 8);
        if (instruction.has(Modifier.NOINC)) {
            unit.code.iconst_1();
            unit.code.invokestatic(MBARRIER, "arrive", MethodTypeDesc.of(CD_long, CD_long, CD_int));
        }
        unit.code.pop2();
    }

    private void copy(Instruction instruction) {
        int size = (int) ((Operand.IntegerImmediate) instruction.operand(2)).value();
        int into = unit.code.allocateLocal(TypeKind.LONG);
        int bytes = unit.code.allocateLocal(TypeKind.INT);
        Label skip = unit.code.newLabel();
        new Addresses(unit).pushRaw(only(instruction, Space.SHARED), instruction.operand(0), size);
        unit.code.lstore(into);
        pushSourceSize(instruction, size);
        unit.code.istore(bytes);
        unit.code.lload(into).iload(bytes).loadConstant(size);
        unit.code.invokestatic(COPY, "zero", MethodTypeDesc.of(CD_void, CD_long, CD_int, CD_int));
        // Where nothing is read, the source need not be an address.
        unit.code.iload(bytes).ifeq(skip);
        new Addresses(unit).pushRaw(only(instruction, Space.GLOBAL), instruction.operand(1), size);
        unit.code.lload(into).iload(bytes).loadConstant(size);
        unit.code.invokestatic(
                COPY, "copy", MethodTypeDesc.of(CD_void, CD_long, CD_long, CD_int, CD_int));
        unit.code.labelBinding(skip);
    }

    /** Both addresses have a space of their own; the instruction names both. */
    private static Instruction only(Instruction instruction, Space space) {
        List<Suffix> suffixes = List.of(space);
        return new Instruction(
                instruction.position(),
                null,
                instruction.opcode(),
                suffixes,
                instruction.operands());
    }

    /** How many bytes are read: the rest becomes zero. A true predicate ignores the source. */
    private void pushSourceSize(Instruction instruction, int size) {
        int last =
                instruction.operands().size() - (instruction.has(Modifier.L2_CACHE_HINT) ? 1 : 0);
        if (last < 4) {
            unit.code.loadConstant(size);
            return;
        }
        Operand operand = instruction.operand(3);
        boolean predicate =
                operand instanceof Operand.NotPredicate
                        || operand instanceof Register register && register.type() == Type.PRED;
        if (predicate) {
            unit.push(operand, Type.PRED);
            unit.code.iconst_1().ixor().loadConstant(size).imul();
        } else {
            unit.push(operand, Type.U32);
            unit.code.loadConstant(size);
            unit.code.invokestatic(COPY, "limit", MethodTypeDesc.of(CD_int, CD_int, CD_int));
        }
    }
}

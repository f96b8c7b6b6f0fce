package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import facet.jit.runtime.BulkCopy;
import facet.jit.runtime.BulkReduction;
import facet.jit.runtime.MbarrierUnsafe;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Suffix;
import facet.ptx.Type;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Locale;

/**
 * {@code cp.async.bulk} and {@code cp.reduce.async.bulk} (PTX ISA 9.7.9.25.4), and the mbarrier of
 * {@code st.async} and {@code red.async}. What is copied at once needs no groups and no waits.
 */
final class BulkCopies {
    private static final ClassDesc COPY = ClassDesc.of(BulkCopy.class.getName());
    private static final ClassDesc MBARRIER = ClassDesc.of(MbarrierUnsafe.class.getName());
    private static final ClassDesc SPACE = ClassDesc.of(Space.class.getName());
    private static final ClassDesc REDUCTION = ClassDesc.of(BulkReduction.class.getName());

    private final Unit unit;

    BulkCopies(Unit unit) {
        this.unit = unit;
    }

    void emit(Instruction instruction) {
        if (instruction.operands().size() < 3 || instruction.has(Modifier.PREFETCH)) {
            return;
        }
        List<Space> spaces =
                instruction.suffixes().stream()
                        .filter(Space.class::isInstance)
                        .map(Space.class::cast)
                        .toList();
        unit.code.aload(Unit.BLOCK_SLOT).iload(unit.threadSlot());
        for (int i = 0; i < 2; i++) {
            unit.code.getstatic(SPACE, spaces.get(i).name(), SPACE);
            pushAddress(instruction.operand(i));
        }
        unit.push(instruction.operand(2), Type.U32);
        if (instruction.has(Modifier.REDUCE)) {
            unit.code.getstatic(REDUCTION, reduction(instruction), REDUCTION);
        } else {
            unit.code.aconst_null();
        }
        MethodTypeDesc signature =
                MethodTypeDesc.of(
                        CD_void,
                        Unit.BLOCK,
                        CD_int,
                        SPACE,
                        CD_long,
                        SPACE,
                        CD_long,
                        CD_int,
                        REDUCTION);
        String name = "copy";
        if (instruction.has(Modifier.MBARRIER_COMPLETE_TX_BYTES)) {
            pushAddress(instruction.operand(3));
            signature = signature.insertParameterTypes(signature.parameterCount(), CD_long);
            name = "copyAndTell";
        }
        if (instruction.has(Modifier.MULTICAST_CLUSTER)) {
            unit.push(instruction.operand(4), Type.U16);
            signature = signature.insertParameterTypes(signature.parameterCount(), CD_int);
            name = "multicast";
        }
        unit.code.invokestatic(COPY, name, signature);
    }

    /** As it is written: {@link facet.jit.runtime.Ranges} checks it. */
    private void pushAddress(Operand operand) {
        Operand.Address address = (Operand.Address) operand;
        switch (address.base()) {
            case null -> unit.code.loadConstant(address.offset());
            case Operand.Symbol symbol -> {
                unit.push(symbol, Type.U64);
                unit.code.loadConstant(address.offset()).ladd();
            }
            case Register register when register.type().bits() == 32 -> {
                unit.push(register, Type.U32);
                unit.code.loadConstant((int) address.offset()).iadd();
                unit.values.widen(false);
            }
            case Operand base -> {
                unit.push(base, Type.U64);
                unit.code.loadConstant(address.offset()).ladd();
            }
        }
    }

    private static String reduction(Instruction instruction) {
        Type type = instruction.type();
        for (Modifier each : List.of(Modifier.ADD, Modifier.AND, Modifier.OR, Modifier.XOR)) {
            if (instruction.has(each)) {
                String suffix = type.isFloat() ? type.name() : "B" + type.bits();
                return each.name() + suffix;
            }
        }
        for (Modifier each : List.of(Modifier.MIN, Modifier.MAX, Modifier.INC, Modifier.DEC)) {
            if (instruction.has(each)) {
                return (each.text() + type.text()).toUpperCase(Locale.ROOT);
            }
        }
        throw Unit.unsupported(instruction, "this reduction is not supported");
    }

    /** Of {@code st.async} and {@code red.async}, which are done: tells the mbarrier. */
    void tell(Instruction instruction) {
        Space space = instruction.space();
        List<Suffix> suffixes = space == null ? List.of() : List.of(space);
        Instruction own =
                new Instruction(
                        instruction.position(),
                        null,
                        instruction.opcode(),
                        suffixes,
                        instruction.operands());
        new Addresses(unit).pushRaw(own, instruction.operand(2), 8);
        int count = Addresses.elements(instruction.operand(1)).size();
        unit.code.loadConstant(instruction.type().bytes(count));
        unit.code.invokestatic(MBARRIER, "completeTx", MethodTypeDesc.of(CD_void, CD_long, CD_int));
    }
}

package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import facet.jit.runtime.MbarrierUnsafe;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Operand;
import facet.ptx.Type;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** {@code mbarrier} (PTX ISA 9.7.13.15). A wait is a test: the loop around it gives way. */
final class Mbarriers {
    private static final ClassDesc MBARRIER = ClassDesc.of(MbarrierUnsafe.class.getName());
    private static final int BYTES = 8;

    private final Unit unit;

    Mbarriers(Unit unit) {
        this.unit = unit;
    }

    void emit(Instruction instruction) {
        if (instruction.has(Modifier.PENDING_COUNT)) {
            unit.push(instruction.operand(1), Type.B64);
            invoke("pendingCount", MethodTypeDesc.of(CD_int, CD_long));
            unit.store(instruction.operand(0), Type.U32);
        } else if (instruction.has(Modifier.TEST_WAIT) || instruction.has(Modifier.TRY_WAIT)) {
            test(instruction);
        } else if (instruction.operand(0) instanceof Operand.Address) {
            change(instruction);
        } else {
            arrive(instruction);
        }
    }

    private void invoke(String name, MethodTypeDesc signature) {
        unit.code.invokestatic(MBARRIER, name, signature);
    }

    private void pushObject(Instruction instruction, int operand) {
        new Addresses(unit).pushRaw(instruction, instruction.operand(operand), BYTES);
    }

    private void change(Instruction instruction) {
        pushObject(instruction, 0);
        if (instruction.has(Modifier.INVAL)) {
            invoke("inval", MethodTypeDesc.of(CD_void, CD_long));
            return;
        }
        unit.push(instruction.operand(1), Type.U32);
        String name =
                instruction.has(Modifier.INIT)
                        ? "init"
                        : instruction.has(Modifier.EXPECT_TX) ? "expectTx" : "completeTx";
        invoke(name, MethodTypeDesc.of(CD_void, CD_long, CD_int));
    }

    private void arrive(Instruction instruction) {
        pushObject(instruction, 1);
        if (instruction.operands().size() > 2) {
            unit.push(instruction.operand(2), Type.U32);
        } else {
            unit.code.iconst_1();
        }
        String name =
                (instruction.has(Modifier.ARRIVE_DROP) ? "arriveDrop" : "arrive")
                        + (instruction.has(Modifier.EXPECT_TX) ? "ExpectTx" : "");
        invoke(name, MethodTypeDesc.of(CD_long, CD_long, CD_int));
        unit.store(instruction.operand(0), Type.B64);
    }

    private void test(Instruction instruction) {
        pushObject(instruction, 1);
        if (instruction.has(Modifier.PARITY)) {
            unit.push(instruction.operand(2), Type.U32);
            invoke("testWaitParity", MethodTypeDesc.of(CD_boolean, CD_long, CD_int));
        } else {
            unit.push(instruction.operand(2), Type.B64);
            invoke("testWait", MethodTypeDesc.of(CD_boolean, CD_long, CD_long));
        }
        Label passed = unit.code.newLabel();
        unit.code.dup().ifne(passed);
        unit.giveWay();
        unit.code.labelBinding(passed);
        unit.store(instruction.operand(0), Type.PRED);
    }
}

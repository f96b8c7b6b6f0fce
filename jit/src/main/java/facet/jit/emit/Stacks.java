package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import facet.jit.pass.Kinds.Kind;
import facet.jit.runtime.Stack;
import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Type;
import facet.ptx.flow.Body;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** {@code alloca}, {@code stacksave}, {@code stackrestore} (PTX ISA 9.7.17). */
final class Stacks {
    private static final ClassDesc STACK = ClassDesc.of(Stack.class.getName());
    private static final int DEFAULT_ALIGNMENT = 8;

    private final Unit unit;

    Stacks(Unit unit) {
        this.unit = unit;
    }

    /** Whether frames of called functions do not begin where the frame of this body ends. */
    static boolean moves(Body body) {
        return body.instructions().stream()
                .anyMatch(each ->
                        each.opcode() == Opcode.ALLOCA || each.opcode() == Opcode.STACKRESTORE);
    }

    private void pushThread() {
        unit.code.aload(Unit.BLOCK_SLOT).iload(unit.threadSlot());
    }

    private void pushEnd() {
        unit.pushFrame();
        unit.code.l2i().loadConstant(unit.frame.size()).iadd();
    }

    /** Pushes where the frame of a called function begins, as an int. */
    void pushCalleeFrame() {
        if (!unit.stackMoves()) {
            pushEnd();
            return;
        }
        pushThread();
        pushEnd();
        unit.code.invokestatic(
                STACK, "frame", MethodTypeDesc.of(CD_int, Unit.BLOCK, CD_int, CD_int));
    }

    void allocate(Instruction instruction) {
        unit.program.needStack();
        pushThread();
        pushEnd();
        unit.push(instruction.operand(1), instruction.type());
        if (Kind.of(instruction.type()) == Kind.INT) {
            unit.values.widen(false);
        }
        unit.code.loadConstant(
                instruction.operands().size() > 2
                        ? (int) ((Operand.IntegerImmediate) instruction.operand(2)).value()
                        : DEFAULT_ALIGNMENT);
        unit.code.invokestatic(
                STACK,
                "allocate",
                MethodTypeDesc.of(CD_long, Unit.BLOCK, CD_int, CD_int, CD_long, CD_int));
        unit.store(instruction.operand(0), Type.U64);
    }

    void save(Instruction instruction) {
        pushThread();
        pushEnd();
        top();
        unit.store(instruction.operand(0), Type.U32);
    }

    void restore(Instruction instruction) {
        pushThread();
        unit.push(instruction.operand(0), Type.U32);
        restore();
    }

    /** Pushes what the caller of this function has allocated to, as an int. */
    void pushCaller() {
        pushThread();
        unit.code.iconst_0();
        top();
    }

    private void top() {
        unit.code.invokestatic(STACK, "top", MethodTypeDesc.of(CD_int, Unit.BLOCK, CD_int, CD_int));
    }

    /** Sets the stack pointer from what is on the JVM's stack: block, thread, value. */
    void restore() {
        unit.code.invokestatic(
                STACK, "restore", MethodTypeDesc.of(CD_void, Unit.BLOCK, CD_int, CD_int));
    }
}

package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import facet.jit.runtime.Clusters;
import facet.jit.runtime.KernelFault;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Operand;
import facet.ptx.Type;
import facet.ptx.Work;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** Sends each instruction that does not change the flow of control to the family that emits it. */
final class Dispatch {
    private static final ClassDesc CLUSTERS = ClassDesc.of(Clusters.class.getName());
    private static final ClassDesc FAULT = ClassDesc.of(KernelFault.class.getName());

    /** Steps of work that writing an instruction is. */
    private static final int EMITTING = 20;

    private final Unit unit;
    private final Arithmetic arithmetic;
    private final Carry carry;
    private final Comparison comparison;
    private final Conversion conversion;
    private final Moves moves;
    private final Memory memory;
    private final Atomics atomics;
    private final Addresses addresses;
    private final Calls calls;

    Dispatch(Unit unit) {
        this.unit = unit;
        arithmetic = new Arithmetic(unit);
        carry = new Carry(unit);
        comparison = new Comparison(unit);
        conversion = new Conversion(unit);
        moves = new Moves(unit);
        memory = new Memory(unit);
        atomics = new Atomics(unit);
        addresses = new Addresses(unit);
        calls = new Calls(unit);
    }

    /** Emits a jump over what follows when the guard says no. */
    void guarded(Instruction instruction, Runnable emit) {
        Instruction.Guard guard = instruction.guard();
        if (guard == null) {
            emit.run();
            return;
        }
        Label skip = unit.code.newLabel();
        unit.pushRegister(guard.predicate(), 0, Type.PRED);
        if (guard.negated()) {
            unit.code.ifne(skip);
        } else {
            unit.code.ifeq(skip);
        }
        emit.run();
        unit.code.labelBinding(skip);
    }

    void emit(Instruction instruction) {
        Work.steps(EMITTING);
        unit.code.lineNumber(Math.clamp(instruction.position().line(), 1, 65_535));
        guarded(instruction, () -> simple(instruction));
    }

    private static boolean mayFault(Instruction instruction) {
        return switch (instruction.opcode()) {
            case LD, LDU, ST, ATOM, RED, CALL, MBARRIER, ALLOCA, NANOSLEEP -> true;
            case TEX, TLD4, TXQ, SULD, SUST, SURED, SUQ -> true;
            case CP ->
                    !instruction.has(Modifier.PREFETCH)
                            && instruction.operands().stream()
                                    .anyMatch(each -> each instanceof Operand.Address);
            default -> false;
        };
    }

    private void simple(Instruction instruction) {
        if (mayFault(instruction)) {
            unit.faulting(() -> emitUnguarded(instruction));
        } else {
            emitUnguarded(instruction);
        }
    }

    private void emitUnguarded(Instruction instruction) {
        if (Carry.handles(instruction)) {
            carry.emit(instruction);
            return;
        }
        switch (instruction.opcode()) {
            case LD, LDU -> memory.load(instruction);
            case ST -> {
                memory.store(instruction);
                tellAsync(instruction);
            }
            case ATOM, RED -> {
                atomics.emit(instruction);
                tellAsync(instruction);
            }
            case MOV -> moves.emit(instruction);
            case CVT -> conversion.emit(instruction);
            case CVTA -> addresses.convert(instruction);
            case ISSPACEP -> new SpaceTest(unit).emit(instruction);
            case SET -> comparison.set(instruction);
            case SETP -> comparison.setPredicate(instruction);
            case SELP -> comparison.select(instruction);
            case SLCT -> comparison.selectBySign(instruction);
            case CALL -> unit.calling(() -> calls.emit(instruction));
            case MEMBAR, FENCE -> memory.fence();
            case PREFETCH,
                    PREFETCHU,
                    APPLYPRIORITY,
                    DISCARD,
                    PMEVENT,
                    GRIDDEPCONTROL,
                    SETMAXNREG -> {
                // Hints and counters: a device may do nothing with them.
            }
            case CREATEPOLICY -> {
                unit.code.lconst_0();
                unit.store(instruction.operand(0), Type.B64);
            }
            case MBARRIER -> new Mbarriers(unit).emit(instruction);
            case CP -> {
                if (instruction.has(Modifier.BULK)) {
                    new BulkCopies(unit).emit(instruction);
                } else {
                    new AsyncCopies(unit).emit(instruction);
                }
            }
            case TEX, TLD4, TXQ, ISTYPEP, SUQ -> new Textures(unit).emit(instruction);
            case SULD -> new Surfaces(unit).load(instruction);
            case SUST -> new Surfaces(unit).store(instruction);
            case SURED -> new Surfaces(unit).reduce(instruction);
            case ALLOCA -> new Stacks(unit).allocate(instruction);
            case STACKSAVE -> new Stacks(unit).save(instruction);
            case STACKRESTORE -> new Stacks(unit).restore(instruction);
            case VADD2,
                    VSUB2,
                    VAVRG2,
                    VABSDIFF2,
                    VMIN2,
                    VMAX2,
                    VSET2,
                    VADD4,
                    VSUB4,
                    VAVRG4,
                    VABSDIFF4,
                    VMIN4,
                    VMAX4,
                    VSET4 ->
                    new VideoInstructions(unit).emit(instruction);
            case NANOSLEEP -> {
                if (!unit.giveWay()) {
                    unit.code.aload(Unit.BLOCK_SLOT);
                    unit.push(instruction.operand(0), Type.U32);
                    unit.code.invokestatic(
                            Calls.BUILTINS,
                            "sleep",
                            MethodTypeDesc.of(CD_void, Unit.BLOCK, CD_int));
                }
            }
            case TRAP, BRKPT -> trap();
            case LOP3 -> lop3(instruction);
            case GETCTARANK -> {
                pushShared(instruction);
                unit.code.aload(Unit.BLOCK_SLOT);
                unit.code.invokestatic(
                        CLUSTERS, "rankOf", MethodTypeDesc.of(CD_int, CD_long, Unit.BLOCK));
                unit.store(instruction.operand(0), Type.U32);
            }
            case MAPA -> {
                pushShared(instruction);
                unit.push(instruction.operand(2), Type.U32);
                unit.code.invokestatic(
                        CLUSTERS, "map", MethodTypeDesc.of(CD_long, CD_long, CD_int));
                unit.store(instruction.operand(0), Type.U64);
            }
            default -> arithmetic.emit(instruction);
        }
    }

    /** Pushes the address that {@code mapa} and {@code getctarank} are about. */
    private void pushShared(Instruction instruction) {
        unit.push(instruction.operand(1), instruction.type());
        if (instruction.type().bits() == 32) {
            unit.values.widen(false);
        }
    }

    private void tellAsync(Instruction instruction) {
        if (instruction.has(Modifier.ASYNC)) {
            new BulkCopies(unit).tell(instruction);
        }
    }

    void trap() {
        unit.faulting(() ->
                unit.code.invokestatic(Calls.BUILTINS, "trap", MethodTypeDesc.of(FAULT)).athrow());
    }

    /** {@code lop3}, and its form with a predicate: {@code d|p = f(a,b,c), p = (d != 0) op q}. */
    private void lop3(Instruction instruction) {
        Operand destination = instruction.operand(0);
        if (!(destination instanceof Operand.PredicatePair pair)) {
            arithmetic.emit(instruction);
            return;
        }
        for (int i = 1; i <= 4; i++) {
            unit.push(instruction.operand(i), Type.B32);
        }
        unit.callMath(Type.B32, "lop3");
        int result = unit.code.allocateLocal(TypeKind.INT);
        unit.code.istore(result);
        Label zero = unit.code.newLabel();
        Label done = unit.code.newLabel();
        unit.code.iload(result).ifeq(zero).iconst_1().goto_(done);
        unit.code.labelBinding(zero).iconst_0().labelBinding(done);
        unit.push(instruction.operand(5), Type.PRED);
        if (instruction.has(Modifier.AND)) {
            unit.code.iand();
        } else {
            unit.code.ior();
        }
        unit.store(pair.second(), Type.PRED);
        unit.code.iload(result);
        unit.store(pair.first(), Type.B32);
    }
}

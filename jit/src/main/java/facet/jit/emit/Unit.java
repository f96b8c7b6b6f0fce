package facet.jit.emit;

import facet.jit.pass.Kinds;
import facet.jit.pass.Kinds.Kind;
import facet.jit.runtime.Block;
import facet.jit.runtime.Grid;
import facet.ptx.Instruction;
import facet.ptx.Operand;
import facet.ptx.PtxException;
import facet.ptx.Register;
import facet.ptx.Type;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One method while it is written: locals of registers, and moving operands to and from the JVM's
 * stack.
 *
 * <p>A value of up to 32 bits is an int. Registers of 8 and 16 bits are kept zero-extended; on the
 * stack a value is extended as its type says.
 */
abstract class Unit {
    static final ClassDesc BLOCK = ClassDesc.of(Block.class.getName());
    static final ClassDesc GRID = ClassDesc.of(Grid.class.getName());

    /** The block is the first parameter of every method. */
    static final int BLOCK_SLOT = 0;

    final CodeBuilder code;
    final Program program;
    final Body body;
    final Kinds kinds;
    final Frame frame;
    final Invariants invariants;
    final StackValues values;
    final CheckedGroups groups = new CheckedGroups(this);
    private final Map<Integer, Integer> locals = new HashMap<>();
    private final List<Label[]> faulting = new ArrayList<>();
    private int carry = -1;
    private final boolean stackMoves;

    Unit(CodeBuilder code, Program program, Body body, Kinds kinds, Frame frame) {
        this.code = code;
        this.program = program;
        this.body = body;
        this.kinds = kinds;
        this.frame = frame;
        this.invariants = new Invariants(code);
        this.values = new StackValues(code);
        this.stackMoves = program.stackMoves(body);
    }

    /** Local variable with the thread's linear number. */
    abstract int threadSlot();

    /** Pushes the offset of the frame in local memory, as a long. */
    abstract void pushFrame();

    abstract boolean isKernel();

    /** Threads that are run at once. */
    int lanes() {
        return 1;
    }

    /** From one instruction to another; the way back asks now and then whether to make room. */
    abstract void jump(int from, int to);

    /** Whether frames of called functions do not begin where the frame of this body ends. */
    boolean stackMoves() {
        return stackMoves;
    }

    /** Emits a call of what counts down the block's budget itself. */
    void calling(Runnable call) {
        call.run();
    }

    /**
     * At an instruction that waits: in a loop the thread lets others of its block run, which it
     * waits for most often. Whether the kernel has such loops.
     */
    boolean giveWay() {
        return false;
    }

    static PtxException unsupported(Instruction instruction, String what) {
        return PtxException.lacking(
                instruction.position(),
                instruction.mnemonic(),
                instruction.mnemonic() + ": " + what);
    }

    /**
     * Emits what may end in a fault. Only that is covered by the method's handlers: every call
     * under a handler makes C2 carry all locals there, which long methods do not survive.
     */
    void faulting(Runnable emit) {
        Label start = code.newBoundLabel();
        emit.run();
        faulting.add(new Label[] {start, code.newBoundLabel()});
    }

    void catchFaults(Label handler, ClassDesc type) {
        faulting.forEach(range -> code.exceptionCatch(range[0], range[1], handler, type));
    }

    // ---- registers

    /** JVM values that make up a register: two for 128 bits, else its lanes. */
    static int lanes(Register register) {
        return register.type() == Type.B128 ? 2 : register.lanes();
    }

    int slot(Register register, int lane) {
        return locals.computeIfAbsent(
                register.id() * 8 + lane,
                key -> code.allocateLocal(StackValues.typeKind(kinds.of(register))));
    }

    void pushRaw(Register register, int lane) {
        code.loadLocal(StackValues.typeKind(kinds.of(register)), slot(register, lane));
    }

    void storeRaw(Register register, int lane) {
        code.storeLocal(StackValues.typeKind(kinds.of(register)), slot(register, lane));
    }

    /** The carry flag that {@code .cc} instructions set and {@code addc} and others read. */
    int carrySlot() {
        if (carry < 0) {
            carry = invariants.of("carry", TypeKind.INT, () -> code.iconst_0());
        }
        return carry;
    }

    void pushRegister(Register register, int lane, Type type) {
        pushRaw(register, lane);
        Kind want = Kind.of(type);
        Kind have = values.bitsUnless(want, kinds.of(register));
        int bits = Math.min(register.type().bits(), 64);
        switch (want) {
            case INT -> {
                if (have == Kind.LONG) {
                    code.l2i();
                    bits = 32;
                }
                if (type != Type.PRED
                        && type.bits() < 32
                        && (bits > type.bits() || type.isSigned())) {
                    values.narrow(type);
                }
            }
            case LONG -> {
                if (have == Kind.INT) {
                    values.widen(type.isSigned());
                }
            }
            case FLOAT -> values.toFloat(have);
            case DOUBLE -> {
                if (have == Kind.LONG) {
                    values.doubleOfBits();
                }
            }
        }
    }

    /** Stores what is on the stack, a value of the type, into the operand. */
    void store(Operand destination, Type type) {
        switch (destination) {
            case Register register -> storeRegister(register, 0, type);
            case Operand.Element element -> storeRegister(element.register(), element.lane(), type);
            case Operand.Sink ignored -> {
                if (Kind.of(type).isWide()) {
                    code.pop2();
                } else {
                    code.pop();
                }
            }
            case Operand.Special _,
                    Operand.IntegerImmediate _,
                    Operand.FloatImmediate _,
                    Operand.Symbol _,
                    Operand.Address _,
                    Operand.Vector _,
                    Operand.NotPredicate _,
                    Operand.PredicatePair _,
                    Operand.Arguments _,
                    Operand.Indexed _ ->
                    throw new IllegalArgumentException("cannot store to " + destination);
        }
    }

    void storeRegister(Register register, int lane, Type type) {
        Kind want = kinds.of(register);
        Kind have = values.bitsUnless(want, Kind.of(type));
        switch (want) {
            case INT -> {
                if (have == Kind.LONG) {
                    code.l2i();
                }
                switch (register.type().bits()) {
                    case 16 -> code.i2c();
                    case 8 -> code.loadConstant(0xff).iand();
                    default -> {}
                }
            }
            case LONG -> {
                if (have == Kind.INT) {
                    values.widen(type.isSigned());
                }
            }
            case FLOAT -> values.toFloat(have);
            case DOUBLE -> {
                if (have == Kind.INT) {
                    values.widen(type.isSigned());
                    have = Kind.LONG;
                }
                if (have == Kind.LONG) {
                    values.doubleOfBits();
                }
            }
        }
        storeRaw(register, lane);
    }

    // ---- any operand

    /** Pushes the operand as a value of the type. */
    void push(Operand operand, Type type) {
        switch (operand) {
            case Register register -> pushRegister(register, 0, type);
            case Operand.Element element -> pushRegister(element.register(), element.lane(), type);
            case Operand.NotPredicate not -> {
                pushRegister(not.predicate(), 0, Type.PRED);
                code.iconst_1().ixor();
            }
            case Operand.IntegerImmediate immediate ->
                    values.pushImmediate(immediate.value(), type);
            case Operand.FloatImmediate immediate -> values.pushFloat(immediate, type);
            case Operand.Special special -> new SpecialRegisters(this).push(special, type);
            case Operand.Symbol symbol -> new Symbols(this).push(symbol, type);
            case Operand.Address _,
                    Operand.Vector _,
                    Operand.PredicatePair _,
                    Operand.Arguments _,
                    Operand.Indexed _,
                    Operand.Sink _ ->
                    throw new IllegalArgumentException("cannot read " + operand);
        }
    }

    // ---- jumps

    /** {@code brx.idx}; an index past the last target takes the last one. */
    void jumpByIndex(Instruction instruction, int index) {
        List<String> names = body.targets(((Operand.Symbol) instruction.operand(1)).name()).names();
        List<SwitchCase> cases = new ArrayList<>();
        List<Label> stubs = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            stubs.add(code.newLabel());
            cases.add(SwitchCase.of(i, stubs.get(i)));
        }
        Work.steps(names.size());
        push(instruction.operand(0), Type.U32);
        code.tableswitch(0, names.size() - 1, stubs.getLast(), cases);
        for (int i = 0; i < names.size(); i++) {
            code.labelBinding(stubs.get(i));
            jump(index, body.label(names.get(i)));
        }
    }

    // ---- calls of the arithmetic

    void call(Method method) {
        ClassDesc[] parameters =
                java.util.Arrays.stream(method.getParameterTypes())
                        .map(type -> type.describeConstable().orElseThrow())
                        .toArray(ClassDesc[]::new);
        code.invokestatic(
                ClassDesc.of(method.getDeclaringClass().getName()),
                method.getName(),
                MethodTypeDesc.of(
                        method.getReturnType().describeConstable().orElseThrow(), parameters));
    }

    void callMath(Type type, String name) {
        call(
                Intrinsics.find(type, name)
                        .orElseThrow(() -> new IllegalStateException(type + "." + name)));
    }
}

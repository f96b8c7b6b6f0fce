package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

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
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One method while it is written: locals of registers, values that do not change while it runs, and
 * moving operands to and from the JVM's stack.
 *
 * <p>A value of up to 32 bits is an int. Registers of 8 and 16 bits are kept zero-extended; on the
 * stack a value is extended as its type says.
 */
abstract class Unit {
    static final ClassDesc BLOCK = ClassDesc.of(Block.class.getName());
    static final ClassDesc GRID = ClassDesc.of(Grid.class.getName());
    static final ClassDesc FLOAT = ClassDesc.of("java.lang.Float");
    static final ClassDesc DOUBLE = ClassDesc.of("java.lang.Double");

    /** The block is the first parameter of every method. */
    static final int BLOCK_SLOT = 0;

    final CodeBuilder code;
    final Program program;
    final Body body;
    final Kinds kinds;
    final Frame frame;
    private final Map<Integer, Integer> locals = new HashMap<>();
    private final Map<Object, Integer> invariants = new HashMap<>();
    private final Map<Integer, Runnable> prologue = new LinkedHashMap<>();
    private final IdentityHashMap<AccessGroups.Group, Integer> groups = new IdentityHashMap<>();
    private AccessGroups accesses = AccessGroups.NONE;
    private final List<Label[]> faulting = new ArrayList<>();
    private int carry = -1;
    private final boolean stackMoves;

    Unit(CodeBuilder code, Program program, Body body, Kinds kinds, Frame frame) {
        this.code = code;
        this.program = program;
        this.body = body;
        this.kinds = kinds;
        this.frame = frame;
        this.stackMoves = program.stackMoves(body);
    }

    /** Local variable with the thread's linear number. */
    abstract int threadSlot();

    /** Pushes the offset of the frame in local memory, as a long. */
    abstract void pushFrame();

    abstract boolean isKernel();

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
        return new PtxException(
                PtxException.Kind.UNSUPPORTED,
                instruction.position(),
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

    /** The groups of the run that is emitted next. */
    void accesses(AccessGroups found) {
        accesses = found;
    }

    /** Emits the check of the group that begins here, if one does. */
    void openGroup(int index) {
        AccessGroups.Group group = accesses.leading(index);
        if (group != null) {
            faulting(() -> new Addresses(this).pushGroup(group));
            int slot = code.allocateLocal(TypeKind.LONG);
            code.lstore(slot);
            groups.put(group, slot);
        }
    }

    /**
     * Pushes the address in this process of an access whose group was checked; false if it has
     * none.
     */
    boolean pushChecked(Instruction instruction, Operand.Address address) {
        AccessGroups.Group group = accesses.of(instruction);
        Integer slot = group == null ? null : groups.get(group);
        if (group == null || slot == null) {
            return false;
        }
        code.lload(slot);
        if (address.offset() != group.low()) {
            code.loadConstant(address.offset() - group.low()).ladd();
        }
        return true;
    }

    void catchFaults(Label handler, ClassDesc type) {
        faulting.forEach(range -> code.exceptionCatch(range[0], range[1], handler, type));
    }

    // ---- values that stay the same while the method runs

    /** The local that holds the value, which {@code load} puts on the stack before all else. */
    int invariant(Object key, TypeKind kind, Runnable load) {
        Integer known = invariants.get(key);
        if (known != null) {
            return known;
        }
        int slot = code.allocateLocal(kind);
        invariants.put(key, slot);
        prologue.put(
                slot,
                () -> {
                    load.run();
                    code.storeLocal(kind, slot);
                });
        return slot;
    }

    void emitPrologue() {
        // Loading one value may ask for another.
        Map<Integer, Runnable> done = new HashMap<>();
        while (done.size() < prologue.size()) {
            Map<Integer, Runnable> todo = new LinkedHashMap<>(prologue);
            todo.keySet().removeAll(done.keySet());
            todo.forEach((slot, load) -> {
                done.put(slot, load);
                load.run();
            });
        }
    }

    void pushGridLong(String component) {
        code.lload(
                invariant(
                        component,
                        TypeKind.LONG,
                        () -> {
                            grid();
                            code.invokevirtual(GRID, component, MethodTypeDesc.of(CD_long));
                        }));
    }

    void pushGridInt(String component) {
        code.iload(
                invariant(
                        component,
                        TypeKind.INT,
                        () -> {
                            grid();
                            code.invokevirtual(GRID, component, MethodTypeDesc.of(CD_int));
                        }));
    }

    void grid() {
        code.aload(BLOCK_SLOT).getfield(BLOCK, "grid", GRID);
    }

    void pushBlockInt(String field) {
        code.iload(
                invariant(
                        "block." + field,
                        TypeKind.INT,
                        () -> code.aload(BLOCK_SLOT).getfield(BLOCK, field, CD_int)));
    }

    void pushBlockLong(String field) {
        code.lload(
                invariant(
                        "block." + field,
                        TypeKind.LONG,
                        () -> code.aload(BLOCK_SLOT).getfield(BLOCK, field, CD_long)));
    }

    /** Pushes an array of the block: {@code state}, {@code ints} or {@code longs}. */
    void pushBlockArray(String field, ClassDesc type) {
        code.aload(
                invariant(
                        "block." + field,
                        TypeKind.REFERENCE,
                        () -> code.aload(BLOCK_SLOT).getfield(BLOCK, field, type)));
    }

    // ---- registers

    static TypeKind typeKind(Kind kind) {
        return switch (kind) {
            case INT -> TypeKind.INT;
            case LONG -> TypeKind.LONG;
            case FLOAT -> TypeKind.FLOAT;
            case DOUBLE -> TypeKind.DOUBLE;
        };
    }

    /** JVM values that make up a register: two for 128 bits, else its lanes. */
    static int lanes(Register register) {
        return register.type() == Type.B128 ? 2 : register.lanes();
    }

    int slot(Register register, int lane) {
        return locals.computeIfAbsent(
                register.id() * 8 + lane, key -> code.allocateLocal(typeKind(kinds.of(register))));
    }

    void pushZero(Kind kind) {
        switch (kind) {
            case INT -> code.iconst_0();
            case LONG -> code.lconst_0();
            case FLOAT -> code.fconst_0();
            case DOUBLE -> code.dconst_0();
        }
    }

    void pushRaw(Register register, int lane) {
        code.loadLocal(typeKind(kinds.of(register)), slot(register, lane));
    }

    void storeRaw(Register register, int lane) {
        code.storeLocal(typeKind(kinds.of(register)), slot(register, lane));
    }

    /** The carry flag that {@code .cc} instructions set and {@code addc} and others read. */
    int carrySlot() {
        if (carry < 0) {
            carry = invariant("carry", TypeKind.INT, () -> code.iconst_0());
        }
        return carry;
    }

    void pushRegister(Register register, int lane, Type type) {
        pushRaw(register, lane);
        Kind have = kinds.of(register);
        Kind want = Kind.of(type);
        int bits = Math.min(register.type().bits(), 64);
        if (have == Kind.FLOAT && want != Kind.FLOAT) {
            bitsOfFloat();
            have = Kind.INT;
        } else if (have == Kind.DOUBLE && want != Kind.DOUBLE) {
            bitsOfDouble();
            have = Kind.LONG;
        }
        switch (want) {
            case INT -> {
                if (have == Kind.LONG) {
                    code.l2i();
                    bits = 32;
                }
                if (type != Type.PRED
                        && type.bits() < 32
                        && (bits > type.bits() || type.isSigned())) {
                    narrow(type);
                }
            }
            case LONG -> {
                if (have == Kind.INT) {
                    widen(type.isSigned());
                }
            }
            case FLOAT -> {
                if (have == Kind.LONG) {
                    code.l2i();
                    have = Kind.INT;
                }
                if (have == Kind.INT) {
                    floatOfBits();
                }
            }
            case DOUBLE -> {
                if (have == Kind.LONG) {
                    doubleOfBits();
                }
            }
        }
    }

    void bitsOfFloat() {
        code.invokestatic(FLOAT, "floatToRawIntBits", MethodTypeDesc.of(CD_int, CD_float));
    }

    void floatOfBits() {
        code.invokestatic(FLOAT, "intBitsToFloat", MethodTypeDesc.of(CD_float, CD_int));
    }

    void bitsOfDouble() {
        code.invokestatic(DOUBLE, "doubleToRawLongBits", MethodTypeDesc.of(CD_long, CD_double));
    }

    void doubleOfBits() {
        code.invokestatic(DOUBLE, "longBitsToDouble", MethodTypeDesc.of(CD_double, CD_long));
    }

    /** Cuts the int on the stack to the type's width and extends it as the type says. */
    void narrow(Type type) {
        switch (type.bits()) {
            case 16 -> {
                if (type.isSigned()) {
                    code.i2s();
                } else {
                    code.i2c();
                }
            }
            case 8 -> {
                if (type.isSigned()) {
                    code.i2b();
                } else {
                    code.loadConstant(0xff).iand();
                }
            }
            default -> {}
        }
    }

    void widen(boolean signed) {
        code.i2l();
        if (!signed) {
            code.loadConstant(0xffff_ffffL).land();
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
            default -> throw new IllegalArgumentException("cannot store to " + destination);
        }
    }

    void storeRegister(Register register, int lane, Type type) {
        Kind have = Kind.of(type);
        Kind want = kinds.of(register);
        if (have == Kind.FLOAT && want != Kind.FLOAT) {
            bitsOfFloat();
            have = Kind.INT;
        } else if (have == Kind.DOUBLE && want != Kind.DOUBLE) {
            bitsOfDouble();
            have = Kind.LONG;
        }
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
                    widen(type.isSigned());
                }
            }
            case FLOAT -> {
                if (have == Kind.LONG) {
                    code.l2i();
                    have = Kind.INT;
                }
                if (have == Kind.INT) {
                    floatOfBits();
                }
            }
            case DOUBLE -> {
                if (have == Kind.INT) {
                    widen(type.isSigned());
                    have = Kind.LONG;
                }
                if (have == Kind.LONG) {
                    doubleOfBits();
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
            case Operand.IntegerImmediate immediate -> pushImmediate(immediate.value(), type);
            case Operand.FloatImmediate immediate -> pushFloat(immediate, type);
            case Operand.Special special -> new SpecialRegisters(this).push(special, type);
            case Operand.Symbol symbol -> new Addresses(this).pushSymbol(symbol, type);
            default -> throw new IllegalArgumentException("cannot read " + operand);
        }
    }

    void pushImmediate(long value, Type type) {
        switch (Kind.of(type)) {
            case INT ->
                    code.loadConstant(
                            switch (type.bits()) {
                                case 1 -> value != 0 ? 1 : 0;
                                case 8 -> type.isSigned() ? (byte) value : (int) value & 0xff;
                                case 16 -> type.isSigned() ? (short) value : (int) value & 0xffff;
                                default -> (int) value;
                            });
            case LONG -> code.loadConstant(value);
            case FLOAT -> code.loadConstant((float) value);
            case DOUBLE -> code.loadConstant((double) value);
        }
    }

    private void pushFloat(Operand.FloatImmediate immediate, Type type) {
        boolean single = immediate.type() == Type.F32;
        float asFloat =
                single
                        ? Float.intBitsToFloat((int) immediate.bits())
                        : (float) Double.longBitsToDouble(immediate.bits());
        double asDouble = single ? asFloat : Double.longBitsToDouble(immediate.bits());
        int bits = single ? (int) immediate.bits() : Float.floatToRawIntBits(asFloat);
        switch (Kind.of(type)) {
            case INT -> code.loadConstant(bits);
            case FLOAT -> {
                if (Float.isNaN(asFloat)) { // a constant pool keeps only one NaN
                    code.loadConstant(bits);
                    floatOfBits();
                } else {
                    code.loadConstant(asFloat);
                }
            }
            case LONG -> code.loadConstant(Double.doubleToRawLongBits(asDouble));
            case DOUBLE -> {
                if (Double.isNaN(asDouble)) {
                    code.loadConstant(
                            single ? Double.doubleToRawLongBits(asDouble) : immediate.bits());
                    doubleOfBits();
                } else {
                    code.loadConstant(asDouble);
                }
            }
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

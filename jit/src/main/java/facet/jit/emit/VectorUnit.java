package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.emit.Vectorization.Way;
import facet.jit.pass.Kinds.Kind;
import facet.jit.pass.LaneShapes;
import facet.jit.pass.Regions.Region;
import facet.jit.runtime.Lanes;
import facet.jit.runtime.VectorsUnsafe;
import facet.ptx.Instruction;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import facet.ptx.flow.DefUse;
import facet.ptx.flow.Shape;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The method of one region, a row of neighbouring threads at a time.
 *
 * <p>All lanes of a row go the same way. Where they would part, the row leaves for scalar code:
 * from the region's start when nothing was stored yet, else from where it is. Uniform and affine
 * registers are scalars that hold the first lane's value; varying ones are vectors, or arrays where
 * there is no vector for them.
 */
final class VectorUnit extends RegionFlow {
    private static final int LANES = Lanes.COUNT;

    private static final Map<String, Method> OPERATIONS =
            Arrays.stream(VectorsUnsafe.class.getMethods())
                    .filter(method -> method.getDeclaringClass() == VectorsUnsafe.class)
                    .collect(Collectors.toMap(Method::getName, Function.identity()));

    private final LaneShapes shapes;
    private final Vectorization ways;
    private final boolean[] rigid;
    private final BitSet effects;
    private final Label restart;
    final RowCalls rows;
    private final Map<Integer, Integer> vectors = new HashMap<>();

    /** Thread of the first lane; inside a loop over lanes, of the current one. */
    private final int currentSlot;

    private int laneSlot = -1;
    private boolean inLanes;

    VectorUnit(CodeBuilder code, KernelPlan plan, Region region, BitSet effects) {
        super(code, plan, region);
        this.shapes = plan.shapes();
        this.ways = new Vectorization(body, shapes, kinds);
        this.rigid = shapes.rigid();
        this.effects = effects;
        this.restart = code.newLabel();
        this.rows = new RowCalls(this);
        this.currentSlot = code.allocateLocal(TypeKind.INT);
    }

    @Override
    int threadSlot() {
        return inLanes ? currentSlot : FIRST_SLOT;
    }

    static Method operation(String name) {
        return Objects.requireNonNull(OPERATIONS.get(name), name);
    }

    void operate(String name) {
        call(operation(name));
    }

    void emit() {
        Label loop = code.newLabel();
        Label tail = code.newLabel();
        Label prologue = code.newLabel();
        code.goto_(prologue).labelBinding(loop);
        code.iload(FIRST_SLOT).loadConstant(LANES).iadd().iload(END_SLOT).if_icmpgt(tail);
        code.iload(FIRST_SLOT).istore(currentSlot);
        if (!plan.isPlain()) {
            pushState();
            code.iload(FIRST_SLOT).loadConstant(region.number());
            operate("isState");
            code.ifeq(restart);
        }
        begin();
        emitRuns();
        emitLeaving();
        code.labelBinding(restart);
        calling(() -> {
            code.aload(BLOCK_SLOT).iload(FIRST_SLOT).dup().loadConstant(LANES).iadd();
            code.invokestatic(Emitter.SELF, "r" + region.number(), Emitter.REGION);
        });
        code.labelBinding(next);
        code.iinc(FIRST_SLOT, LANES);
        poll(instructionCount());
        code.goto_(loop);
        code.labelBinding(tail);
        saveBudget();
        code.aload(BLOCK_SLOT).iload(FIRST_SLOT).iload(END_SLOT);
        code.invokestatic(Emitter.SELF, "r" + region.number(), Emitter.REGION);
        code.return_();
        Label fault = code.newLabel();
        catchFaults(fault, RegionUnit.FAULT);
        code.labelBinding(fault).iload(currentSlot);
        code.invokevirtual(RegionUnit.FAULT, "at", MethodTypeDesc.of(RegionUnit.FAULT, CD_int))
                .athrow();
        code.labelBinding(prologue);
        emitPrologue();
        code.goto_(loop);
    }

    // ---- where registers are

    private boolean isVarying(Register register) {
        return shapes.of(register).isVarying();
    }

    private long stride(Operand operand) {
        return shapes.of(operand) instanceof Shape.Affine affine ? affine.stride() : 0;
    }

    private int vector(Register register) {
        return vectors.computeIfAbsent(register.id(), id -> code.allocateLocal(TypeKind.REFERENCE));
    }

    private static ClassDesc element(Kind kind) {
        return switch (kind) {
            case INT -> CD_int;
            case LONG, DOUBLE -> CD_long;
            case FLOAT -> CD_float;
        };
    }

    /** The array of a varying register, one element a lane. */
    private void pushArray(Register register) {
        ClassDesc element = element(kinds.of(register));
        code.aload(
                invariant(
                        "array " + register.id(),
                        TypeKind.REFERENCE,
                        () -> code.loadConstant(LANES).newarray(TypeKind.from(element))));
    }

    @Override
    void pushRaw(Register register, int lane) {
        Kind kind = kinds.of(register);
        if (!isVarying(register)) {
            super.pushRaw(register, lane);
            if (inLanes && stride(register) != 0) {
                addLanes(kind, stride(register));
            }
            return;
        }
        if (!inLanes) {
            throw new IllegalStateException(register + " is varying");
        }
        pushArray(register);
        code.iload(laneSlot).arrayLoad(TypeKind.from(element(kind)));
        if (kind == Kind.DOUBLE) {
            doubleOfBits();
        }
    }

    private void addLanes(Kind kind, long stride) {
        code.iload(laneSlot);
        if (kind == Kind.INT) {
            code.loadConstant((int) stride).imul().iadd();
        } else {
            code.i2l().loadConstant(stride).lmul().ladd();
        }
    }

    @Override
    void storeRaw(Register register, int lane) {
        if (!isVarying(register)) {
            super.storeRaw(register, lane);
            return;
        }
        Kind kind = kinds.of(register);
        if (kind == Kind.DOUBLE) {
            bitsOfDouble();
        }
        TypeKind element = TypeKind.from(element(kind));
        int value = code.allocateLocal(element);
        code.storeLocal(element, value);
        pushArray(register);
        code.iload(laneSlot).loadLocal(element, value).arrayStore(element);
    }

    /** F32, B32 or Pred: what a vector of the register is. */
    private String suffix(Register register) {
        return register.type() == Type.PRED
                ? "Pred"
                : kinds.of(register) == Kind.FLOAT ? "F32" : "B32";
    }

    /** Pushes all lanes of the operand as a vector of the kind. */
    void pushVector(Operand operand, String kind) {
        Operand plain = operand instanceof Operand.NotPredicate not ? not.predicate() : operand;
        if (plain instanceof Register register && isVarying(register)) {
            code.aload(vector(register)).checkcast(type(suffix(register)));
            convert(suffix(register), kind);
            if (operand instanceof Operand.NotPredicate) {
                operate("notPred");
            }
            return;
        }
        switch (kind) {
            case "F32" -> rows.spread("F32", () -> push(operand, Type.F32));
            case "Pred" -> {
                push(operand, Type.PRED);
                operate("spreadPred");
            }
            default -> {
                if (stride(operand) != 0) {
                    push(operand, Type.B32);
                    code.loadConstant((int) stride(operand));
                    operate("rampB32");
                } else {
                    rows.spread("B32", () -> push(operand, Type.B32));
                }
            }
        }
    }

    static ClassDesc type(String kind) {
        return operation("spread" + kind).getReturnType().describeConstable().orElseThrow();
    }

    private void convert(String from, String to) {
        if (from.equals("F32") && to.equals("B32")) {
            operate("asInts");
        } else if (from.equals("B32") && to.equals("F32")) {
            operate("asFloats");
        }
    }

    void storeVector(Operand operand, String kind) {
        Register register = (Register) operand;
        convert(kind, suffix(register));
        code.astore(vector(register));
    }

    // ---- coming and going

    private void begin() {
        boolean first = isStart();
        BitSet live = liveAtEntry();
        for (int id = live.nextSetBit(0); id >= 0; id = live.nextSetBit(id + 1)) {
            Register register = body.registers().get(id);
            if (isVarying(register)) {
                reloadVarying(register, first);
            } else {
                reloadOnce(register, first);
            }
        }
    }

    private void reloadVarying(Register register, boolean first) {
        if (ways.isArray(register) && kinds.of(register).isWide()) {
            if (first) {
                pushArray(register);
                operate("zeroB64");
            } else {
                pushSlots(true);
                pushIndex(slots.of(register, 0));
                pushArray(register);
                operate("reloadB64");
            }
            return;
        }
        if (first) {
            operate("zero" + suffix(register));
        } else {
            pushSlots(false);
            pushIndex(slots.of(register, 0));
            operate("reload" + suffix(register));
        }
        if (ways.isArray(register)) {
            pushArray(register);
            operate("putB32");
        } else {
            code.astore(vector(register));
        }
    }

    /** One value for all lanes: looks whether that is so, unless nothing else is possible. */
    private void reloadOnce(Register register, boolean first) {
        Kind kind = kinds.of(register);
        if (first) {
            pushZero(kind);
            super.storeRaw(register, 0);
            return;
        }
        int slot = slots.of(register, 0);
        if (!rigid[register.id()]) {
            pushSlots(kind.isWide());
            pushIndex(slot);
            if (kind.isWide()) {
                code.loadConstant(stride(register));
                operate("isLongRamp");
            } else {
                code.loadConstant((int) stride(register));
                operate("isRamp");
            }
            code.ifeq(restart);
        }
        pushSlots(kind.isWide());
        pushIndex(slot);
        if (kind.isWide()) {
            code.laload();
            if (kind == Kind.DOUBLE) {
                doubleOfBits();
            }
        } else {
            code.iaload();
            if (kind == Kind.FLOAT) {
                floatOfBits();
            }
        }
        super.storeRaw(register, 0);
    }

    @Override
    void save(int target, List<Register> except) {
        BitSet live = (BitSet) plan.liveness().liveBefore(target).clone();
        live.and(written);
        except.forEach(register -> live.clear(register.id()));
        for (int id = live.nextSetBit(0); id >= 0; id = live.nextSetBit(id + 1)) {
            Register register = body.registers().get(id);
            Kind kind = kinds.of(register);
            pushSlots(kind.isWide());
            pushIndex(slots.of(register, 0));
            if (isVarying(register)) {
                saveVarying(register);
                continue;
            }
            super.pushRaw(register, 0);
            switch (kind) {
                case FLOAT -> bitsOfFloat();
                case DOUBLE -> bitsOfDouble();
                default -> {}
            }
            if (kind.isWide()) {
                code.loadConstant(stride(register));
                operate("saveLongRamp");
            } else {
                code.loadConstant((int) stride(register));
                operate("saveRamp");
            }
        }
    }

    private void saveVarying(Register register) {
        if (!ways.isArray(register)) {
            pushVector(register, suffix(register));
            operate("save" + suffix(register));
        } else if (kinds.of(register).isWide()) {
            pushArray(register);
            operate("saveB64");
        } else {
            pushArray(register);
            operate("getB32");
            operate("saveB32");
        }
    }

    @Override
    void saveOperand(int slot, Operand operand, Type type) {
        boolean wide = Kind.of(type) == Kind.LONG;
        pushSlots(wide);
        pushIndex(slot);
        if (!wide) {
            pushVector(operand, type == Type.PRED ? "Pred" : "B32");
            operate(type == Type.PRED ? "savePred" : "saveB32");
        } else if (operand instanceof Register register && isVarying(register)) {
            pushArray(register);
            operate("saveB64");
        } else {
            push(operand, type);
            code.loadConstant(stride(operand));
            operate("saveLongRamp");
        }
    }

    @Override
    void setState(int value) {
        pushState();
        code.iload(FIRST_SLOT).loadConstant(value);
        operate("setState");
    }

    @Override
    void beforeBack(int to) {
        // Loops that may spin are not run as rows.
    }

    /** Where to go when lanes part at the instruction. */
    Label parting(int index) {
        return effects.get(index) ? leaving(index) : restart;
    }

    @Override
    void conditional(Instruction instruction, int index, Runnable action) {
        Instruction.Guard guard = instruction.guard();
        if (guard == null || !isVarying(guard.predicate())) {
            dispatch.guarded(instruction, action);
            return;
        }
        Label skip = code.newLabel();
        int decision = code.allocateLocal(TypeKind.INT);
        pushVector(guard.predicate(), "Pred");
        operate("decide");
        code.istore(decision).iload(decision).iflt(parting(index)).iload(decision);
        if (guard.negated()) {
            code.ifne(skip);
        } else {
            code.ifeq(skip);
        }
        action.run();
        code.labelBinding(skip);
    }

    // ---- instructions

    @Override
    void straight(int from, int to) {
        RowOperations operations = new RowOperations(this);
        accesses(
                new AccessGroups(
                        body.instructions(),
                        from,
                        to,
                        each -> {
                            Way way = ways.way(body.instructions().get(each));
                            return way == Way.LANES ? null : way;
                        }));
        int i = from;
        while (i < to) {
            Instruction instruction = body.instructions().get(i);
            Way way = ways.way(instruction);
            if (way == Way.LANES) {
                int end = i + 1;
                while (end < to && ways.way(body.instructions().get(end)) == Way.LANES) {
                    end++;
                }
                byLane(body.instructions().subList(i, end), plan.liveness().liveBefore(i));
                i = end;
                continue;
            }
            code.lineNumber(Math.clamp(instruction.position().line(), 1, 65_535));
            int index = i;
            openGroup(i);
            if (way == Way.VECTOR) {
                dispatch.guarded(instruction, () -> operations.emit(instruction));
            } else if (shapes.isEndTest(instruction)) {
                dispatch.guarded(
                        instruction, () -> operations.endTest(instruction, parting(index)));
            } else {
                if (shapes.isWidening(instruction)) {
                    dispatch.guarded(
                            instruction,
                            () -> operations.checkWidening(instruction, parting(index)));
                }
                dispatch.emit(instruction);
            }
            i++;
        }
    }

    /** Emits a loop over the lanes; varying registers are in arrays meanwhile. */
    private void byLane(List<Instruction> instructions, BitSet live) {
        Set<Register> inputs = new LinkedHashSet<>();
        Set<Register> outputs = new LinkedHashSet<>();
        for (Instruction instruction : instructions) {
            for (Register register : DefUse.uses(instruction)) {
                if (!outputs.contains(register)) {
                    inputs.add(register);
                }
            }
            for (Register register : DefUse.definitions(instruction)) {
                // A lane that does not write keeps its value, unless nobody reads that.
                boolean keeps = instruction.guard() != null && live.get(register.id());
                if (keeps && !outputs.contains(register)) {
                    inputs.add(register);
                }
                outputs.add(register);
            }
        }
        for (Register register : inputs) {
            if (isVarying(register) && !ways.isArray(register)) {
                pushVector(register, suffix(register));
                pushArray(register);
                operate("put" + suffix(register));
            }
        }
        if (laneSlot < 0) {
            laneSlot = code.allocateLocal(TypeKind.INT);
        }
        Label head = code.newLabel();
        code.iconst_0().istore(laneSlot).labelBinding(head);
        code.iload(FIRST_SLOT).iload(laneSlot).iadd().istore(currentSlot);
        inLanes = true;
        instructions.forEach(dispatch::emit);
        inLanes = false;
        code.iinc(laneSlot, 1).iload(laneSlot).loadConstant(LANES).if_icmplt(head);
        code.iload(FIRST_SLOT).istore(currentSlot);
        for (Register register : outputs) {
            if (isVarying(register) && !ways.isArray(register)) {
                pushArray(register);
                operate("get" + suffix(register));
                code.astore(vector(register));
            }
        }
    }

    String kindOf(Operand operand, Type type) {
        if (operand instanceof Register register) {
            return suffix(register);
        }
        return type == Type.F32 ? "F32" : "B32";
    }

    Shape shape(Operand operand) {
        return shapes.of(operand);
    }

    Vectorization ways() {
        return ways;
    }
}

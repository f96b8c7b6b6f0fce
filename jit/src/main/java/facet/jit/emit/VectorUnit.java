package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import facet.jit.emit.Vectorization.Way;
import facet.jit.pass.Kinds.Kind;
import facet.jit.pass.LaneShapes;
import facet.jit.pass.Regions.Region;
import facet.jit.pass.RigidShapes;
import facet.jit.runtime.Lanes;
import facet.ptx.Instruction;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import facet.ptx.flow.DefUse;
import facet.ptx.flow.Shape;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The method of one region, a row of neighbouring threads at a time.
 *
 * <p>All lanes of a row go the same way. Where they would part, they go on under masks ({@link
 * MaskedSections}); where that cannot be, the row leaves for scalar code: from the region's start
 * when nothing was stored yet, else from where it is.
 */
final class VectorUnit extends RegionFlow {
    private final int lanes;
    private final String narrower;
    private final LaneShapes shapes;
    private final Vectorization ways;
    private final BitSet effects;
    private final Label restart;
    final RowCalls rows;
    final RowRegisters registers;
    private final RowTransfer transfer;
    private final MaskedSections masked;
    final MaskedRuns maskedRuns;

    /** Thread of the first lane; inside a loop over lanes, of the current one. */
    private final int currentSlot;

    private int laneSlot = -1;
    private boolean inLanes;

    /**
     * @param narrower what the methods are called that do a row whose lanes part
     */
    VectorUnit(
            CodeBuilder code,
            KernelPlan plan,
            Region region,
            BitSet effects,
            int lanes,
            String narrower) {
        super(code, plan, region);
        this.lanes = lanes;
        this.narrower = narrower;
        this.shapes = plan.sections().shapes();
        this.ways = new Vectorization(body, plan.sections());
        this.effects = effects;
        this.restart = code.newLabel();
        this.rows = new RowCalls(this);
        this.masked = new MaskedSections(this, plan.sections());
        this.maskedRuns = new MaskedRuns(this, ways, masked);
        this.registers = new RowRegisters(this, shapes, masked);
        this.transfer = new RowTransfer(this, RigidShapes.of(body, shapes), restart);
        this.currentSlot = code.allocateLocal(TypeKind.INT);
    }

    @Override
    int lanes() {
        return lanes;
    }

    /** A long row is several. */
    @Override
    void spend(int cost) {
        super.spend(cost * Math.max(1, lanes / Lanes.WIDE)); // bounded: a method has few thousand
    }

    /** A predicate that is set in all lanes; long rows have none that varies. */
    int allLanes() {
        return -1 >>> 32 - lanes;
    }

    @Override
    int threadSlot() {
        return inLanes ? currentSlot : FIRST_SLOT;
    }

    /** Local that says whether one thread at a time was run in the block. */
    int mixedSlot() {
        return invariants.of(
                "mixed",
                TypeKind.INT,
                () -> code.aload(BLOCK_SLOT).getfield(BLOCK, "mixed", CD_boolean));
    }

    void operate(String name) {
        call(RowMethods.of(name));
    }

    void emit() {
        Label loop = code.newLabel();
        Label tail = code.newLabel();
        Label prologue = code.newLabel();
        code.goto_(prologue).labelBinding(loop);
        code.iload(FIRST_SLOT).loadConstant(lanes).iadd().iload(END_SLOT).if_icmpgt(tail);
        code.iload(FIRST_SLOT).istore(currentSlot);
        if (!plan.isPlain()) {
            for (int lane = 0; lane < lanes; lane += Lanes.COUNT) {
                pushState();
                code.iload(FIRST_SLOT).loadConstant(lane).iadd().loadConstant(region.number());
                operate("isState");
                code.ifeq(restart);
            }
        }
        BitSet live = liveAtEntry();
        transfer.reload(isStart(), live);
        prepare(live);
        emitRuns();
        masked.emit();
        emitLeaving();
        code.labelBinding(restart);
        mix();
        code.iconst_1().istore(mixedSlot());
        calling(() -> {
            code.aload(BLOCK_SLOT).iload(FIRST_SLOT).dup().loadConstant(lanes).iadd();
            code.invokestatic(Emitter.SELF, narrower + region.number(), Emitter.REGION);
        });
        code.labelBinding(next);
        code.iinc(FIRST_SLOT, lanes);
        poll(instructionCount());
        code.goto_(loop);
        code.labelBinding(tail);
        saveBudget();
        Label end = code.newLabel();
        code.iload(FIRST_SLOT).iload(END_SLOT).if_icmpge(end);
        mix();
        code.aload(BLOCK_SLOT).iload(FIRST_SLOT).iload(END_SLOT);
        code.invokestatic(Emitter.SELF, narrower + region.number(), Emitter.REGION);
        code.labelBinding(end).return_();
        Label fault = code.newLabel();
        catchFaults(fault, RegionUnit.FAULT);
        code.labelBinding(fault).iload(currentSlot);
        code.invokevirtual(RegionUnit.FAULT, "at", MethodTypeDesc.of(RegionUnit.FAULT, CD_int))
                .athrow();
        code.labelBinding(prologue);
        invariants.emit();
        code.goto_(loop);
    }

    private void mix() {
        code.aload(BLOCK_SLOT).invokevirtual(BLOCK, "mix", ConstantDescs.MTD_void);
    }

    /** What lanes that have parted keep must be there before. */
    private void prepare(BitSet live) {
        BitSet early = masked.early();
        early.and(written);
        early.andNot(live);
        early.stream().mapToObj(id -> body.registers().get(id)).forEach(transfer::zero);
    }

    // ---- registers, in a loop over lanes those of the current one

    @Override
    void pushRaw(Register register, int lane) {
        Kind kind = kinds.of(register);
        if (!registers.isVarying(register)) {
            super.pushRaw(register, lane);
            if (inLanes && registers.stride(register) != 0) {
                addLanes(kind, registers.stride(register));
            }
            return;
        }
        if (!inLanes) {
            throw new IllegalStateException(register + " is varying");
        }
        registers.pushArray(register);
        code.iload(laneSlot).arrayLoad(TypeKind.from(RowRegisters.element(kind)));
        if (kind == Kind.DOUBLE) {
            values.doubleOfBits();
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
        if (!registers.isVarying(register)) {
            super.storeRaw(register, lane);
            return;
        }
        Kind kind = kinds.of(register);
        if (kind == Kind.DOUBLE) {
            values.bitsOfDouble();
        }
        TypeKind element = TypeKind.from(RowRegisters.element(kind));
        int value = code.allocateLocal(element);
        code.storeLocal(element, value);
        registers.pushArray(register);
        code.iload(laneSlot).loadLocal(element, value).arrayStore(element);
    }

    // ---- coming and going

    @Override
    void save(int target, List<Register> except) {
        BitSet live = (BitSet) plan.liveness().liveBefore(target).clone();
        live.and(written);
        except.forEach(register -> live.clear(register.id()));
        transfer.save(live);
    }

    @Override
    void saveOperand(int slot, Operand operand, Type type) {
        transfer.save(slot, operand, type);
    }

    @Override
    void setState(int value) {
        for (int lane = 0; lane < lanes; lane += Lanes.COUNT) {
            pushState();
            code.iload(FIRST_SLOT).loadConstant(lane).iadd().loadConstant(value);
            operate("setState");
        }
        code.aload(BLOCK_SLOT).loadConstant(value);
        code.invokevirtual(BLOCK, "gather", MethodTypeDesc.of(CD_void, CD_int));
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
        if (guard == null || !registers.isVarying(guard.predicate())) {
            dispatch.guarded(instruction, action);
            return;
        }
        Label skip = code.newLabel();
        int taken = masked.takenSlot();
        registers.push(guard.predicate(), "Pred");
        if (guard.negated()) {
            code.loadConstant(allLanes()).ixor();
        }
        code.istore(taken).iload(taken).ifeq(skip);
        code.iload(taken).loadConstant(allLanes());
        code.if_icmpne(masked.entry(index).orElseGet(() -> parting(index)));
        action.run();
        code.labelBinding(skip);
    }

    // ---- instructions

    @Override
    void straight(int from, int to) {
        RowOperations operations = new RowOperations(this, ways.copies());
        RowTests tests = new RowTests(this);
        groups.begin(
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
            if (ways.isGuardedRow(instruction)) {
                maskedRuns.guardedRow(instruction, plan.liveness().liveBefore(i));
                i++;
                continue;
            }
            if (ways.isGather(instruction)) {
                line(instruction);
                BitSet live = plan.liveness().liveBefore(i);
                new RowGathers(this).emit(instruction, () -> byLane(List.of(instruction), live));
                i++;
                continue;
            }
            if (way == Way.LANES) {
                int end = i + 1;
                while (end < to && isByLane(body.instructions().get(end))) {
                    end++;
                }
                byLane(body.instructions().subList(i, end), plan.liveness().liveBefore(i));
                i = end;
                continue;
            }
            line(instruction);
            int index = i;
            groups.open(i);
            if (way == Way.VECTOR) {
                dispatch.guarded(instruction, () -> operations.emit(instruction));
            } else if (shapes.isEndTest(instruction)) {
                dispatch.guarded(instruction, () -> tests.endTest(instruction, parting(index)));
            } else {
                if (shapes.isWidening(instruction)) {
                    dispatch.guarded(
                            instruction, () -> tests.checkWidening(instruction, parting(index)));
                }
                if (shapes.isEndResult(instruction)) {
                    dispatch.guarded(
                            instruction, () -> tests.checkQuotient(instruction, parting(index)));
                }
                dispatch.emit(instruction);
            }
            i++;
        }
    }

    void line(Instruction instruction) {
        code.lineNumber(Math.clamp(instruction.position().line(), 1, 65_535));
    }

    /** A fault of the action is that of a lane whose number the other one pushes. */
    void blaming(Runnable lane, Runnable action) {
        code.iload(FIRST_SLOT);
        lane.run();
        code.iadd().istore(currentSlot);
        action.run();
        code.iload(FIRST_SLOT).istore(currentSlot);
    }

    private boolean isByLane(Instruction instruction) {
        return ways.way(instruction) == Way.LANES
                && !ways.isGuardedRow(instruction)
                && !ways.isGather(instruction);
    }

    /** Emits a loop over the lanes; varying registers are in arrays meanwhile. */
    void byLane(List<Instruction> instructions, BitSet live) {
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
                boolean keeps =
                        instruction.guard() != null && live.get(register.id())
                                || masked.keeps(register);
                if (keeps && !outputs.contains(register)) {
                    inputs.add(register);
                }
                outputs.add(register);
            }
        }
        inputs.stream().filter(registers::isVarying).forEach(transfer::toArray);
        int mask = code.allocateLocal(TypeKind.INT);
        if (masked.isActive()) {
            masked.pushMask();
            code.istore(mask);
        }
        if (laneSlot < 0) {
            laneSlot = code.allocateLocal(TypeKind.INT);
        }
        Label head = code.newLabel();
        code.iconst_0().istore(laneSlot).labelBinding(head);
        code.iload(FIRST_SLOT).iload(laneSlot).iadd().istore(currentSlot);
        Label elsewhere = code.newLabel();
        if (masked.isActive()) {
            code.iload(mask).iload(laneSlot).ishr().iconst_1().iand().ifeq(elsewhere);
        }
        inLanes = true;
        instructions.forEach(dispatch::emit);
        inLanes = false;
        code.labelBinding(elsewhere);
        code.iinc(laneSlot, 1).iload(laneSlot).loadConstant(lanes).if_icmplt(head);
        code.iload(FIRST_SLOT).istore(currentSlot);
        outputs.stream().filter(registers::isVarying).forEach(transfer::fromArray);
        // Each of them may wait for a page: polls are no rarer than those of single threads.
        super.spend(lanes * instructions.size());
    }

    Shape shape(Operand operand) {
        return shapes.of(operand);
    }
}

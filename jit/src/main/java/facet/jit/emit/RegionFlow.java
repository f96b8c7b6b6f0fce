package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.pass.Regions.Region;
import facet.jit.pass.Synchronization;
import facet.jit.runtime.Block;
import facet.jit.runtime.Site;
import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import facet.ptx.flow.DefUse;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The flow of control of a region's method: branches inside it, leaving it for another region,
 * loops that ask whether to pause, and meetings. What differs between one thread at a time and a
 * row of lanes is left to subclasses.
 */
abstract class RegionFlow extends Unit {
    static final ClassDesc INTS = CD_int.arrayType();
    static final ClassDesc LONGS = CD_long.arrayType();

    /** Parameters of the method: block, first thread, end. The first becomes the current one. */
    static final int FIRST_SLOT = 1;

    static final int END_SLOT = 2;

    /** Counted at once, so that the difference fits into an instruction. */
    private static final int MOST_COST = 30_000;

    final KernelPlan plan;
    final Region region;
    final Slots slots;
    final Dispatch dispatch;

    /** Goes on with the next thread, or row of threads. */
    final Label next;

    /** Registers that instructions of this region write. */
    final BitSet written = new BitSet();

    /** Those that they read or write: no other needs a place in the method. */
    private final BitSet named = new BitSet();

    private final Map<Integer, Label> labels = new HashMap<>();
    private final Map<Integer, Label> leaving = new LinkedHashMap<>();
    private int budget = -1;

    RegionFlow(CodeBuilder code, KernelPlan plan, Region region) {
        super(code, plan.program(), plan.body(), plan.kinds(), plan.frame());
        this.plan = plan;
        this.region = region;
        this.slots = plan.slots();
        this.dispatch = new Dispatch(this);
        this.next = code.newLabel();
        for (int[] run : region.pieces()) {
            labels.put(run[0], code.newLabel());
            for (int i = run[0]; i < run[1]; i++) {
                Instruction instruction = body.instructions().get(i);
                DefUse.uses(instruction).forEach(register -> named.set(register.id()));
                DefUse.definitions(instruction).forEach(register -> named.set(register.id()));
                if (!Synchronization.isMeeting(instruction)) {
                    DefUse.definitions(instruction).forEach(register -> written.set(register.id()));
                }
            }
        }
    }

    @Override
    int threadSlot() {
        return FIRST_SLOT;
    }

    @Override
    void pushFrame() {
        code.lconst_0();
    }

    @Override
    boolean isKernel() {
        return true;
    }

    /** Emits instructions that neither branch nor meet. */
    abstract void straight(int from, int to);

    /** Emits the action under the instruction's guard. */
    abstract void conditional(Instruction instruction, int index, Runnable action);

    /** Keeps what this region wrote and is live at the instruction, but for registers left out. */
    abstract void save(int target, List<Register> except);

    abstract void saveOperand(int slot, Operand operand, Type type);

    abstract void setState(int value);

    /** Before a jump back to the head of a loop. */
    abstract void beforeBack(int to);

    void emitRuns() {
        if (region.pieces().getFirst()[0] != region.entry()) {
            code.goto_(labels.get(region.entry()));
        }
        for (int[] run : region.pieces()) {
            code.labelBinding(labels.get(run[0]));
            if (emitRun(run[0], run[1])) {
                // Falls into what follows, which may not stand next in the method.
                code.goto_(target(run[1]));
            }
        }
    }

    /** Registers to bring back at the entry. */
    BitSet liveAtEntry() {
        BitSet live = plan.liveness().liveBefore(region.entry());
        live.and(named);
        return live;
    }

    /** Whether threads come to the region only when they begin: no register was written yet. */
    boolean isStart() {
        return region.entry() == 0 && !plan.isBranchedTo(0);
    }

    int instructionCount() {
        return region.pieces().stream().mapToInt(run -> run[1] - run[0]).sum();
    }

    /** Whether the end of the run is reached. */
    private boolean emitRun(int start, int end) {
        int plain = start;
        for (int i = start; i < end; i++) {
            Instruction instruction = body.instructions().get(i);
            boolean meeting = Synchronization.isMeeting(instruction);
            if (!meeting && !isControl(instruction.opcode())) {
                continue;
            }
            straight(plain, i);
            plain = i + 1;
            code.lineNumber(Math.clamp(instruction.position().line(), 1, 65_535));
            int index = i;
            if (meeting) {
                meet(instruction, index);
                return false;
            }
            conditional(instruction, index, () -> control(instruction, index));
            if (instruction.guard() == null) {
                return false;
            }
        }
        straight(plain, end);
        return true;
    }

    private static boolean isControl(Opcode opcode) {
        return switch (opcode) {
            case BRA, BRX, RET, EXIT, TRAP, BRKPT -> true;
            default -> false;
        };
    }

    private void control(Instruction instruction, int index) {
        switch (instruction.opcode()) {
            case BRA -> jump(index, body.label(((Operand.Symbol) instruction.operand(0)).name()));
            case BRX -> jumpByIndex(instruction, index);
            case RET, EXIT -> exit();
            default -> dispatch.trap();
        }
    }

    void exit() {
        if (!plan.isPlain()) {
            setState(Block.EXITED);
        }
        code.goto_(next);
    }

    /** The label of an instruction in this region, or of the code that leaves for another one. */
    Label target(int index) {
        Label inside = labels.get(index);
        return inside != null ? inside : leaving(index);
    }

    Label leaving(int index) {
        return leaving.computeIfAbsent(index, each -> code.newLabel());
    }

    @Override
    void jump(int from, int to) {
        if (to <= from) {
            poll(from - to + 1);
            beforeBack(to);
        }
        code.goto_(target(to));
    }

    private void meet(Instruction instruction, int index) {
        conditional(
                instruction,
                index,
                () -> {
                    Site site = new Meetings(this).describe(instruction, plan.regionAt(index + 1));
                    save(index + 1, Meetings.results(instruction));
                    setState(~plan.addSite(site));
                    code.goto_(next);
                });
        if (instruction.guard() != null) {
            code.goto_(leaving(index + 1));
        }
    }

    /** The code that leaves for other regions, behind all else. */
    void emitLeaving() {
        leaving.forEach((index, label) -> {
            code.labelBinding(label);
            leave(index, plan.regionAt(index));
        });
    }

    void leave(int index, int state) {
        save(index, List.of());
        setState(state);
        code.goto_(next);
    }

    private int budgetSlot() {
        if (budget < 0) {
            budget =
                    invariants.of(
                            "budget",
                            TypeKind.INT,
                            () -> code.aload(BLOCK_SLOT).getfield(BLOCK, "budget", CD_int));
        }
        return budget;
    }

    /** Counts work that the next poll does not count. */
    void spend(int cost) {
        code.iinc(budgetSlot(), -Math.min(cost, MOST_COST));
    }

    void poll(int cost) {
        Label go = code.newLabel();
        int slot = budgetSlot();
        spend(cost);
        code.iload(slot).ifge(go);
        code.aload(BLOCK_SLOT).invokevirtual(BLOCK, "poll", MethodTypeDesc.of(CD_int)).istore(slot);
        code.labelBinding(go);
    }

    /** What is called counts down the same budget. */
    @Override
    void calling(Runnable call) {
        budgetSlot();
        saveBudget();
        call.run();
        code.aload(BLOCK_SLOT).getfield(BLOCK, "budget", CD_int).istore(budget);
    }

    void saveBudget() {
        if (budget >= 0) {
            code.aload(BLOCK_SLOT).iload(budget).putfield(BLOCK, "budget", CD_int);
        }
    }

    /** Pushes the index of the current thread in a slot of the block. */
    void pushIndex(int slot) {
        if (slot > 0) {
            invariants.pushBlockInt("threads");
            code.loadConstant(slot).imul().iload(FIRST_SLOT).iadd();
        } else {
            code.iload(FIRST_SLOT);
        }
    }

    void pushSlots(boolean wide) {
        invariants.pushBlockArray(wide ? "longs" : "ints", wide ? LONGS : INTS);
    }

    void pushState() {
        invariants.pushBlockArray("state", INTS);
    }
}

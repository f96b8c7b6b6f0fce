package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.pass.Kinds;
import facet.jit.pass.Kinds.Kind;
import facet.jit.pass.Regions.Region;
import facet.jit.pass.Synchronization;
import facet.jit.runtime.Block;
import facet.jit.runtime.KernelFault;
import facet.jit.runtime.Site;
import facet.jit.runtime.ThreadExit;
import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import facet.ptx.flow.Body;
import facet.ptx.flow.DefUse;
import facet.ptx.flow.Liveness;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The method of one region: a loop over threads.
 *
 * <pre>
 *   goto prologue
 * loop:
 *   if (thread >= end) return
 *   if (state[thread] != region) goto next        unless the kernel is one region
 *   reload what is live at the entry
 *   …the instructions…
 *   leaving: save what is live there, state[thread] = where, goto next
 * next:
 *   thread++; goto loop
 * prologue:
 *   values that are the same for all threads; goto loop
 * </pre>
 *
 * The prologue stands last because only then it is known what the instructions want.
 */
final class RegionUnit extends Unit {
    private static final int FIRST_SLOT = 1;
    private static final int END_SLOT = 2;

    /** Iterations of a spin loop before a thread gives way. */
    private static final int SPINS = 512;

    /** A region shorter than this times the threads of a block needs no poll between threads. */
    private static final int POLL_COST = 64;

    private static final ClassDesc FAULT = ClassDesc.of(KernelFault.class.getName());
    private static final ClassDesc EXIT = ClassDesc.of(ThreadExit.class.getName());
    private static final ClassDesc INTS = CD_int.arrayType();
    private static final ClassDesc LONGS = CD_long.arrayType();

    final Slots slots;
    private final Region region;
    private final Map<Integer, Integer> regionAt;
    private final List<Site> sites;
    private final Liveness liveness;
    private final BitSet spinHeads;
    private final BitSet written = new BitSet();
    private final Map<Integer, Label> labels = new HashMap<>();
    private final Map<Integer, Label> leaving = new LinkedHashMap<>();
    private final Map<Integer, Label> yielding = new LinkedHashMap<>();
    private final boolean plain;
    private final Dispatch dispatch;
    private Label next;
    private int budget = -1;
    private int spins = -1;

    RegionUnit(
            CodeBuilder code,
            Program program,
            Body body,
            Kinds kinds,
            Frame frame,
            Liveness liveness,
            Slots slots,
            Region region,
            Map<Integer, Integer> regionAt,
            BitSet spinHeads,
            List<Site> sites,
            boolean plain) {
        super(code, program, body, kinds, frame);
        this.slots = slots;
        this.region = region;
        this.regionAt = regionAt;
        this.liveness = liveness;
        this.spinHeads = spinHeads;
        this.sites = sites;
        this.plain = plain;
        this.dispatch = new Dispatch(this);
        this.next = code.newLabel();
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

    void emit() {
        Label loop = code.newLabel();
        Label end = code.newLabel();
        Label prologue = code.newLabel();
        Label start = code.newLabel();
        Label stop = code.newLabel();
        code.goto_(prologue).labelBinding(loop);
        code.iload(FIRST_SLOT).iload(END_SLOT).if_icmpge(end);
        code.labelBinding(start);
        if (!plain) {
            pushBlockArray("state", INTS);
            code.iload(FIRST_SLOT).iaload().loadConstant(region.number()).if_icmpne(next);
        }
        int cost = 0;
        boolean calls = false;
        for (int[] run : region.pieces()) {
            labels.put(run[0], code.newLabel());
            for (int i = run[0]; i < run[1]; i++) {
                Instruction instruction = body.instructions().get(i);
                if (!Synchronization.isMeeting(instruction)) {
                    DefUse.definitions(instruction).forEach(register -> written.set(register.id()));
                }
                calls |= instruction.opcode() == Opcode.CALL;
                cost++;
            }
        }
        begin();
        if (region.pieces().getFirst()[0] != region.entry()) {
            code.goto_(labels.get(region.entry()));
        }
        for (int[] run : region.pieces()) {
            emitRun(run[0], run[1]);
        }
        emitLeaving();
        code.labelBinding(next);
        code.iinc(FIRST_SLOT, 1);
        if (cost > POLL_COST) {
            poll(cost);
        }
        code.labelBinding(stop).goto_(loop);
        code.labelBinding(end);
        saveBudget();
        code.return_();
        if (calls) {
            Label exited = code.newLabel();
            code.exceptionCatch(start, stop, exited, EXIT);
            code.labelBinding(exited).pop();
            setState(Block.EXITED);
            code.goto_(next);
        }
        Label fault = code.newLabel();
        code.exceptionCatch(start, stop, fault, FAULT);
        code.labelBinding(fault).iload(FIRST_SLOT);
        code.invokevirtual(FAULT, "at", MethodTypeDesc.of(FAULT, CD_int)).athrow();
        code.labelBinding(prologue);
        emitPrologue();
        code.goto_(loop);
    }

    /** Brings back what lives at the entry; at the start of the kernel that is what nobody wrote. */
    private void begin() {
        BitSet live = liveness.liveBefore(region.entry());
        for (int id = live.nextSetBit(0); id >= 0; id = live.nextSetBit(id + 1)) {
            Register register = body.registers().get(id);
            for (int lane = 0; lane < lanes(register); lane++) {
                if (region.entry() == 0 && plain) {
                    zero(kinds.of(register));
                } else {
                    reload(register, lane);
                }
                storeRaw(register, lane);
            }
        }
        if (region.pieces().stream().anyMatch(run -> spinHeads.get(run[0]))) {
            spins = code.allocateLocal(TypeKind.INT);
            code.loadConstant(SPINS).istore(spins);
        }
    }

    private void zero(Kind kind) {
        switch (kind) {
            case INT -> code.iconst_0();
            case LONG -> code.lconst_0();
            case FLOAT -> code.fconst_0();
            case DOUBLE -> code.dconst_0();
        }
    }

    private void pushIndex(int slot) {
        if (slot > 0) {
            pushBlockInt("threads");
            code.loadConstant(slot).imul().iload(FIRST_SLOT).iadd();
        } else {
            code.iload(FIRST_SLOT);
        }
    }

    private void reload(Register register, int lane) {
        Kind kind = kinds.of(register);
        pushBlockArray(kind.isWide() ? "longs" : "ints", kind.isWide() ? LONGS : INTS);
        pushIndex(slots.of(register, lane));
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
    }

    /** Stores what {@code push} puts on the stack into a slot of the block. */
    void saveTo(int slot, boolean wide, Runnable push) {
        pushBlockArray(wide ? "longs" : "ints", wide ? LONGS : INTS);
        pushIndex(slot);
        push.run();
        if (wide) {
            code.lastore();
        } else {
            code.iastore();
        }
    }

    /** Saves what this region wrote and is live at the instruction, but for registers left out. */
    private void save(int target, List<Register> except) {
        BitSet live = (BitSet) liveness.liveBefore(target).clone();
        live.and(written);
        except.forEach(register -> live.clear(register.id()));
        for (int id = live.nextSetBit(0); id >= 0; id = live.nextSetBit(id + 1)) {
            Register register = body.registers().get(id);
            Kind kind = kinds.of(register);
            for (int each = 0; each < lanes(register); each++) {
                int lane = each;
                saveTo(
                        slots.of(register, lane),
                        kind.isWide(),
                        () -> {
                            pushRaw(register, lane);
                            if (kind == Kind.FLOAT) {
                                bitsOfFloat();
                            } else if (kind == Kind.DOUBLE) {
                                bitsOfDouble();
                            }
                        });
            }
        }
    }

    private void setState(int value) {
        pushBlockArray("state", INTS);
        code.iload(FIRST_SLOT).loadConstant(value).iastore();
    }

    private void emitRun(int start, int end) {
        code.labelBinding(labels.get(start));
        for (int i = start; i < end; i++) {
            Instruction instruction = body.instructions().get(i);
            switch (instruction.opcode()) {
                case BRA -> branch(instruction, i);
                case BRX -> branchIndexed(instruction, i);
                case RET, EXIT -> {
                    dispatch.guarded(instruction, this::exit);
                    if (instruction.guard() == null) {
                        return;
                    }
                }
                default -> {
                    if (Synchronization.isMeeting(instruction)) {
                        meet(instruction, i);
                        return;
                    }
                    dispatch.emit(instruction);
                    if (instruction.opcode() == Opcode.TRAP && instruction.guard() == null) {
                        return;
                    }
                }
            }
            boolean ended =
                    (instruction.opcode() == Opcode.BRA || instruction.opcode() == Opcode.BRX)
                            && instruction.guard() == null;
            if (ended) {
                return;
            }
        }
        // Falls into what follows, which may not stand next in the method.
        code.goto_(target(end));
    }

    private void exit() {
        if (!plain) {
            setState(Block.EXITED);
        }
        code.goto_(next);
    }

    /** The label of an instruction in this region, or of the code that leaves for another one. */
    private Label target(int index) {
        Label inside = labels.get(index);
        return inside != null ? inside : leaving.computeIfAbsent(index, each -> code.newLabel());
    }

    private void branch(Instruction instruction, int index) {
        int to = body.labels().get(((Operand.Symbol) instruction.operand(0)).name());
        if (to > index) {
            jump(instruction, target(to));
            return;
        }
        dispatch.guarded(instruction, () -> back(index, to));
    }

    private void jump(Instruction instruction, Label target) {
        Instruction.Guard guard = instruction.guard();
        if (guard == null) {
            code.goto_(target);
            return;
        }
        pushRegister(guard.predicate(), 0, Type.PRED);
        if (guard.negated()) {
            code.ifeq(target);
        } else {
            code.ifne(target);
        }
    }

    /** Goes back in a loop: asks now and then whether to pause, and gives way in a spin loop. */
    private void back(int from, int to) {
        poll(from - to + 1);
        if (spins >= 0 && spinHeads.get(to)) {
            code.iinc(spins, -1).iload(spins);
            code.iflt(yielding.computeIfAbsent(to, each -> code.newLabel()));
        }
        code.goto_(target(to));
    }

    private int budgetSlot() {
        if (budget < 0) {
            budget =
                    invariant(
                            "budget",
                            TypeKind.INT,
                            () -> code.aload(BLOCK_SLOT).getfield(BLOCK, "budget", CD_int));
        }
        return budget;
    }

    private void poll(int cost) {
        Label go = code.newLabel();
        int slot = budgetSlot();
        code.iinc(slot, -Math.min(cost, 30_000)).iload(slot).ifge(go);
        code.aload(BLOCK_SLOT).invokevirtual(BLOCK, "poll", MethodTypeDesc.of(CD_int)).istore(slot);
        code.labelBinding(go);
    }

    private void saveBudget() {
        if (budget >= 0) {
            code.aload(BLOCK_SLOT).iload(budget).putfield(BLOCK, "budget", CD_int);
        }
    }

    private void branchIndexed(Instruction instruction, int index) {
        List<String> names =
                body.targets().get(((Operand.Symbol) instruction.operand(1)).name()).names();
        dispatch.guarded(
                instruction,
                () -> {
                    List<SwitchCase> cases = new ArrayList<>();
                    List<Label> stubs = new ArrayList<>();
                    for (int i = 0; i < names.size(); i++) {
                        Label stub = code.newLabel();
                        stubs.add(stub);
                        cases.add(SwitchCase.of(i, stub));
                    }
                    push(instruction.operand(0), Type.U32);
                    code.tableswitch(0, names.size() - 1, stubs.getLast(), cases);
                    for (int i = 0; i < names.size(); i++) {
                        int to = body.labels().get(names.get(i));
                        code.labelBinding(stubs.get(i));
                        if (to <= index) {
                            back(index, to);
                        } else {
                            code.goto_(target(to));
                        }
                    }
                });
    }

    private void meet(Instruction instruction, int index) {
        code.lineNumber(Math.clamp(instruction.position().line(), 1, 65_535));
        dispatch.guarded(
                instruction,
                () -> {
                    Site site =
                            new Meetings(this).describe(instruction, regionAt.get(index + 1));
                    save(index + 1, Meetings.results(instruction));
                    sites.add(site);
                    setState(~(sites.size() - 1));
                    code.goto_(next);
                });
        if (instruction.guard() != null) {
            code.goto_(leaving.computeIfAbsent(index + 1, each -> code.newLabel()));
        }
    }

    private void emitLeaving() {
        leaving.forEach(
                (index, label) -> {
                    code.labelBinding(label);
                    save(index, List.of());
                    setState(regionAt.get(index));
                    code.goto_(next);
                });
        yielding.forEach(
                (index, label) -> {
                    code.labelBinding(label);
                    save(index, List.of());
                    setState(regionAt.get(index) | Block.YIELDED);
                    code.goto_(next);
                });
    }
}

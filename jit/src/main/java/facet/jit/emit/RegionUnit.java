package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;

import facet.jit.pass.Kinds.Kind;
import facet.jit.pass.Regions.Region;
import facet.jit.runtime.Block;
import facet.jit.runtime.KernelFault;
import facet.jit.runtime.ThreadExit;
import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The method of one region, one thread at a time.
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
final class RegionUnit extends RegionFlow {
    /** Iterations of a spin loop before a thread gives way. */
    private static final int SPINS = 512;

    /** A region shorter than this times the threads of a block needs no poll between threads. */
    private static final int POLL_COST = 64;

    static final ClassDesc FAULT = ClassDesc.of(KernelFault.class.getName());
    private static final ClassDesc EXIT = ClassDesc.of(ThreadExit.class.getName());

    private final Map<Integer, Label> yielding = new LinkedHashMap<>();
    private int spins = -1;

    RegionUnit(CodeBuilder code, KernelPlan plan, Region region) {
        super(code, plan, region);
    }

    void emit() {
        Label loop = code.newLabel();
        Label end = code.newLabel();
        Label prologue = code.newLabel();
        code.goto_(prologue).labelBinding(loop);
        code.iload(FIRST_SLOT).iload(END_SLOT).if_icmpge(end);
        if (!plan.isPlain()) {
            pushState();
            code.iload(FIRST_SLOT).iaload().loadConstant(region.number()).if_icmpne(next);
        }
        begin();
        emitRuns();
        emitLeaving();
        yielding.forEach((index, label) -> {
            code.labelBinding(label);
            leave(index, plan.regionAt(index) | Block.YIELDED);
        });
        code.labelBinding(next);
        code.iinc(FIRST_SLOT, 1);
        if (instructionCount() > POLL_COST) {
            poll(instructionCount());
        }
        code.goto_(loop);
        code.labelBinding(end);
        saveBudget();
        code.return_();
        if (hasCalls()) {
            Label exited = code.newLabel();
            catchFaults(exited, EXIT);
            code.labelBinding(exited).pop();
            exit();
        }
        Label fault = code.newLabel();
        catchFaults(fault, FAULT);
        code.labelBinding(fault).iload(FIRST_SLOT);
        code.invokevirtual(FAULT, "at", MethodTypeDesc.of(FAULT, CD_int)).athrow();
        code.labelBinding(prologue);
        invariants.emit();
        code.goto_(loop);
    }

    private boolean hasCalls() {
        return region.pieces().stream()
                .anyMatch(run ->
                        body.instructions().subList(run[0], run[1]).stream()
                                .anyMatch(each -> each.opcode() == Opcode.CALL));
    }

    /**
     * Brings back what lives at the entry; at the start of the kernel that is what nobody wrote.
     */
    private void begin() {
        BitSet live = liveAtEntry();
        boolean start = isStart();
        for (int id = live.nextSetBit(0); id >= 0; id = live.nextSetBit(id + 1)) {
            Register register = body.registers().get(id);
            for (int lane = 0; lane < lanes(register); lane++) {
                if (start) {
                    values.pushZero(kinds.of(register));
                } else {
                    reload(register, lane);
                }
                storeRaw(register, lane);
            }
        }
        if (region.pieces().stream().anyMatch(run -> plan.spinHeads().get(run[0]))) {
            spins = code.allocateLocal(TypeKind.INT);
            code.loadConstant(SPINS).istore(spins);
        }
    }

    private void reload(Register register, int lane) {
        Kind kind = kinds.of(register);
        pushSlots(kind.isWide());
        pushIndex(slots.of(register, lane));
        if (kind.isWide()) {
            code.laload();
            if (kind == Kind.DOUBLE) {
                values.doubleOfBits();
            }
        } else {
            code.iaload();
            if (kind == Kind.FLOAT) {
                values.floatOfBits();
            }
        }
    }

    /** Stores what {@code push} puts on the stack into a slot of the block. */
    private void saveTo(int slot, boolean wide, Runnable push) {
        pushSlots(wide);
        pushIndex(slot);
        push.run();
        if (wide) {
            code.lastore();
        } else {
            code.iastore();
        }
    }

    @Override
    void saveOperand(int slot, Operand operand, Type type) {
        saveTo(slot, Kind.of(type) == Kind.LONG, () -> push(operand, type));
    }

    @Override
    void save(int target, List<Register> except) {
        BitSet live = (BitSet) plan.liveness().liveBefore(target).clone();
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
                                values.bitsOfFloat();
                            } else if (kind == Kind.DOUBLE) {
                                values.bitsOfDouble();
                            }
                        });
            }
        }
    }

    @Override
    void setState(int value) {
        pushState();
        code.iload(FIRST_SLOT).loadConstant(value).iastore();
    }

    @Override
    void straight(int from, int to) {
        groups.begin(new AccessGroups(body.instructions(), from, to, i -> "scalar"));
        for (int i = from; i < to; i++) {
            groups.open(i);
            dispatch.emit(body.instructions().get(i));
        }
    }

    @Override
    void conditional(Instruction instruction, int index, Runnable action) {
        dispatch.guarded(instruction, action);
    }

    /** The next jump back to the head of a spin loop yields. */
    @Override
    boolean giveWay() {
        if (spins >= 0) {
            code.iconst_0().istore(spins);
        } else {
            // In a region without such a loop: a range that has no code cannot have a handler.
            code.nop();
        }
        return !plan.spinHeads().isEmpty();
    }

    @Override
    void beforeBack(int to) {
        if (spins >= 0 && plan.spinHeads().get(to)) {
            if (plan.clockHeads().get(to)) {
                giveWay();
            }
            code.iinc(spins, -1).iload(spins);
            code.iflt(yielding.computeIfAbsent(to, each -> code.newLabel()));
        }
    }
}

package facet.jit.emit;

import facet.jit.pass.Sections;
import facet.jit.pass.Sections.Section;
import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.flow.ControlFlow.Block;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Sections in which lanes have parted, run under masks: a second copy of their code, entered when a
 * branch is taken by some lanes only and left where all have come together.
 *
 * <pre>
 * branch taken by some lanes:
 *   mask[taken] = those; mask[next] = the others; all others 0; goto first block
 * each block, in the order of the text:
 *   if (mask[block] == 0) goto behind
 *   current = mask[block]; mask[block] = 0
 *   …the instructions, for the lanes of current…
 *   mask[where they go] |= those that go there
 * behind:
 *   for each block that no later one jumps back to: if (mask[that] != 0) goto that
 * goto the join
 * </pre>
 */
final class MaskedSections {
    private final VectorUnit unit;
    private final CodeBuilder code;
    private final Sections sections;
    private final Map<Section, Map<Integer, Label>> entries = new LinkedHashMap<>();
    private int taken = -1;
    private int current = -1;
    private BitSet kept = new BitSet();
    private boolean active;

    MaskedSections(VectorUnit unit, Sections sections) {
        this.unit = unit;
        this.code = unit.code;
        this.sections = sections;
    }

    /** Whether what is emitted now is for some lanes only. */
    boolean isActive() {
        return active;
    }

    /** Whether lanes that are elsewhere keep what the register holds. */
    boolean keeps(Register register) {
        return active && kept.get(register.id());
    }

    void pushMask() {
        code.iload(current);
    }

    /** Local with the lanes that take the branch which was decided last. */
    int takenSlot() {
        if (taken < 0) {
            taken = code.allocateLocal(TypeKind.INT);
        }
        return taken;
    }

    /** Where to go when some lanes take the branch; empty: they cannot come together again. */
    Optional<Label> entry(int branch) {
        return sections.at(branch)
                .map(section ->
                        entries.computeIfAbsent(section, each -> new HashMap<>())
                                .computeIfAbsent(branch, each -> code.newLabel()));
    }

    /** Registers that must have a value, whatever way the row takes. */
    BitSet early() {
        BitSet early = new BitSet();
        for (Section section : sections.all()) {
            section.kept().forEach(early::or);
            early.or(section.carried());
        }
        return early;
    }

    void emit() {
        entries.forEach(this::emit);
    }

    private void emit(Section section, Map<Integer, Label> from) {
        Map<Integer, Integer> masks = new HashMap<>();
        Map<Integer, Label> labels = new HashMap<>();
        for (Block block : section.blocks()) {
            masks.put(block.start(), code.allocateLocal(TypeKind.INT));
            labels.put(block.start(), code.newLabel());
        }
        current = code.allocateLocal(TypeKind.INT);
        Label first = labels.get(section.blocks().getFirst().start());
        from.forEach((branch, label) -> {
            code.labelBinding(label);
            masks.values().forEach(mask -> code.iconst_0().istore(mask));
            code.iload(takenSlot()).istore(current);
            send(masks, target(branch), current);
            code.iload(takenSlot()).loadConstant(unit.allLanes()).ixor().istore(current);
            send(masks, branch + 1, current);
            code.goto_(first);
        });
        active = true;
        for (int i = 0; i < section.blocks().size(); i++) {
            Block block = section.blocks().get(i);
            Label behind = code.newLabel();
            int mask = Objects.requireNonNull(masks.get(block.start()));
            code.labelBinding(labels.get(block.start()));
            code.iload(mask).ifeq(behind).iload(mask).istore(current).iconst_0().istore(mask);
            kept = section.kept().get(i);
            emit(block, masks);
            code.labelBinding(behind);
            for (Block head : section.blocks()) {
                if (head.start() <= block.start() && block.equals(lastBack(section, head))) {
                    Label on = code.newLabel();
                    code.iload(Objects.requireNonNull(masks.get(head.start()))).ifeq(on);
                    unit.poll(block.end() - head.start());
                    code.goto_(labels.get(head.start()));
                    code.labelBinding(on);
                }
            }
        }
        active = false;
        if (section.join() < 0) {
            unit.exit();
        } else {
            code.goto_(unit.target(section.join()));
        }
    }

    private static @org.jspecify.annotations.Nullable Block lastBack(Section section, Block head) {
        Block last = null;
        for (Block block : section.blocks()) {
            if (block.start() >= head.start() && block.successors().contains(head.index())) {
                last = block;
            }
        }
        return last;
    }

    /** Lanes of a local go to the instruction; nothing is noted where all of them come anyway. */
    private void send(Map<Integer, Integer> masks, int to, int lanes) {
        Integer mask = masks.get(to);
        if (mask != null) {
            code.iload(mask).iload(lanes).ior().istore(mask);
        }
    }

    /** Where a branch goes; -1: its lanes exit. */
    private int target(int branch) {
        Instruction instruction = unit.body.instructions().get(branch);
        return instruction.opcode() == Opcode.BRA
                ? unit.body.label(((Operand.Symbol) instruction.operand(0)).name())
                : -1;
    }

    private void emit(Block block, Map<Integer, Integer> masks) {
        int last = block.end() - 1;
        Instruction instruction = unit.body.instructions().get(last);
        boolean control =
                switch (instruction.opcode()) {
                    case BRA, RET, EXIT -> true;
                    default -> false;
                };
        unit.maskedRuns.straight(block.start(), control ? last : block.end());
        if (!control) {
            send(masks, block.end(), current);
            return;
        }
        Instruction.Guard guard = instruction.guard();
        if (guard == null) {
            send(masks, target(last), current);
            return;
        }
        unit.registers.push(guard.predicate(), "Pred");
        if (guard.negated()) {
            code.iconst_m1().ixor();
        }
        int goes = takenSlot();
        code.iload(current).iand().istore(goes);
        send(masks, target(last), goes);
        code.iload(current).iload(goes).ixor().istore(current);
        send(masks, block.end(), current);
    }
}

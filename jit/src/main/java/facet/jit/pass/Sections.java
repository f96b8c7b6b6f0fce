package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Register;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import facet.ptx.flow.ControlFlow;
import facet.ptx.flow.ControlFlow.Block;
import facet.ptx.flow.DefUse;
import facet.ptx.flow.Liveness;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where lanes of a row may part and come together again: from a branch that they may take
 * differently to what all of them come to in any case. Vector code runs such a section under a
 * mask.
 *
 * <p>A register that is written there and read in another block may differ between lanes from then
 * on, whatever it is computed from; what follows from that may part lanes elsewhere. So shapes and
 * sections are found together.
 */
public final class Sections {
    /** Kernels with more instructions are not run as rows. */
    private static final int MOST_INSTRUCTIONS = 600;

    /** Instructions of a section that an index decides about: its code is made twice. */
    private static final int MOST_AT_EDGES = 24;

    /**
     * @param blocks in the order of the text
     * @param join where all lanes come together; -1: they exit
     * @param kept for each block registers that it must leave alone in lanes that are elsewhere
     * @param carried registers that blocks write and others read
     */
    public record Section(List<Block> blocks, int join, List<BitSet> kept, BitSet carried) {}

    /**
     * What lanes that part at the end of a block may run until they come together.
     *
     * @param inside blocks by number
     */
    private record Parting(int block, BitSet inside, int join) {}

    private final Body body;
    private final ControlFlow flow;
    private final BitSet cuts;
    private final @Nullable Liveness liveness;
    private final BitSet[] after;
    private final BitSet varying = new BitSet();
    private List<Section> sections = List.of();

    /** For each block the section that it is in. */
    private @Nullable Section[] around = new Section[0];

    /** For each block the section that begins where it ends. */
    private @Nullable Section[] behind = new Section[0];

    /** Instructions that were in a section once. They and what varies only become more. */
    private final Set<Instruction> parted = Collections.newSetFromMap(new IdentityHashMap<>());

    private LaneShapes shapes;

    private Sections(Body body) {
        this.body = body;
        this.flow = ControlFlow.of(body);
        this.shapes = LaneShapes.of(body);
        boolean small = body.instructions().size() < MOST_INSTRUCTIONS;
        this.cuts = small ? Neighbours.cuts(body) : new BitSet();
        this.liveness = small ? Liveness.of(flow) : null;
        this.after = small ? comeLater() : new BitSet[0];
        if (small) {
            partEdges();
        }
        boolean changed = small;
        while (changed) {
            sections = find();
            changed = widen();
            if (changed) {
                shapes = LaneShapes.of(body, parted, varying);
            }
        }
    }

    public static Sections of(Body body) {
        return new Sections(body);
    }

    public LaneShapes shapes() {
        return shapes;
    }

    public List<Section> all() {
        return sections;
    }

    /** The section that begins with the branch, or that the branch is part of. */
    public Optional<Section> at(int instruction) {
        int block = flow.blockOf(instruction);
        if (block < 0
                || sections.isEmpty()
                || instruction != flow.blocks().get(block).end() - 1
                || !isParting(flow.blocks().get(block))) {
            return Optional.empty();
        }
        return Optional.ofNullable(around[block] != null ? around[block] : behind[block]);
    }

    private List<Instruction> within(Block block) {
        return body.instructions().subList(block.start(), block.end());
    }

    /** For each block what comes after it in any case; the last number is the end of the kernel. */
    private BitSet[] comeLater() {
        int count = flow.blocks().size();
        BitSet[] later = new BitSet[count + 1];
        for (int i = 0; i <= count; i++) {
            later[i] = new BitSet();
            later[i].set(0, count + 1);
        }
        later[count].clear();
        later[count].set(count);
        boolean changed = true;
        while (changed) {
            changed = false;
            Work.steps(count);
            for (int i = count - 1; i >= 0; i--) {
                BitSet now = new BitSet();
                now.set(0, count + 1);
                for (int next : successors(flow.blocks().get(i))) {
                    now.and(later[next]);
                }
                now.set(i);
                changed |= !now.equals(later[i]);
                later[i] = now;
            }
        }
        return later;
    }

    /** With the end of the kernel as one more block. */
    private List<Integer> successors(Block block) {
        List<Integer> found = new ArrayList<>(block.successors());
        Instruction last =
                block.end() > block.start() ? body.instructions().get(block.end() - 1) : null;
        if (found.isEmpty() || last != null && isExit(last)) {
            found.add(flow.blocks().size());
        }
        return found;
    }

    /**
     * Comparisons of an index that send some rows of every block another way, such as {@code if
     * (threadIdx.x >= distance)}. Rows in which lanes part there go on under masks, too, where
     * nothing that the ways hold would be computed otherwise for it.
     */
    private void partEdges() {
        int[] reads = new int[body.registers().size()];
        int[] writes = new int[body.registers().size()];
        for (Instruction instruction : body.instructions()) {
            DefUse.uses(instruction).forEach(each -> reads[each.id()]++);
            DefUse.definitions(instruction).forEach(each -> writes[each.id()]++);
        }
        for (Block block : flow.blocks()) {
            if (block.end() == block.start()) {
                continue;
            }
            Instruction.Guard guard = body.instructions().get(block.end() - 1).guard();
            if (guard == null
                    || reads[guard.predicate().id()] != 1
                    || writes[guard.predicate().id()] != 1
                    || body.instructions().get(block.end() - 1).opcode() != Opcode.BRA) {
                continue;
            }
            for (Instruction instruction : within(block)) {
                if (instruction.guard() == null
                        && shapes.isEndTest(instruction)
                        && instruction.operand(0).equals(guard.predicate())
                        && parting(block).filter(this::isSimple).isPresent()) {
                    parted.add(instruction);
                }
            }
        }
        if (!parted.isEmpty()) {
            shapes = LaneShapes.of(body, parted, varying);
        }
    }

    /** Few instructions without a loop, of which none counts on what lanes have in common. */
    private boolean isSimple(Parting parting) {
        int count = 0;
        for (int i = parting.inside.nextSetBit(0); i >= 0; i = parting.inside.nextSetBit(i + 1)) {
            Block block = flow.blocks().get(i);
            if (block.successors().stream().anyMatch(next -> next <= block.index())
                    || parting.block >= i) {
                return false;
            }
            count += block.end() - block.start();
            for (Instruction instruction : within(block)) {
                if (shapes.isEndTest(instruction)
                        || shapes.isWidening(instruction)
                        || shapes.isEndResult(instruction)) {
                    return false;
                }
            }
        }
        return count <= MOST_AT_EDGES
                && section(parting).kept.stream()
                        .flatMapToInt(BitSet::stream)
                        .allMatch(id -> shapes.of(body.registers().get(id)).isVarying());
    }

    private static boolean isExit(Instruction instruction) {
        return instruction.opcode() == Opcode.RET || instruction.opcode() == Opcode.EXIT;
    }

    private boolean isParting(Block block) {
        if (block.end() == block.start()) {
            return false;
        }
        Instruction last = body.instructions().get(block.end() - 1);
        Instruction.Guard guard = last.guard();
        return guard != null
                && (last.opcode() == Opcode.BRA || isExit(last))
                && !shapes.of(guard.predicate()).isUniform();
    }

    /** The largest sections: they hold what is smaller. None has a block of another. */
    private List<Section> find() {
        int count = flow.blocks().size();
        around = new Section[count];
        behind = new Section[count];
        List<Parting> partings = new ArrayList<>();
        for (Block block : flow.blocks()) {
            Work.steps(count);
            if (isParting(block)) {
                parting(block).ifPresent(partings::add);
            }
        }
        partings.sort(
                Comparator.comparingInt((Parting each) -> each.inside.cardinality()).reversed());
        BitSet taken = new BitSet();
        Map<BitSet, Section> largest = new LinkedHashMap<>();
        for (Parting parting : partings) {
            if (!parting.inside.intersects(taken)) {
                taken.or(parting.inside);
                Section section = section(parting);
                parting.inside.stream().forEach(each -> around[each] = section);
                largest.put(parting.inside, section);
            }
            behind[parting.block] = largest.get(parting.inside);
        }
        return List.copyOf(largest.values());
    }

    private Optional<Parting> parting(Block block) {
        int join = -1;
        BitSet rest = (BitSet) after[block.index()].clone();
        rest.clear(block.index());
        for (int i = rest.nextSetBit(0); i >= 0; i = rest.nextSetBit(i + 1)) {
            if (after[i].equals(rest)) {
                join = i;
            }
        }
        if (join < 0) {
            return Optional.empty();
        }
        int end = flow.blocks().size();
        BitSet inside = new BitSet();
        List<Integer> open = new ArrayList<>(successors(block));
        while (!open.isEmpty()) {
            int next = open.removeLast();
            if (next == join || inside.get(next)) {
                continue;
            }
            if (next == end || !isPlain(flow.blocks().get(next))) {
                return Optional.empty();
            }
            inside.set(next);
            open.addAll(successors(flow.blocks().get(next)));
        }
        int target = join == end ? -1 : flow.blocks().get(join).start();
        return inside.isEmpty()
                ? Optional.empty()
                : Optional.of(new Parting(block.index(), inside, target));
    }

    private Section section(Parting parting) {
        List<Block> blocks =
                parting.inside.stream().mapToObj(each -> flow.blocks().get(each)).toList();
        // What waits is looked at for each way from a block to another.
        Work.steps((long) blocks.size() * blocks.size());
        return new Section(blocks, parting.join, kept(blocks, parting.join), carried(blocks));
    }

    /** Whether lanes can be in the block by themselves: nobody meets there. */
    private boolean isPlain(Block block) {
        int cut = cuts.nextSetBit(block.start());
        return block.end() > block.start()
                && (cut < 0 || cut >= block.end())
                && within(block).stream()
                        .noneMatch(each ->
                                Synchronization.isMeeting(each)
                                        || Synchronization.isObservation(each)
                                        || switch (each.opcode()) {
                                            case CALL, BRX, TRAP, BRKPT -> true;
                                            default -> false;
                                        });
    }

    private BitSet carried(List<Block> blocks) {
        BitSet written = new BitSet();
        BitSet read = new BitSet();
        for (Block block : blocks) {
            read.or(Objects.requireNonNull(liveness).liveIn(block.index()));
            written.or(written(block));
        }
        written.and(read);
        return written;
    }

    private BitSet written(Block block) {
        BitSet written = new BitSet();
        for (Instruction instruction : within(block)) {
            for (Register register : DefUse.definitions(instruction)) {
                written.set(register.id());
            }
        }
        return written;
    }

    private List<BitSet> kept(List<Block> blocks, int join) {
        Liveness known = Objects.requireNonNull(liveness);
        BitSet inside = new BitSet();
        blocks.forEach(each -> inside.set(each.index()));
        BitSet entries = new BitSet();
        for (Block block : blocks) {
            if (!block.predecessors().stream().allMatch(inside::get)) {
                entries.set(block.index());
            }
        }
        BitSet behind = join < 0 ? new BitSet() : known.liveBefore(join);
        BitSet[] kept = new Waiting(blocks, entries, known::liveIn, behind).kept();
        for (int i = 0; i < kept.length; i++) {
            kept[i].and(written(blocks.get(i)));
        }
        return List.of(kept);
    }

    /** Whether more registers or instructions are concerned than before. */
    private boolean widen() {
        int before = varying.cardinality() + parted.size();
        for (Section section : sections) {
            section.kept.forEach(varying::or);
            section.blocks.forEach(block -> parted.addAll(within(block)));
        }
        return varying.cardinality() + parted.size() != before;
    }
}

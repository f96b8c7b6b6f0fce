package facet.ptx.flow;

import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.PtxException;
import facet.ptx.Statement;
import facet.ptx.Work;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The control-flow graph of a body. Block 0 is the entry; blocks are numbered in the order of the
 * text and those that no path from the entry reaches are left out.
 *
 * <p>A block ends before a label and after {@code bra}, {@code brx.idx}, {@code ret}, {@code exit}
 * and {@code trap}; a guarded one of these falls through as well. A body that runs off its end
 * returns. A label behind the last instruction has an empty block of its own.
 */
public record ControlFlow(Body body, List<Block> blocks) {

    /**
     * Instructions {@code [start, end)} of the body and the numbers of neighbouring blocks, each
     * once. Where a block falls through, that successor comes first.
     */
    public record Block(
            int index, int start, int end, List<Integer> successors, List<Integer> predecessors) {}

    public static ControlFlow of(Body body) {
        List<Instruction> instructions = body.instructions();
        int size = instructions.size();
        BitSet starts = new BitSet(size + 1);
        starts.set(0);
        body.labels().values().forEach(starts::set);
        for (int i = 0; i < size; i++) {
            if (endsBlock(instructions.get(i)) && i + 1 < size) {
                starts.set(i + 1);
            }
        }
        int[] start = starts.stream().toArray();
        int[] blockAt = new int[size + 1];
        for (int block = 0; block < start.length; block++) {
            Arrays.fill(
                    blockAt,
                    start[block],
                    block + 1 < start.length ? start[block + 1] : size + 1,
                    block);
        }
        int[][] successors = new int[start.length][];
        for (int block = 0; block < start.length; block++) {
            int end = block + 1 < start.length ? start[block + 1] : size;
            successors[block] = successors(body, start[block], end, block, start.length, blockAt);
        }
        return new ControlFlow(body, reachable(start, size, successors));
    }

    private static int[] successors(
            Body body, int start, int end, int block, int count, int[] blockAt) {
        Set<Integer> found = new LinkedHashSet<>();
        Work.steps(1 + (end - start));
        Instruction last = end > start ? body.instructions().get(end - 1) : null;
        if ((last == null || fallsThrough(last)) && block + 1 < count) {
            found.add(block + 1);
        }
        if (last != null) {
            for (String label : targets(body, last)) {
                Integer position = body.labels().get(label);
                if (position == null) {
                    throw new PtxException(
                            PtxException.Kind.INVALID,
                            last.position(),
                            last.mnemonic()
                                    + " names the label "
                                    + label
                                    + ", which is not defined");
                }
                found.add(blockAt[position]);
            }
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    private static List<String> targets(Body body, Instruction last) {
        if (last.opcode() == Opcode.BRA && last.operand(0) instanceof Operand.Symbol label) {
            return List.of(label.name());
        }
        if (last.opcode() == Opcode.BRX && last.operand(1) instanceof Operand.Symbol list) {
            Statement.Targets targets = body.targets().get(list.name());
            if (targets == null) {
                throw new PtxException(
                        PtxException.Kind.INVALID,
                        last.position(),
                        "brx.idx needs a .branchtargets list named " + list.name());
            }
            return targets.names();
        }
        return List.of();
    }

    private static List<Block> reachable(int[] start, int size, int[][] successors) {
        int[] order = Graph.reversePostOrder(successors, 0);
        int[] number = new int[start.length];
        Arrays.fill(number, -1);
        int[] kept = order.clone();
        Arrays.sort(kept);
        for (int i = 0; i < kept.length; i++) {
            number[kept[i]] = i;
        }
        List<List<Integer>> predecessors = new ArrayList<>();
        for (int i = 0; i < kept.length; i++) {
            predecessors.add(new ArrayList<>());
        }
        for (int old : kept) {
            for (int next : successors[old]) {
                predecessors.get(number[next]).add(number[old]);
            }
        }
        List<Block> blocks = new ArrayList<>(kept.length);
        for (int i = 0; i < kept.length; i++) {
            int old = kept[i];
            int end = old + 1 < start.length ? start[old + 1] : size;
            List<Integer> next =
                    Arrays.stream(successors[old]).map(b -> number[b]).boxed().toList();
            blocks.add(new Block(i, start[old], end, next, List.copyOf(predecessors.get(i))));
        }
        return List.copyOf(blocks);
    }

    private static boolean endsBlock(Instruction instruction) {
        return switch (instruction.opcode()) {
            case BRA, BRX, RET, EXIT, TRAP -> true;
            default -> false;
        };
    }

    /** Whether control may reach the next instruction of the text. */
    static boolean fallsThrough(Instruction instruction) {
        return instruction.guard() != null || !endsBlock(instruction);
    }

    /** The block that holds the instruction, or -1 when it is unreachable. */
    public int blockOf(int instructionIndex) {
        int low = 0;
        int high = blocks.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Block block = blocks.get(middle);
            if (instructionIndex < block.start()) {
                high = middle - 1;
            } else if (instructionIndex >= block.end()) {
                low = middle + 1;
            } else {
                return middle;
            }
        }
        return -1;
    }

    /** Numbers of blocks such that, back edges aside, each stands behind its predecessors. */
    public int[] reversePostOrder() {
        return Graph.reversePostOrder(successorArrays(), 0);
    }

    public Dominators dominators() {
        return Dominators.of(this);
    }

    public Loops loops() {
        return Loops.of(this);
    }

    /** Whether every cycle is a natural loop: it is entered only through its header. */
    public boolean isReducible() {
        return loops().isReducible();
    }

    int[][] successorArrays() {
        int[][] successors = new int[blocks.size()][];
        for (Block block : blocks) {
            successors[block.index()] =
                    block.successors().stream().mapToInt(Integer::intValue).toArray();
        }
        return successors;
    }
}

package facet.ptx.flow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The natural loops of a control-flow graph: back edges to the same header make one loop.
 *
 * <p>A retreating edge whose target does not dominate its source belongs to no natural loop; then
 * the graph is not reducible.
 */
public final class Loops {
    /**
     * @param blocks members in ascending order, header included
     * @param latches the sources of the back edges to the header
     * @param depth 1 for an outermost loop
     * @param parent the number of the loop around this one, or -1
     */
    public record Loop(
            int index,
            int header,
            List<Integer> blocks,
            List<Integer> latches,
            int depth,
            int parent) {}

    private final List<Loop> loops;
    private final int[] innermost;
    private final boolean reducible;

    private Loops(List<Loop> loops, int[] innermost, boolean reducible) {
        this.loops = loops;
        this.innermost = innermost;
        this.reducible = reducible;
    }

    public static Loops of(ControlFlow flow) {
        int[][] successors = flow.successorArrays();
        int[][] predecessors = Graph.reverse(successors);
        Dominators dominators = Dominators.of(flow);
        int[] order = flow.reversePostOrder();
        int[] rank = new int[successors.length];
        for (int i = 0; i < order.length; i++) {
            rank[order[i]] = i;
        }
        boolean reducible = true;
        Map<Integer, List<Integer>> latches = new TreeMap<>();
        for (int block = 0; block < successors.length; block++) {
            for (int next : successors[block]) {
                if (dominators.dominates(next, block)) {
                    latches.computeIfAbsent(next, k -> new ArrayList<>()).add(block);
                } else if (rank[next] <= rank[block]) {
                    reducible = false;
                }
            }
        }
        return nest(latches, predecessors, reducible);
    }

    private static Loops nest(
            Map<Integer, List<Integer>> latches, int[][] predecessors, boolean reducible) {
        record Found(int header, BitSet members) {}
        List<Found> found = new ArrayList<>();
        latches.forEach((header, list) ->
                found.add(new Found(header, members(header, list, predecessors))));
        // A loop that contains another one is larger, so it gets its number first.
        found.sort(
                Comparator.comparingInt((Found each) -> -each.members.cardinality())
                        .thenComparingInt(Found::header));
        int[] innermost = new int[predecessors.length];
        Arrays.fill(innermost, -1);
        List<Loop> loops = new ArrayList<>();
        for (Found each : found) {
            int parent = innermost[each.header];
            int depth = parent < 0 ? 1 : loops.get(parent).depth() + 1;
            int index = loops.size();
            loops.add(
                    new Loop(
                            index,
                            each.header,
                            each.members.stream().boxed().toList(),
                            List.copyOf(latches.getOrDefault(each.header, List.of())),
                            depth,
                            parent));
            each.members.stream().forEach(block -> innermost[block] = index);
        }
        return new Loops(List.copyOf(loops), innermost, reducible);
    }

    private static BitSet members(int header, List<Integer> latches, int[][] predecessors) {
        BitSet members = new BitSet(predecessors.length);
        members.set(header);
        int[] stack = new int[predecessors.length];
        int depth = 0;
        for (int latch : latches) {
            if (!members.get(latch)) {
                members.set(latch);
                stack[depth++] = latch;
            }
        }
        while (depth > 0) {
            for (int before : predecessors[stack[--depth]]) {
                if (!members.get(before)) {
                    members.set(before);
                    stack[depth++] = before;
                }
            }
        }
        return members;
    }

    /** Outer loops before the loops inside them. */
    public List<Loop> all() {
        return loops;
    }

    /** The smallest loop around the block, or null. */
    public @Nullable Loop innermost(int block) {
        return innermost[block] < 0 ? null : loops.get(innermost[block]);
    }

    /** How many loops are around the block. */
    public int depth(int block) {
        return innermost[block] < 0 ? 0 : loops.get(innermost[block]).depth();
    }

    public boolean isBackEdge(int from, int to) {
        for (Loop loop : loops) {
            if (loop.header() == to) {
                return loop.latches().contains(from);
            }
        }
        return false;
    }

    public boolean isReducible() {
        return reducible;
    }
}

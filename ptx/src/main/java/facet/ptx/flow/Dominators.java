package facet.ptx.flow;

import java.util.Arrays;

/**
 * A dominator tree, by the algorithm of Cooper, Harvey and Kennedy ('A Simple, Fast Dominance
 * Algorithm', 2001), forwards from the entry or backwards from a virtual exit.
 *
 * <p>The virtual exit has the number {@code blocks.size()}. It follows every block in which a
 * thread may leave ({@link ControlFlow#mayLeave}). A loop without an end has no path there; the
 * last block of such a loop in reverse post order gets an edge to it, so that every block has a
 * post dominator.
 */
public final class Dominators {
    /** The immediate dominator of the root of the tree. */
    public static final int NONE = -1;

    private final int root;
    private final int[] parents;
    // Numbers of a walk over the tree: a dominates b when a's interval holds b's.
    private final int[] enter;
    private final int[] leave;

    private Dominators(int[][] successors, int root) {
        this.root = root;
        parents = immediate(successors, root);
        enter = new int[parents.length];
        leave = new int[parents.length];
        number();
    }

    public static Dominators of(ControlFlow flow) {
        return new Dominators(flow.successorArrays(), 0);
    }

    public static Dominators post(ControlFlow flow) {
        int[][] successors = flow.successorArrays();
        int exit = successors.length;
        int[][] extended = Arrays.copyOf(successors, exit + 1);
        extended[exit] = new int[0];
        for (int block = 0; block < exit; block++) {
            if (flow.mayLeave(block)) {
                extended[block] = append(successors[block], exit);
            }
        }
        int[] order = Graph.reversePostOrder(successors, 0);
        for (int[] reached = Graph.reversePostOrder(Graph.reverse(extended), exit);
                reached.length <= exit;
                reached = Graph.reversePostOrder(Graph.reverse(extended), exit)) {
            boolean[] ends = new boolean[exit + 1];
            for (int block : reached) {
                ends[block] = true;
            }
            int last = order.length - 1;
            while (ends[order[last]]) {
                last--;
            }
            extended[order[last]] = append(extended[order[last]], exit);
        }
        return new Dominators(Graph.reverse(extended), exit);
    }

    private static int[] append(int[] list, int value) {
        int[] longer = Arrays.copyOf(list, list.length + 1);
        longer[list.length] = value;
        return longer;
    }

    private static int[] immediate(int[][] successors, int root) {
        int[][] predecessors = Graph.reverse(successors);
        int[] order = Graph.reversePostOrder(successors, root);
        int[] rank = new int[successors.length];
        for (int i = 0; i < order.length; i++) {
            rank[order[i]] = i;
        }
        int[] parents = new int[successors.length];
        Arrays.fill(parents, NONE);
        parents[root] = root;
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = 1; i < order.length; i++) {
                int node = order[i];
                int parent = NONE;
                for (int before : predecessors[node]) {
                    if (parents[before] != NONE) {
                        parent = parent == NONE ? before : meet(parents, rank, before, parent);
                    }
                }
                if (parents[node] != parent) {
                    parents[node] = parent;
                    changed = true;
                }
            }
        }
        parents[root] = NONE;
        return parents;
    }

    private static int meet(int[] parents, int[] rank, int first, int second) {
        int a = first;
        int b = second;
        while (a != b) {
            if (rank[a] > rank[b]) {
                a = parents[a];
            } else {
                b = parents[b];
            }
        }
        return a;
    }

    private void number() {
        int[][] children = new int[parents.length][];
        int[] count = new int[parents.length];
        for (int parent : parents) {
            if (parent != NONE) {
                count[parent]++;
            }
        }
        for (int node = 0; node < children.length; node++) {
            children[node] = new int[count[node]];
        }
        for (int node = 0; node < children.length; node++) {
            if (parents[node] != NONE) {
                children[parents[node]][--count[parents[node]]] = node;
            }
        }
        int clock = 0;
        int node = root;
        enter[root] = clock++;
        while (node != NONE) {
            if (count[node] < children[node].length) {
                node = children[node][count[node]++];
                enter[node] = clock++;
            } else {
                leave[node] = clock++;
                node = parents[node];
            }
        }
    }

    /** The entry, or the virtual exit of post dominators. */
    public int root() {
        return root;
    }

    /** The closest other block on all paths from the root, or {@link #NONE} for the root. */
    public int immediate(int block) {
        return parents[block];
    }

    /** Whether every path from the root to {@code other} passes {@code block}; true for equals. */
    public boolean dominates(int block, int other) {
        return enter[block] <= enter[other] && leave[other] <= leave[block];
    }

    /** The closest block that dominates both. */
    public int common(int first, int second) {
        int block = first;
        while (!dominates(block, second)) {
            block = parents[block];
        }
        return block;
    }
}

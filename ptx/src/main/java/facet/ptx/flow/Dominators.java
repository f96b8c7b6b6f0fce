package facet.ptx.flow;

import java.util.Arrays;

/**
 * A dominator tree from the entry, by the algorithm of Cooper, Harvey and Kennedy ('A Simple, Fast
 * Dominance Algorithm', 2001).
 */
public final class Dominators {
    /** The immediate dominator of the root of the tree. */
    public static final int NONE = -1;

    private static final int ROOT = 0;

    private final int[] parents;
    // Numbers of a walk over the tree: a dominates b when a's interval holds b's.
    private final int[] enter;
    private final int[] leave;

    private Dominators(int[][] successors) {
        parents = immediate(successors);
        enter = new int[parents.length];
        leave = new int[parents.length];
        number();
    }

    public static Dominators of(ControlFlow flow) {
        return new Dominators(flow.successorArrays());
    }

    private static int[] immediate(int[][] successors) {
        int[][] predecessors = Graph.reverse(successors);
        int[] order = Graph.reversePostOrder(successors, ROOT);
        int[] rank = new int[successors.length];
        for (int i = 0; i < order.length; i++) {
            rank[order[i]] = i;
        }
        int[] parents = new int[successors.length];
        Arrays.fill(parents, NONE);
        parents[ROOT] = ROOT;
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
        parents[ROOT] = NONE;
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
        int node = ROOT;
        enter[ROOT] = clock++;
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

    /** The closest other block on all paths from the root, or {@link #NONE} for the root. */
    public int immediate(int block) {
        return parents[block];
    }

    /** Whether every path from the root to {@code other} passes {@code block}; true for equals. */
    public boolean dominates(int block, int other) {
        return enter[block] <= enter[other] && leave[other] <= leave[block];
    }
}

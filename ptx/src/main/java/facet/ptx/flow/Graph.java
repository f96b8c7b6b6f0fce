package facet.ptx.flow;

import java.util.Arrays;

/** Walks over a graph given as successor lists. */
final class Graph {
    private Graph() {}

    /** Nodes reachable from the root, the root first; without recursion, as kernels are long. */
    static int[] reversePostOrder(int[][] successors, int root) {
        int count = successors.length;
        int[] order = new int[count];
        int[] stack = new int[count];
        int[] edge = new int[count];
        boolean[] seen = new boolean[count];
        int depth = 0;
        int filled = count;
        stack[0] = root;
        seen[root] = true;
        while (depth >= 0) {
            int node = stack[depth];
            if (edge[node] < successors[node].length) {
                int next = successors[node][edge[node]++];
                if (!seen[next]) {
                    seen[next] = true;
                    stack[++depth] = next;
                }
            } else {
                order[--filled] = node;
                depth--;
            }
        }
        return Arrays.copyOfRange(order, filled, count);
    }

    /** The same edges backwards. */
    static int[][] reverse(int[][] successors) {
        int[] count = new int[successors.length];
        for (int[] each : successors) {
            for (int next : each) {
                count[next]++;
            }
        }
        int[][] reversed = new int[successors.length][];
        for (int node = 0; node < reversed.length; node++) {
            reversed[node] = new int[count[node]];
        }
        for (int node = successors.length - 1; node >= 0; node--) {
            for (int next : successors[node]) {
                reversed[next][--count[next]] = node;
            }
        }
        return reversed;
    }
}

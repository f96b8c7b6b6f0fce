package facet.ptx.flow;

import java.util.BitSet;

/**
 * What a branch decides that threads take differently.
 *
 * <p>Its region is what lies on paths from its successors up to, and without, its immediate post
 * dominator, where threads come together again. Inside the region, or at its end, threads that went
 * different ways meet in the blocks that more than one successor reaches. Where a register that the
 * region defines is alive at such a meeting, each thread brings its own value. A loop that threads
 * leave at different times is the same case: the block behind it is reached both directly and by
 * another round.
 *
 * @param region blocks that not all threads run together
 * @param meetings blocks in which different paths meet
 */
record Divergence(BitSet region, BitSet meetings) {

    static Divergence of(ControlFlow flow, Dominators postDominators, int branch) {
        int end = postDominators.immediate(branch);
        int count = flow.blocks().size();
        BitSet region = new BitSet(count);
        BitSet meetings = new BitSet(count);
        for (int successor : flow.blocks().get(branch).successors()) {
            BitSet reached = reach(flow, successor, end);
            BitSet twice = (BitSet) region.clone();
            twice.and(reached);
            meetings.or(twice);
            region.or(reached);
        }
        if (end < count) {
            meetings.set(end);
            region.clear(end);
        }
        return new Divergence(region, meetings);
    }

    private static BitSet reach(ControlFlow flow, int from, int end) {
        int[] stack = new int[flow.blocks().size() + 1];
        BitSet seen = new BitSet(flow.blocks().size());
        int depth = 0;
        stack[depth++] = from;
        seen.set(from);
        while (depth > 0) {
            int block = stack[--depth];
            if (block == end) {
                continue;
            }
            for (int next : flow.blocks().get(block).successors()) {
                if (!seen.get(next)) {
                    seen.set(next);
                    stack[depth++] = next;
                }
            }
        }
        return seen;
    }
}

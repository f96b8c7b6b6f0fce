package facet.jit.pass;

import facet.ptx.flow.ControlFlow.Block;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Which registers lanes that wait elsewhere still need while others run a block of a section.
 *
 * <p>Blocks are run in the order of the text, each for the lanes that have come to it; behind the
 * last jump to an earlier block it goes on from there, as long as lanes have come to it. Lanes that
 * jumped ahead wait meanwhile.
 */
final class Waiting {
    private final List<Block> blocks;
    private final int[][] successors;

    /** For each block that jumps lead back to, the last that jumps; else -1. */
    private final int[] lastBack;

    private final BitSet[] kept;

    /**
     * @param entries blocks that lanes come to from outside
     * @param live registers that are read in a block, by its number, or behind it
     * @param behind those that are read behind the section
     */
    Waiting(List<Block> blocks, BitSet entries, IntFunction<BitSet> live, BitSet behind) {
        this.blocks = blocks;
        int count = blocks.size();
        successors = new int[count][];
        lastBack = new int[count];
        Arrays.fill(lastBack, -1);
        kept = new BitSet[count];
        for (int i = 0; i < count; i++) {
            kept[i] = (BitSet) behind.clone();
            successors[i] =
                    blocks.get(i).successors().stream()
                            .mapToInt(this::place)
                            .filter(each -> each >= 0)
                            .toArray();
            for (int next : successors[i]) {
                if (next <= i) {
                    lastBack[next] = Math.max(lastBack[next], i);
                }
            }
        }
        for (int from = 0; from < count; from++) {
            for (int to : successors[from]) {
                int end = to > from ? to : lastBack[to] + 1;
                keep(lowest(from, end, to), end, to, live);
            }
        }
        for (int to = 0; to < count; to++) {
            if (entries.get(blocks.get(to).index())) {
                keep(0, to, to, live);
            }
        }
    }

    private int place(int number) {
        for (int i = 0; i < blocks.size(); i++) {
            if (blocks.get(i).index() == number) {
                return i;
            }
        }
        return -1;
    }

    /** The first block that may be run after the one until all before the end have been. */
    private int lowest(int from, int end, int waited) {
        int low = from + 1;
        for (int head = low - 1; head >= 0; head--) {
            int jump = lastBack[head];
            if (head != waited && jump >= Math.min(low, from) && jump < end) {
                low = head;
            }
        }
        return low;
    }

    /** Lanes wait at a block while those of the range are run. */
    private void keep(int from, int end, int at, IntFunction<BitSet> live) {
        for (int i = from; i < end; i++) {
            if (i != at) {
                kept[i].or(live.apply(blocks.get(at).index()));
            }
        }
    }

    /** By the block's place in the section. */
    BitSet[] kept() {
        return kept;
    }
}

package facet.jit.pass;

import facet.ptx.flow.Body;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * What other lanes may still do in a loop that a lane leaves before them. Loops are taken as the
 * text has them: from the target of a jump back to the jump.
 */
final class LoopExits {
    private static final int KINDS = 4;

    /** The first instruction of the outermost loop around each, or its own index. */
    private final int[] heads;

    /** The next jump back at or behind each instruction. */
    private final int[] ends;

    /** For each kind of access, where it was last seen up to each instruction; or -1. */
    private final int[][] last;

    /**
     * @param accesses the kinds of access that an instruction does, as a set of four bits
     */
    LoopExits(Body body, IntUnaryOperator accesses) {
        int size = body.instructions().size();
        heads = new int[size];
        ends = new int[size];
        last = new int[KINDS][size];
        int head = Integer.MAX_VALUE;
        int end = Integer.MAX_VALUE;
        for (int i = size - 1; i >= 0; i--) {
            int index = i;
            int target =
                    Arrays.stream(Synchronization.targets(body, body.instructions().get(i)))
                            .filter(each -> each <= index)
                            .min()
                            .orElse(Integer.MAX_VALUE);
            if (target <= i) {
                end = i;
            }
            head = Math.min(head > i ? Integer.MAX_VALUE : head, target);
            heads[i] = Math.min(head, i);
            ends[i] = end;
        }
        for (int kind = 0; kind < KINDS; kind++) {
            int seen = -1;
            for (int i = 0; i < size; i++) {
                if ((accesses.applyAsInt(i) >>> kind & 1) != 0) {
                    seen = i;
                }
                last[kind][i] = seen;
            }
        }
    }

    /** Accesses of the loops that a step from one instruction to the other leaves. */
    int left(int from, int to) {
        if (to <= from || ends[from] >= to) {
            return 0;
        }
        int kinds = 0;
        for (int kind = 0; kind < KINDS; kind++) {
            kinds |= last[kind][to - 1] >= heads[from] ? 1 << kind : 0;
        }
        return kinds;
    }
}

package facet.ptx.rewrite;

import facet.ptx.Instruction;
import facet.ptx.Modifier;

/** Where threads of a block or a warp meet. */
final class Meetings {
    private Meetings() {}

    /** The bit of {@link Hidden} for what the instruction is, or 0. */
    static int kind(Instruction instruction) {
        return switch (instruction.opcode()) {
            case BAR, BARRIER ->
                    instruction.has(Modifier.WARP)
                            ? Hidden.WARPS
                            : isOfAll(instruction) ? Hidden.BARRIERS : 0;
            case SHFL, VOTE, MATCH, REDUX, ELECT, WMMA, MMA, LDMATRIX, STMATRIX, MOVMATRIX ->
                    Hidden.WARPS;
            default -> 0;
        };
    }

    /** A barrier of the block that says no number of threads. */
    static boolean isOfAll(Instruction barrier) {
        int operands = barrier.operands().size();
        return barrier.has(Modifier.SYNC) && operands == 1
                || barrier.has(Modifier.RED) && operands == 3;
    }

    static void note(Facts facts, Instruction instruction) {
        facts.own |= kind(instruction);
        switch (instruction.opcode()) {
            case BAR, BARRIER -> {
                if (!instruction.has(Modifier.WARP) && !instruction.has(Modifier.CLUSTER)) {
                    barrier(facts, instruction);
                }
            }
            default -> {}
        }
    }

    private static void barrier(Facts facts, Instruction barrier) {
        if (!isOfAll(barrier)) {
            facts.counted.add(barrier);
            return;
        }
        facts.whole.add(barrier);
    }
}

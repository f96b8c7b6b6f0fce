package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Space;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/** Which loops read what another thread may change, and so may wait for it; asked loop by loop. */
final class Observations {
    /** Steps for each instruction of a body that are spent on looking for ways around barriers. */
    private static final long PATIENCE = 16;

    private final Body body;
    private final List<Instruction> instructions;

    /** How many of the instructions before an index are observations; and of what others write. */
    private final int[] before;

    private final int[] foreignBefore;

    /** The search that has come by each instruction, by its number. */
    private final int[] seenBy;

    private int searches;
    private long left;

    Observations(Body body) {
        this.body = body;
        this.instructions = body.instructions();
        this.before = countBefore(Synchronization::isObservation);
        boolean clustered = instructions.stream().anyMatch(Observations::meansOtherBlocks);
        this.foreignBefore = clustered ? before : countBefore(Observations::isForeign);
        this.seenBy = new int[instructions.size()];
        this.left = PATIENCE * instructions.size();
    }

    private int[] countBefore(Predicate<Instruction> isCounted) {
        int[] counts = new int[instructions.size() + 1];
        for (int i = 0; i < instructions.size(); i++) {
            counts[i + 1] = counts[i] + (isCounted.test(instructions.get(i)) ? 1 : 0);
        }
        return counts;
    }

    /** Where blocks of a cluster reach each other, shared memory is not the block's own. */
    private static boolean meansOtherBlocks(Instruction instruction) {
        return instruction.space() == Space.SHARED_CLUSTER
                || instruction.opcode() == Opcode.MAPA
                || instruction.has(Modifier.CLUSTER);
    }

    /** What is observed may be changed by threads of other blocks. */
    private static boolean isForeign(Instruction instruction) {
        if (!Synchronization.isObservation(instruction)) {
            return false;
        }
        boolean access = instruction.opcode() == Opcode.LD || instruction.opcode() == Opcode.ATOM;
        Space space = instruction.space();
        return !access || space == null || !space.isShared();
    }

    /**
     * Whether a thread may wait in the loop {@code [from, to]} while others do not get their turn.
     * Not so where only the block's own memory is observed and each round goes through a barrier of
     * the block: there all its threads get theirs.
     */
    boolean maySpin(int from, int to) {
        if (before[to + 1] == before[from]) {
            return false;
        }
        return foreignBefore[to + 1] > foreignBefore[from] || hasWayAroundBarriers(from, to);
    }

    private boolean hasWayAroundBarriers(int from, int to) {
        searches++;
        Deque<Integer> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            int i = open.pop();
            Work.step();
            if (i == to || --left < 0) {
                return true; // or too much to look at: then it counts as one that may wait
            }
            Instruction instruction = instructions.get(i);
            if (seenBy[i] == searches || isBlockBarrier(instruction)) {
                continue;
            }
            seenBy[i] = searches;
            for (int target : Synchronization.targets(body, instruction)) {
                left--;
                if (target >= from && target <= to) {
                    open.push(target);
                }
            }
            if (Effects.fallsThrough(instruction) && i + 1 <= to) {
                open.push(i + 1);
            }
        }
        return false;
    }

    private static boolean isBlockBarrier(Instruction instruction) {
        boolean barrier =
                instruction.opcode() == Opcode.BAR || instruction.opcode() == Opcode.BARRIER;
        return barrier
                && instruction.guard() == null
                && !instruction.has(Modifier.ARRIVE)
                && !instruction.has(Modifier.WARP)
                && !instruction.has(Modifier.CLUSTER);
    }
}

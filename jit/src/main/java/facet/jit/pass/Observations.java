package facet.jit.pass;

import facet.ptx.Instruction;
import java.util.List;

/** Which runs of instructions read what another thread may change, asked without looking again. */
final class Observations {
    /** How many of the instructions before an index are observations. */
    private final int[] before;

    Observations(List<Instruction> instructions) {
        before = new int[instructions.size() + 1];
        for (int i = 0; i < instructions.size(); i++) {
            before[i + 1] =
                    before[i] + (Synchronization.isObservation(instructions.get(i)) ? 1 : 0);
        }
    }

    /** Whether one of {@code [from, to]} is one. */
    boolean anyIn(int from, int to) {
        return before[to + 1] > before[from];
    }
}
